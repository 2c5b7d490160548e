//! Lines of moves to rows and back.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::transcript_reader(input) {
        panic!("{why}");
    }
});
