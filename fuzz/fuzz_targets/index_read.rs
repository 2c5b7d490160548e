//! Any bytes as the parts of an index.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::index_parts(input) {
        panic!("{why}");
    }
});
