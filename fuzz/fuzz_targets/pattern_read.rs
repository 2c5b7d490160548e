//! Any bytes as a pattern of `--pattern`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::pattern_read(input) {
        panic!("{why}");
    }
});
