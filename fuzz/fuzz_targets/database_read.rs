//! Any bytes as the files of a database.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::database_read(input) {
        panic!("{why}");
    }
});
