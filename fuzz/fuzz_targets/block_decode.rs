//! Any bytes as a block of positions.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::block_decode(input) {
        panic!("{why}");
    }
});
