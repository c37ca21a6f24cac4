//! The bound on the length that elements have when they are decoded.

use super::array::Array;
use super::file::Options;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;

/// The finding about an array that is longer than the limits allow. A file that cannot be opened has findings of its own.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the system gives no other handle of the file.
pub fn excess(input: &Input<'_>, limits: Limits) -> Result<Option<Finding>> {
    if limits.decoded == u64::MAX {
        return Ok(None);
    }
    let Ok(array) = Array::read(input.again(limits)?, &Options::new().limits(limits)) else { return Ok(None) };
    let stride = array.item_type().stride();
    let length = array.shape().iter().fold(stride, |length, &extent| length.saturating_mul(extent as u64));
    Ok((length > limits.decoded).then(|| Finding::decoded_limit(length, limits.decoded)))
}
