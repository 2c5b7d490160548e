//! Lists of features: each name stands once.

/// Lists the slots of a candidate, each with its name, the name of its group of features, and the
/// number of these; 0 shares those of the slot before. Defines `GROUPS`, which begins with a group
/// for none; the number of slots; `FIRST`, each slot's first feature; and a module of the slots.
macro_rules! slots {
    (
        $(#[$doc:meta])*
        $module:ident of $count:ident { $($slot:ident = ($group:literal, $size:expr),)+ }
    ) => {
        /// The groups of features, each a name and a size: none, then one for each slot.
        $(#[$doc])*
        pub const GROUPS: [(&str, usize); 1 + $count] = [("none", 1), $(($group, $size)),+];

        /// The number of slots of a candidate.
        pub const $count: usize = [$($group),+].len();

        /// The number of each slot's first feature.
        pub const FIRST: [u16; $count] = plypack_core::policy::groups::firsts(&GROUPS);

        /// The slots, in the order of their groups.
        #[allow(dead_code, missing_docs, reason = "the names are those of the groups")]
        pub mod $module {
            use super::{FIRST, GROUPS};

            #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
            enum Place { $($slot),+ }

            $(pub const $slot: usize = Place::$slot as usize;)+

            /// Sets a slot to a feature of its group.
            #[inline(always)]
            pub fn set<const N: usize>(slots: &mut [u16; N], slot: usize, feature: usize) {
                plypack_core::policy::groups::set(
                    &mut slots[slot], &GROUPS, &FIRST, slot, feature,
                );
            }

            /// Returns the size of a slot's group.
            #[inline(always)]
            pub const fn count(slot: usize) -> usize {
                GROUPS[slot + 1].1
            }
        }
    };
}

/// Lists the groups of features of an order, each with its name as a constant, which is its first
/// feature; its name in reports; and its size. Defines `GROUPS` and `FEATURES`, their number, too;
/// and `Key`, a sum of weights of the order's table, which is `ranks::ORDER`.
macro_rules! order_groups {
    ($(#[$doc:meta])* $($first:ident = ($group:literal, $size:expr),)+) => {
        /// The groups of features, each a name and a size.
        $(#[$doc])*
        pub const GROUPS: [(&str, usize); [$($group),+].len()] = [$(($group, $size)),+];

        /// The number of features.
        pub const FEATURES: usize =
            plypack_core::codecs::line::ranked::first_feature(&GROUPS, GROUPS.len());

        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Group { $($first),+ }

        $(const $first: usize =
            plypack_core::codecs::line::ranked::first_feature(&GROUPS, Group::$first as usize);)+

        /// The sum of the weights.
        #[derive(Clone, Copy, Default)]
        struct Key(i32);

        impl Tally for Key {
            fn add(&mut self, feature: usize) {
                self.0 += ranks::ORDER.weights.get(feature).map_or(0, |&weight| i32::from(weight));
            }
        }
    };
}

pub(crate) use {order_groups, slots};
