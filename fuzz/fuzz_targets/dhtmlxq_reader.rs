//! A page with a game of xiangqi to a row and back.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::dhtmlxq_reader(input) {
        panic!("{why}");
    }
});
