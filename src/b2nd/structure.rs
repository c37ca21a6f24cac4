//! The structure of a file: everything except the chunks.

use super::layer::{Layer, read_layer};
use crate::blosc2::frame::Frame;
use crate::blosc2::read_frame::read_frame;
use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;

/// The part of a file's structure that could be read.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub frame: Option<Frame>,
    pub layer: Option<Layer>,
    pub findings: Vec<Finding>,
    /// The limit that ended the examination early, if any.
    pub limit: Option<Error>,
}

/// Reads and checks everything except the chunks.
pub(crate) fn examine_structure(input: Input<'_>) -> Result<Examined<'_>> {
    let mut findings = Findings::default();
    let (frame, layer, limit) = match read_structure(&input, &mut findings) {
        Err(error @ (Error::Limit { .. } | Error::Time { .. })) => (None, None, Some(error)),
        structure => {
            let (frame, layer) = structure?;
            (frame, layer, None)
        }
    };
    Ok(Examined { input, frame, layer, findings: findings.into_vec(), limit })
}

/// Reads the frame and its array layer. Each is `None` if it is too damaged to be used.
fn read_structure(input: &Input<'_>, findings: &mut Findings) -> Result<(Option<Frame>, Option<Layer>)> {
    let Some(frame) = read_frame(input, findings)? else { return Ok((None, None)) };
    let layer = read_layer(input, &frame, findings)?;
    Ok((Some(frame), layer))
}
