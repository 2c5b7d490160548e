//! Records of PGN, one after the other, to rows and back.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::pgn_reader(input) {
        panic!("{why}");
    }
});
