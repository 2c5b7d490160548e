//! What the rules of several games have in common.

/// The methods of `Rules` in a game whose module `key` computes the keys of its positions, and
/// whose board answers patterns.
macro_rules! keys_and_patterns {
    () => {
        fn key(&self, position: &Self::Position) -> u64 {
            key::key(position)
        }

        fn second_key(&self, position: &Self::Position) -> u32 {
            key::second_key(position)
        }

        fn canonical_key(&self, position: &Self::Position) -> u64 {
            key::canonical_key(position)
        }

        fn patterns(&self) -> Option<&dyn plypack_core::pattern::Patterns<Self>> {
            Some(self)
        }
    };
}

pub(crate) use keys_and_patterns;
