//! Turns a compiled web crate into files for a page: `plypack-web-bindgen IN.wasm FOLDER` writes
//! `FOLDER/NAME.wasm`, its JavaScript and types, and `FOLDER/NAME.holes.json`, the addresses where
//! the table of sliding moves was cut out.

#[path = "../../src/sliding.rs"]
mod sliding;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, Module};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    ensure!(arguments.len() == 2, "usage: plypack-web-bindgen IN.wasm FOLDER");
    let (input, folder) = (&arguments[0], &arguments[1]);
    let name = input.file_stem().and_then(|stem| stem.to_str()).context("the input has no name")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true).omit_default_module_path(true);
    let mut output = bindgen.web(true)?.generate_output()?;
    let holes = cut(output.wasm_mut())?;
    output.emit(folder)?;
    // The emitted name is that of the web target.
    std::fs::rename(folder.join(format!("{name}_bg.wasm")), folder.join(format!("{name}.wasm")))?;
    let list: Vec<String> = holes.iter().map(u64::to_string).collect();
    std::fs::write(folder.join(format!("{name}.holes.json")), format!("[{}]\n", list.join(",")))?;
    Ok(())
}

/// Replaces every copy of the table by zeros; returns their addresses.
fn cut(module: &mut Module) -> Result<Vec<u64>> {
    // In its memory layout.
    let table: Vec<u8> = sliding::table().iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let mut holes = Vec::new();
    let segments: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for segment in segments {
        let segment = module.data.get_mut(segment);
        let DataKind::Active { offset: ConstExpr::Value(Value::I32(base)), .. } = segment.kind
        else {
            continue;
        };
        let mut from = 0;
        while let Some(at) = find(&segment.value[from..], &table) {
            let at = from + at;
            segment.value[at..at + table.len()].fill(0);
            holes.push(u64::try_from(base)? + at as u64);
            from = at + table.len();
        }
    }
    ensure!(!holes.is_empty(), "no table of sliding moves found: has cozy-chess changed?");
    Ok(holes)
}

/// Returns the place of a table in `bytes`; its beginning must not be uniform.
fn find(bytes: &[u8], table: &[u8]) -> Option<usize> {
    let begin = &table[..64];
    let mut windows = bytes.windows(begin.len()).enumerate();
    windows.find(|(at, window)| *window == begin && bytes[*at..].starts_with(table)).map(|w| w.0)
}
