//! NEON: four keys a group; CRC-32 by the processor's own instructions.

mod crc32;

use super::words::word_hashes;
use crate::column::Column;
use crate::hash::Hash;

/// [`Hash::packed`] by this arm; `out` is as long as the column.
#[target_feature(enable = "neon,crc")]
pub fn hash(hash: Hash, column: Column<'_>, out: &mut [u32]) {
    match hash {
        Hash::Murmur2 => murmur2::packed(column, out),
        Hash::Murmur3 => murmur3::packed(column, out),
        Hash::Crc32 => crc32::iso_hdlc(column, out),
        Hash::Crc32c => crc32::castagnoli(column, out),
        Hash::Fnv1a => fnv1a::packed(column, out),
        Hash::JavaString => hash.scalar(column, out),
    }
}

/// What [`crate::lanes::words`] asks of an arm, in NEON.
mod ops {
    use std::arch::aarch64::*;

    pub const LANES: usize = 4;
    pub type V = uint32x4_t;
    /// All ones in the lanes that are meant.
    pub type Mask = uint32x4_t;

    macro_rules! lanewise {
        ($($(#[$doc:meta])* $name:ident($($argument:ident: $kind:ty),*) -> $result:ty = $value:expr;)*) => {$(
            $(#[$doc])*
            #[inline]
            #[target_feature(enable = "neon")]
            pub fn $name($($argument: $kind),*) -> $result {
                $value
            }
        )*};
    }

    lanewise! {
        splat(x: u32) -> V = vdupq_n_u32(x);
        xor(a: V, b: V) -> V = veorq_u32(a, b);
        and(a: V, b: V) -> V = vandq_u32(a, b);
        add(a: V, b: V) -> V = vaddq_u32(a, b);
        sub(a: V, b: V) -> V = vsubq_u32(a, b);
        mul(a: V, b: V) -> V = vmulq_u32(a, b);
        /// Lanes of `a` greater than `x`, both taken as signed.
        above(a: V, x: u32) -> Mask = vcgtq_s32(vreinterpretq_s32_u32(a), vreinterpretq_s32_u32(splat(x)));
        /// All lanes.
        everyone() -> Mask = vdupq_n_u32(!0);
        /// Whether the mask has every lane.
        all(a: Mask) -> bool = vminvq_u32(a) != 0;
        /// `a` where the mask is set, else `b`.
        select(mask: Mask, a: V, b: V) -> V = vbslq_u32(mask, a, b);
        most(a: V) -> u32 = vmaxvq_u32(a);
        /// Ones over the bytes of the last, incomplete word of each length.
        odd_bytes(lengths: V) -> V = {
            let bits = vreinterpretq_s32_u32(vshlq_n_u32::<3>(and(lengths, splat(3))));
            vsubq_u32(vshlq_u32(splat(1), bits), splat(1))
        };
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn shl<const BITS: i32>(a: V) -> V {
        vshlq_n_u32::<BITS>(a)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn shr<const BITS: i32>(a: V) -> V {
        vshrq_n_u32::<BITS>(a)
    }

    /// `LEFT` bits to the left; `RIGHT` is the rest of 32.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn rotate<const LEFT: i32, const RIGHT: i32>(a: V) -> V {
        vsriq_n_u32::<RIGHT>(vshlq_n_u32::<LEFT>(a), a)
    }

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn lengths(bounds: &[u32; LANES + 1]) -> V {
        // SAFETY: both loads stay inside `bounds`.
        let (from, to) = unsafe { (vld1q_u32(bounds.as_ptr()), vld1q_u32(bounds[1..].as_ptr())) };
        vsubq_u32(to, from)
    }

    /// Nothing: stable Rust has no prefetch for this processor, whose own runs ahead of an ascending reader.
    #[inline]
    #[target_feature(enable = "neon")]
    pub fn prefetch(_at: *const u8) {}

    #[inline]
    #[target_feature(enable = "neon")]
    pub fn store(slots: &mut [u32; LANES], a: V) {
        // SAFETY: `slots` is as wide as the vector.
        unsafe { vst1q_u32(slots.as_mut_ptr(), a) }
    }

    /// The four words from byte `at` on of the four keys.
    ///
    /// # Safety
    /// Sixteen bytes from byte `at` of each key lie inside `values`.
    #[inline]
    #[target_feature(enable = "neon")]
    pub unsafe fn four_words(values: &[u8], bounds: &[u32; LANES + 1], at: u32) -> [V; 4] {
        let from = values.as_ptr().wrapping_add(at as usize);
        // SAFETY: granted by the caller.
        let row = |q: usize| unsafe { vreinterpretq_u32_u8(vld1q_u8(from.wrapping_add(bounds[q] as usize))) };
        let (ab, cd) = (vtrnq_u32(row(0), row(1)), vtrnq_u32(row(2), row(3)));
        let wide = |pairs: uint32x4_t| vreinterpretq_u64_u32(pairs);
        [
            vreinterpretq_u32_u64(vtrn1q_u64(wide(ab.0), wide(cd.0))),
            vreinterpretq_u32_u64(vtrn1q_u64(wide(ab.1), wide(cd.1))),
            vreinterpretq_u32_u64(vtrn2q_u64(wide(ab.0), wide(cd.0))),
            vreinterpretq_u32_u64(vtrn2q_u64(wide(ab.1), wide(cd.1))),
        ]
    }
}

word_hashes!("neon");
