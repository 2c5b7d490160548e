//! An input in each format, record by record, to rows and back.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::reader(input) {
        panic!("{why}");
    }
});
