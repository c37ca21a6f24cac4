//! The state shared by all threads that read an array.

use crate::b2nd::geometry::Geometry;
use crate::blosc2::chunk::header::Chunk;
use crate::blosc2::chunk::stored::StoredChunk;
use crate::blosc2::frame::Frame;
use crate::blosc2::overlap::judge_overlap;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::Rule;

/// The state shared by all threads that read an array.
#[derive(Clone, Copy)]
pub struct Shared<'r> {
    pub input: &'r Input<'r>,
    pub frame: &'r Frame,
    pub geometry: &'r Geometry,
    pub tolerated: &'r [&'static Rule],
    /// True if the output is too large to stay in the caches.
    pub past_caches: bool,
    /// True if the requested parts of a source have been read from it.
    pub is_prepared: bool,
}

impl Shared<'_> {
    /// The size of an item in bytes.
    pub fn item_size(&self) -> usize {
        self.frame.item_size() as usize
    }

    /// The header of a stored chunk. Fails with the first finding that prevents reading.
    pub fn header(&self, stored: &mut StoredChunk<'_>, number: u64) -> Result<Chunk> {
        let mut findings = Findings::default();
        let expected = self.frame.expected(number, self.geometry.demanded_blocks());
        let chunk = stored.chunk(expected, number, self.frame.stored_space(number), &mut findings)?;
        let findings = findings.into_vec();
        let Some(chunk) = chunk else {
            // The tolerated violation prevents reading the chunk.
            let error = findings.into_iter().find(Finding::is_error);
            return Err(error.expect("what could not be read is an error").into());
        };
        self.refuse(findings)?;
        match judge_overlap(self.input, self.frame, number, chunk.cbytes)? {
            Some(finding) => Err(finding.into()),
            None => Ok(chunk),
        }
    }

    /// Fails with the first finding that prevents reading.
    fn refuse(&self, findings: Vec<Finding>) -> Result<()> {
        let stands = |finding: &Finding| finding.is_error() && !self.tolerated.contains(&finding.rule);
        findings.into_iter().find(stands).map_or(Ok(()), |finding| Err(finding.into()))
    }
}
