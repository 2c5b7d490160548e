//! The checksum by which tests pin trained tables: a different table is a different codec.

/// 64-bit FNV-1a (G. Fowler, L. C. Noll, K.-P. Vo).
pub fn fnv1a(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}
