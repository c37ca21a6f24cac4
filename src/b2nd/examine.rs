//! Judging a file: its structure, and all of its chunks.

use super::attributes::judge_attributes;
use super::frame::{Frame, read_frame};
use super::layer::{Layer, read_layer};
use super::places::judge_places;
use crate::finding::Findings;
use crate::input::Input;
use crate::{Depth, Error, Finding, Result};

/// A file, as far as its structure could be read.
#[derive(Debug)]
pub(crate) struct Examined<'a> {
    pub input: Input<'a>,
    pub frame: Option<Frame>,
    pub layer: Option<Layer>,
    pub findings: Vec<Finding>,
    /// What ended the examination before its time.
    pub limit: Option<Error>,
}

/// Reads and judges everything but the chunks.
pub(crate) fn examine_structure(input: Input<'_>) -> Result<Examined<'_>> {
    let mut findings = Findings::default();
    let (frame, layer, limit) = match read_structure(&input, &mut findings) {
        Err(error @ Error::Limit { .. }) => (None, None, Some(error)),
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

/// Everything that is wrong with a file.
pub(crate) fn findings(input: Input<'_>, depth: Depth) -> Result<Vec<Finding>> {
    let Examined { input, frame, layer, mut findings, limit } = examine_structure(input)?;
    findings.extend(limit.as_ref().map(Finding::limit));
    let Some(frame) = frame else { return Ok(findings) };
    if depth == Depth::Payload {
        let mut found = Findings::default();
        let judged = judge_attributes(&input, &frame, &mut found)
            .and_then(|()| judge_places(&input, &frame, layer.as_ref(), &mut found));
        findings.extend(found.into_vec());
        match judged {
            Err(error @ Error::Limit { .. }) => findings.push(Finding::limit(&error)),
            judged => judged?,
        }
    }
    Ok(findings)
}
