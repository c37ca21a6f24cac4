//! The structure of a file: everything but the chunks.

use super::layer::{Layer, read_layer};
use crate::blosc2::frame::Frame;
use crate::blosc2::read_frame::read_frame;
use crate::bytes::input::Input;
use crate::error::{Error, Result};
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;

/// A file, as far as its structure could be read.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub frame: Option<Frame>,
    pub layer: Option<Layer>,
    pub findings: Vec<Finding>,
    /// The limit that ended the examination early.
    pub limit: Option<Error>,
}

/// Reads and judges everything but the chunks.
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

fn read_structure(input: &Input<'_>, findings: &mut Findings) -> Result<(Option<Frame>, Option<Layer>)> {
    let Some(frame) = read_frame(input, findings)? else { return Ok((None, None)) };
    let layer = read_layer(input, &frame, findings)?;
    Ok((Some(frame), layer))
}
