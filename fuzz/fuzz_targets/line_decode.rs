//! Any bytes as the code of a line.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::line_decode(input) {
        panic!("{why}");
    }
});
