//! Loops in constants.

/// A loop in a constant, where Rust has no iterators yet: over the numbers from 0, or from another
/// one, up to an end that is left out. `each!(place, 9, sum += place)`
#[macro_export]
macro_rules! each {
    ($number:ident, $end:expr, $do:expr) => {
        $crate::each!($number, 0, $end, $do)
    };
    ($number:ident, $from:expr, $end:expr, $do:expr) => {
        let mut $number = $from;
        while $number < $end {
            $do;
            $number += 1;
        }
    };
}
