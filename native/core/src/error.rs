//! What a caller can get wrong, as values: the facade writes the message and the code.

use std::fmt;

/// Position in `offsets` of the first one that descends or leaves the values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BadOffset(pub usize);

impl fmt::Display for BadOffset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "offset {} descends or leaves the values", self.0)
    }
}

impl std::error::Error for BadOffset {}

/// A result array that is not as long as the column or the hashes it answers; nothing was written to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WrongLength {
    /// Number of items asked about.
    pub expected: usize,
    /// Length of the array given for the answers.
    pub got: usize,
}

impl WrongLength {
    /// `Ok` when `got` is `expected`.
    pub(crate) fn check(expected: usize, got: usize) -> Result<(), WrongLength> {
        if expected == got { Ok(()) } else { Err(WrongLength { expected, got }) }
    }
}

impl fmt::Display for WrongLength {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the result needs {} slots, it has {}", self.expected, self.got)
    }
}

impl std::error::Error for WrongLength {}
