//! A row with any content, written out.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::row_decode(input) {
        panic!("{why}");
    }
});
