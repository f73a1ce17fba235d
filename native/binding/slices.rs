//! The raw reads of the caller's typed arrays: the only unsafe code of the binding.
#![allow(unsafe_code)]

use napi::bindgen_prelude::{Error, Int32ArraySlice, Result, Status, Uint32Array, Uint32ArraySlice};
use std::cell::RefCell;
use topic_placement_core::text::{TextRoom, Texts};
use topic_placement_core::{Column, WrongLength};

/// Answers over the caller's column; returns -1, or the position of the first bad offset with nothing written.
pub fn over(
    values: &[u8],
    offsets: &[u32],
    answer: impl FnOnce(Column<'_>) -> std::result::Result<(), WrongLength>,
) -> Result<i64> {
    match Column::new(values, offsets) {
        Err(bad) => Ok(bad.0 as i64),
        Ok(column) => fits(answer(column)).map(|()| -1),
    }
}

/// Answers over texts, in Latin-1 or UTF-16; their bytes lie in memory that every call of this thread uses again.
pub fn over_texts(
    memory: &[u8],
    is_latin1: bool,
    offsets: &[u32],
    answer: impl FnOnce(Texts<'_>) -> std::result::Result<(), WrongLength>,
) -> Result<()> {
    /// A huge text's memory is given back: that much a group of texts needs, no more.
    const KEPT: usize = 1 << 18;
    thread_local! {
        static ROOM: RefCell<TextRoom> = RefCell::default();
    }
    ROOM.with_borrow_mut(|room| {
        let texts = if is_latin1 { room.latin1(memory, offsets) } else { room.texts(units_of(memory), offsets) };
        let result = match texts {
            Err(bad) => Err(Error::new(Status::InvalidArg, bad.to_string())),
            Ok(texts) => fits(answer(texts)),
        };
        if room.capacity() > KEPT {
            *room = TextRoom::default();
        }
        result
    })
}

/// The facade makes or checks the result array, so this is a fault of ours.
pub fn fits(result: std::result::Result<(), WrongLength>) -> Result<()> {
    result.map_err(|_| Error::new(Status::InvalidArg, "the result array has another length than the input"))
}

/// The caller's result array.
pub fn words<'a>(out: &'a mut Uint32ArraySlice<'_>, inputs: &[&[u8]]) -> Result<&'a mut [u32]> {
    // SAFETY: JavaScript is stopped while this call runs, and `apart` proves that no input lies under the array.
    let out = unsafe { out.as_mut() };
    apart(out.as_ptr().cast(), size_of_val(out), inputs)?;
    Ok(out)
}

/// The caller's result array of partitions.
pub fn partitions<'a>(out: &'a mut Int32ArraySlice<'_>, inputs: &[&[u8]]) -> Result<&'a mut [i32]> {
    // SAFETY: as for `words`.
    let out = unsafe { out.as_mut() };
    apart(out.as_ptr().cast(), size_of_val(out), inputs)?;
    Ok(out)
}

/// The result array of a task, which no one else writes until its promise settles (the facade made or was lent it).
pub fn lent<'a>(out: &'a mut Uint32Array, inputs: &[&[u8]]) -> Result<&'a mut [u32]> {
    // SAFETY: the task holds a reference to the array, so the memory stays; `apart` proves that no input lies under it.
    let out = unsafe { out.as_mut() };
    apart(out.as_ptr().cast(), size_of_val(out), inputs)?;
    Ok(out)
}

/// The same memory, as partitions.
pub fn signed(words: &mut [u32]) -> &mut [i32] {
    // SAFETY: u32 and i32 have one size, one alignment, and no invalid bits.
    unsafe { std::slice::from_raw_parts_mut(words.as_mut_ptr().cast(), words.len()) }
}

/// The same words as bytes, to compare where they lie.
pub fn bytes(words: &[u32]) -> &[u8] {
    // SAFETY: a u32 is four initialised bytes, and u8 asks for no alignment.
    unsafe { std::slice::from_raw_parts(words.as_ptr().cast(), size_of_val(words)) }
}

/// Bytes as the UTF-16 that they are; what does not lie on a unit's edge is left out.
fn units_of(memory: &[u8]) -> &[u16] {
    // SAFETY: any two bytes are a u16, and `align_to` gives those alone that lie as one.
    unsafe { memory.align_to().1 }
}

/// Refuses a result array that lies over an input: the facade has told the caller already, this guards the memory.
fn apart(start: *const u8, len: usize, inputs: &[&[u8]]) -> Result<()> {
    let (from, to) = (start as usize, start as usize + len);
    let over = inputs.iter().any(|input| {
        let at = input.as_ptr() as usize;
        !input.is_empty() && len > 0 && at < to && from < at + input.len()
    });
    if over { Err(Error::new(Status::InvalidArg, "the result array lies over an input")) } else { Ok(()) }
}
