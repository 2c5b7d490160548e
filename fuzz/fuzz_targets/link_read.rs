//! Any bytes as a link.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::link_read(input) {
        panic!("{why}");
    }
});
