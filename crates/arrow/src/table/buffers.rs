//! Numbers and offsets in Arrow's layout.

use crate::error::Trouble;
use arrow_array::{ArrayRef, ArrowPrimitiveType, PrimitiveArray};
use arrow_buffer::{NullBuffer, OffsetBuffer, ScalarBuffer};
use std::sync::Arc;

/// Returns numbers as an array, in the same memory.
pub(crate) fn numbers<T: ArrowPrimitiveType>(items: Vec<T::Native>, nulls: Option<NullBuffer>) -> ArrayRef {
    Arc::new(PrimitiveArray::<T>::new(ScalarBuffer::from(items), nulls))
}

/// Returns offsets from 0 to each end.
///
/// # Errors
/// [`Trouble::Column`] if the last end is over 2^31 - 1.
pub(crate) fn offsets(ends: impl Iterator<Item = u64>, what: &str) -> Result<OffsetBuffer<i32>, Trouble> {
    let mut offsets = vec![0_i32];
    for end in ends {
        let end = i32::try_from(end).map_err(|_| {
            Trouble::Column(format!("has over 2^31 - 1 {what} in a batch: choose fewer rows per batch"))
        })?;
        offsets.push(end);
    }
    Ok(OffsetBuffer::new(ScalarBuffer::from(offsets)))
}
