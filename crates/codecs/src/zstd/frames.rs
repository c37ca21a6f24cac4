//! Frames in a stream.

use crate::broken::BrokenStream;

/// Creates the error for a stream whose first frame ends at this byte, although all of its bytes are decoded.
pub fn another_frame(at: usize) -> BrokenStream {
    BrokenStream::ends_early(at, "another frame follows the first one")
}
