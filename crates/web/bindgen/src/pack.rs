//! Packs what a page loads: LZMA streams, each after its length.

use std::io::Write;

use anyhow::{Context, Result};
use lzma_rust2::{LzmaOptions, LzmaWriter};

/// The first bytes of a module of WebAssembly, its version among them.
const WASM: &[u8] = b"\0asm\x01\0\0\0";

/// The number of the section with data (WebAssembly 1.0, 5.5.2).
const DATA: u8 = 11;

/// What LZMA is told about bytes: for how much of a literal the byte before counts, and how many
/// bits of the place count for literals, and for everything.
const WAYS: [(u32, u32, u32); 5] = [(3, 0, 0), (0, 1, 0), (1, 1, 0), (2, 0, 0), (4, 0, 0)];

/// Packs a file: the code of a module and its data each by themselves, as they differ.
pub fn pack(bytes: &[u8]) -> Result<Vec<u8>> {
    let (code, data) = bytes.split_at(data_at(bytes)?);
    let mut out = Vec::new();
    for part in [code, data].into_iter().filter(|part| !part.is_empty()) {
        let ways = WAYS.into_iter().map(|way| stream(part, way));
        let streams: Vec<Vec<u8>> = ways.collect::<Result<_>>()?;
        let least = streams.into_iter().min_by_key(Vec::len).context("there is a way")?;
        out.extend(u32::try_from(least.len())?.to_le_bytes());
        out.extend(least);
    }
    Ok(out)
}

/// Where the data of a module begins; of another file, its end.
fn data_at(bytes: &[u8]) -> Result<usize> {
    let mut at = WASM.len();
    if !bytes.starts_with(WASM) {
        return Ok(bytes.len());
    }
    while let Some(&section) = bytes.get(at) {
        if section == DATA {
            return Ok(at);
        }
        let (mut length, mut place) = (0, at + 1);
        for shift in (0..).step_by(7) {
            let byte = bytes.get(place).context("a section ends early")?;
            length |= usize::from(byte & 127) << shift;
            place += 1;
            if byte & 128 == 0 {
                break;
            }
        }
        at = place + length;
    }
    Ok(bytes.len())
}

/// A file of `lzma_alone` with its size.
fn stream(bytes: &[u8], (lc, lp, pb): (u32, u32, u32)) -> Result<Vec<u8>> {
    let mut options = LzmaOptions::with_preset(9);
    (options.lc, options.lp, options.pb) = (lc, lp, pb);
    // As `xz -e` has them.
    (options.nice_len, options.depth_limit) = (273, 512);
    options.dict_size = u32::try_from(bytes.len())?.next_power_of_two().max(4096);
    let mut writer = LzmaWriter::new_use_header(Vec::new(), &options, Some(bytes.len() as u64))?;
    writer.write_all(bytes)?;
    Ok(writer.finish()?)
}
