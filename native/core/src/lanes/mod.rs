//! The arms: one set of instructions each, chosen at run time.
//!
//! Every arm gives the answers of the scalar files in [`crate::hash`] and [`crate::pulsar::bundles`]; only the time
//! differs. This is the one room of the crate where `unsafe` is allowed.
#![allow(unsafe_code)]
#![allow(clippy::wildcard_imports, reason = "an arm is its processor's intrinsics, a name each")]

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(target_arch = "x86_64")]
mod blocks;
#[cfg(target_arch = "x86_64")]
mod carryless;
#[cfg(target_arch = "x86_64")]
mod kinds;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(target_arch = "x86_64")]
mod polynomial;
mod words;

use crate::column::Column;
use crate::hash::Hash;
use crate::pulsar::cells::Cells;

/// A set of instructions that this processor has: the value is the proof, there is no other way to come by one.
///
/// ```
/// use topic_placement_core::Arm;
/// assert_eq!(Arm::available().first(), Some(&Arm::best()));
/// assert_eq!(Arm::by_name("scalar"), Some(Arm::SCALAR));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Arm(Kind);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    /// AVX-512, with gathers where the other one transposes: for whoever measures which is faster on a new processor.
    #[cfg(target_arch = "x86_64")]
    Avx512Gather,
    /// AVX2 and VPCLMULQDQ, which Zen 3 and Alder Lake have without AVX-512.
    #[cfg(target_arch = "x86_64")]
    Avx2Vpclmul,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "aarch64")]
    Neon,
    Scalar,
}

impl Arm {
    /// Plain Rust, on every processor.
    pub const SCALAR: Arm = Arm(Kind::Scalar);

    /// The arms that this processor can run, best first; the last one is always scalar.
    #[must_use]
    pub fn available() -> Vec<Arm> {
        Kind::ALL.iter().copied().filter(|kind| kind.detected()).map(Arm).collect()
    }

    /// The best arm of this processor.
    #[must_use]
    pub fn best() -> Arm {
        Kind::ALL.iter().copied().find(|kind| kind.detected()).map_or(Arm::SCALAR, Arm)
    }

    /// The arm of that name, `None` if there is none or this processor lacks its instructions.
    #[must_use]
    pub fn by_name(name: &str) -> Option<Arm> {
        Arm::available().into_iter().find(|arm| arm.name() == name)
    }

    /// `scalar`, `avx2`, `avx2-vpclmul`, `avx512`, `avx512-gather` or `neon`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self.0 {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 => "avx512",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512Gather => "avx512-gather",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Vpclmul => "avx2-vpclmul",
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => "avx2",
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => "neon",
            Kind::Scalar => "scalar",
        }
    }
}

impl Kind {
    /// Best first: docs/kernels.md has the figures.
    const ALL: &'static [Kind] = &[
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512Gather,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2Vpclmul,
        #[cfg(target_arch = "x86_64")]
        Kind::Avx2,
        #[cfg(target_arch = "aarch64")]
        Kind::Neon,
        Kind::Scalar,
    ];

    fn detected(self) -> bool {
        match self {
            #[cfg(target_arch = "x86_64")]
            Kind::Avx512 | Kind::Avx512Gather => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("bmi2")
                    && is_x86_feature_detected!("popcnt")
                    && is_x86_feature_detected!("vpclmulqdq")
            }
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2Vpclmul => Kind::Avx2.detected() && is_x86_feature_detected!("vpclmulqdq"),
            #[cfg(target_arch = "x86_64")]
            Kind::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("pclmulqdq"),
            #[cfg(target_arch = "aarch64")]
            Kind::Neon => {
                std::arch::is_aarch64_feature_detected!("neon") && std::arch::is_aarch64_feature_detected!("crc")
            }
            Kind::Scalar => true,
        }
    }
}

/// [`Hash::packed`], lengths checked by the caller.
pub(crate) fn hash(arm: Arm, hash: Hash, column: Column<'_>, out: &mut [u32]) {
    match arm.0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the arm is the proof of its features.
        Kind::Avx512 => unsafe { avx512::hash(hash, column, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the arm is the proof of its features.
        Kind::Avx512Gather => unsafe { avx512::gathers::hash(hash, column, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the arm is the proof of its features.
        Kind::Avx2Vpclmul => unsafe { avx2::hash_by_pairs(hash, column, out) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the arm is the proof of its features.
        Kind::Avx2 => unsafe { avx2::hash(hash, column, out) },
        #[cfg(target_arch = "aarch64")]
        // SAFETY: the arm is the proof of its features.
        Kind::Neon => unsafe { neon::hash(hash, column, out) },
        Kind::Scalar => hash.scalar(column, out),
    }
}

/// Range lookup by registers alone, if `arm` has a way for so few ranges; whether it has. `ends` are the last hashes of the
/// ranges, `out` is as long as `hashes`.
pub(crate) fn few_ranges(arm: Arm, ends: &[u32], hashes: &[u32], out: &mut [u32]) -> bool {
    match arm.0 {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 | Kind::Avx512Gather if ends.len() <= avx512::ranges::MOST => {
            // SAFETY: the arm is the proof of its features.
            unsafe { avx512::ranges::of_hashes(ends, hashes, out) };
            true
        }
        _ => {
            // Every argument is for the arms above, which not every processor family has.
            let _ = (ends, hashes, out);
            false
        }
    }
}

/// Range lookup by gathers, if `arm` has them; whether it has. `ends` are those of [`crate::RangeTable`], `out` is as long
/// as `hashes`.
pub(crate) fn in_cells(arm: Arm, cells: &Cells, ends: &[u32], hashes: &[u32], out: &mut [u32]) -> bool {
    match arm.0 {
        #[cfg(target_arch = "x86_64")]
        Kind::Avx512 | Kind::Avx512Gather => {
            // SAFETY: the arm is the proof of its features.
            unsafe { avx512::cells::of_hashes(cells, ends, hashes, out) };
            true
        }
        _ => {
            // Every argument is for the arm above, which not every processor family has.
            let _ = (cells, ends, hashes, out);
            false
        }
    }
}
