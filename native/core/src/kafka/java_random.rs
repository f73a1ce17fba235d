//! `java.util.Random`, from its state or from numbers of the caller's own.
//!
//! For the placers, whose answers hang on every draw. Source: OpenJDK 17, `java.util.Random` and `Collections.shuffle`. What
//! differs from the obvious: a draw below a bound takes the remainder and draws again where the last, incomplete row of
//! remainders is met; a bound that is a power of two takes the high bits instead, without a second draw.

const MULTIPLIER: u64 = 0x5_deec_e66d;
const MASK: u64 = (1 << 48) - 1;

/// The caller's own numbers are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutOfNumbers;

/// Where the numbers come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Random<'a> {
    /// The 48 bits of a `java.util.Random`.
    State(u64),
    /// What `nextInt()` gives, one after the other, and how many have been taken.
    Numbers(&'a [i32], usize),
}

impl Random<'_> {
    fn next(&mut self) -> Result<i32, OutOfNumbers> {
        match self {
            Self::State(state) => {
                *state = state.wrapping_mul(MULTIPLIER).wrapping_add(0xb) & MASK;
                Ok((*state >> 16) as u32 as i32)
            }
            Self::Numbers(numbers, used) => {
                let number = *numbers.get(*used).ok_or(OutOfNumbers)?;
                *used += 1;
                Ok(number)
            }
        }
    }

    /// A number in `[0, bound)`, as `nextInt(bound)`.
    ///
    /// # Errors
    /// [`OutOfNumbers`]
    ///
    /// # Panics
    /// If the bound is 0 or above 2^31 - 1.
    pub fn below(&mut self, bound: usize) -> Result<usize, OutOfNumbers> {
        let bound = u32::try_from(bound).ok().filter(|&bound| bound > 0 && i32::try_from(bound).is_ok());
        let bound = bound.expect("a bound in [1, 2^31 - 1]");
        if bound.is_power_of_two() {
            let high = u64::from(self.next()? as u32 >> 1) * u64::from(bound);
            return Ok((high >> 31) as usize);
        }
        loop {
            let bits = self.next()? as u32 >> 1;
            let rest = bits % bound;
            if i32::try_from(bits - rest + (bound - 1)).is_ok() {
                return Ok(rest as usize);
            }
        }
    }

    /// `Collections.shuffle`.
    ///
    /// # Errors
    /// [`OutOfNumbers`]; the list is then partly shuffled.
    pub fn shuffle<T>(&mut self, list: &mut [T]) -> Result<(), OutOfNumbers> {
        for size in (2..=list.len()).rev() {
            list.swap(size - 1, self.below(size)?);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `new Random(42).nextInt(10)` thrice: 0, 3, 8, by the JDK.
    #[test]
    fn draws_are_those_of_the_jdk() {
        let mut random = Random::State((0x2a ^ MULTIPLIER) & MASK);
        assert_eq!([random.below(10), random.below(10), random.below(10)], [Ok(0), Ok(3), Ok(8)]);
    }

    #[test]
    fn numbers_of_the_callers_own_end() {
        let mut random = Random::Numbers(&[-1], 0);
        assert_eq!((random.below(16), random.below(16)), (Ok(15), Err(OutOfNumbers)));
    }

    /// 2^31 - 1 lies in the incomplete row of remainders of 3 x 2^29.
    #[test]
    fn an_incomplete_row_draws_again() {
        let mut random = Random::Numbers(&[-1, 6], 0);
        assert_eq!((random.below(3 << 29), random), (Ok(3), Random::Numbers(&[-1, 6], 2)));
    }
}
