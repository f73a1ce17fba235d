//! Keys as right-aligned blocks of 64 bytes, for hashes that are sums over a key's bytes counted from its end.
//!
//! A short key is one load of the 64 bytes before its end, of which a window of ones keeps the last few; what stands
//! before the key becomes zero and adds nothing. Only keys that end within the first 64 bytes of the values need care.

/// Bytes of a block; keys up to here need no loop.
pub(super) const BLOCK: usize = 64;

/// 64 bytes from `length` keep the last `length` bytes of a block.
pub(super) static KEEP: [u8; 2 * BLOCK] = {
    let mut keep = [0; 2 * BLOCK];
    let mut at = BLOCK;
    while at < 2 * BLOCK {
        keep[at] = 0xff;
        at += 1;
    }
    keep
};
