//! Turns a compiled web crate into files for a page: `plypack-web-bindgen IN.wasm FOLDER` writes
//! `FOLDER/NAME.wasm`, its JavaScript and types, and `FOLDER/NAME.holes.json`, the addresses where
//! the table of sliding moves was cut out. Files of tables that follow are cut out, too, for the
//! page to load when it needs them: `FOLDER/NAME.tables.json` says of each where it begins in the
//! files one after the other, its address and its length. `plypack-web-bindgen pack IN OUT` packs a
//! file as `viewer/lzma.ts` unpacks it.

mod pack;
#[path = "../../src/sliding.rs"]
mod sliding;

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use walrus::ir::Value;
use walrus::{ConstExpr, DataKind, Module};
use wasm_bindgen_cli_support::Bindgen;

/// The bytes that a file of a table begins with and programs do not keep (`docs/FORMAT.md`, 1.11).
const HEAD_BYTES: usize = 4;

fn main() -> Result<()> {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    if let [verb, input, output] = &arguments[..]
        && verb.as_os_str() == "pack"
    {
        std::fs::write(output, pack::pack(&std::fs::read(input)?)?)?;
        return Ok(());
    }
    let [input, folder, tables @ ..] = &arguments[..] else {
        bail!("usage: plypack-web-bindgen IN.wasm FOLDER [TABLES], or pack IN OUT");
    };
    let name = input.file_stem().and_then(|stem| stem.to_str()).context("the input has no name")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(input).out_name(name).typescript(true).omit_default_module_path(true);
    let mut output = bindgen.web(true)?.generate_output()?;
    // In its memory layout.
    let sliding: Vec<u8> = sliding::table().iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let holes = cut(output.wasm_mut(), &sliding)?;
    ensure!(!holes.is_empty(), "no table of sliding moves found: has cozy-chess changed?");
    let (mut begin, mut apart) = (0, Vec::new());
    for path in tables {
        let file = std::fs::read(path)?;
        let table = file.get(HEAD_BYTES..).context("a table has a head")?;
        let found = cut(output.wasm_mut(), table)?;
        ensure!(!found.is_empty(), "{} is not in {name}", path.display());
        let place = |address| format!("[{},{address},{}]", begin + HEAD_BYTES, table.len());
        apart.extend(found.into_iter().map(place));
        begin += file.len();
    }
    output.emit(folder)?;
    // The emitted name is that of the web target.
    std::fs::rename(folder.join(format!("{name}_bg.wasm")), folder.join(format!("{name}.wasm")))?;
    let list: Vec<String> = holes.iter().map(u64::to_string).collect();
    std::fs::write(folder.join(format!("{name}.holes.json")), format!("[{}]\n", list.join(",")))?;
    std::fs::write(folder.join(format!("{name}.tables.json")), format!("[{}]\n", apart.join(",")))?;
    Ok(())
}

/// Replaces every copy of a table by zeros; returns their addresses.
fn cut(module: &mut Module, table: &[u8]) -> Result<Vec<u64>> {
    let mut holes = Vec::new();
    let segments: Vec<_> = module.data.iter().map(walrus::Data::id).collect();
    for segment in segments {
        let segment = module.data.get_mut(segment);
        let DataKind::Active { offset: ConstExpr::Value(Value::I32(base)), .. } = segment.kind
        else {
            continue;
        };
        let mut from = 0;
        while let Some(at) = find(&segment.value[from..], table) {
            let at = from + at;
            segment.value[at..at + table.len()].fill(0);
            holes.push(u64::try_from(base)? + at as u64);
            from = at + table.len();
        }
    }
    Ok(holes)
}

/// Returns the place of a table in `bytes`; its beginning must not be uniform.
fn find(bytes: &[u8], table: &[u8]) -> Option<usize> {
    let begin = &table[..64];
    let mut windows = bytes.windows(begin.len()).enumerate();
    windows.find(|(at, window)| *window == begin && bytes[*at..].starts_with(table)).map(|w| w.0)
}
