//! Any bytes as a condition of `--where`.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    if let Err(why) = plypack_fuzz::condition_read(input) {
        panic!("{why}");
    }
});
