//! Any bytes as an archive of a ChessBase database.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::cbv_read(input) {
        panic!("{why}");
    }
});
