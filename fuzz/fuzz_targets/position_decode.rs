//! Any bytes as the code of a single position.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::position_decode(input) {
        panic!("{why}");
    }
});
