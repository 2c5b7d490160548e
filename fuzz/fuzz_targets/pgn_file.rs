//! A whole input to a packed file and back.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::pgn_file(input) {
        panic!("{why}");
    }
});
