//! Checks the limit on the decoded length of elements.

use super::array::Array;
use super::file::Options;
use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;

/// The finding for an array that is longer than the limits allow. Findings for a file that cannot be opened are reported separately.
///
/// # Errors
/// [`Error::Io`](crate::Error::Io) if the system does not provide another handle for the file.
pub fn excess(input: &Input<'_>, limits: Limits) -> Result<Option<Finding>> {
    if limits.decoded == u64::MAX {
        return Ok(None);
    }
    let Ok(array) = Array::read(input.again(limits)?, &Options::new().limits(limits)) else { return Ok(None) };
    let stride = array.item_type().stride();
    let length = array.shape().iter().fold(stride, |length, &extent| length.saturating_mul(extent as u64));
    Ok((length > limits.decoded).then(|| Finding::decoded_limit(length, limits.decoded)))
}
