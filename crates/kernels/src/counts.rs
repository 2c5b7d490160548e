//! Code for processors with AVX2 and instructions that count and find bits.
#![allow(unsafe_code)]

use crate::Work;

/// [`natively`](crate::natively).
#[inline(always)]
pub fn natively<W: Work>(work: W) -> W::Outcome {
    #[target_feature(enable = "popcnt,lzcnt,bmi1,bmi2,avx2")]
    fn run<W: Work>(work: W) -> W::Outcome {
        work.run()
    }
    let able = is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("avx2");
    if able {
        // SAFETY: the processor has these instructions.
        unsafe { run(work) }
    } else {
        work.run()
    }
}
