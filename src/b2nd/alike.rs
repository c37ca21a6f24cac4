//! Compares the settings of blocks among chunks.

use crate::b2nd::geometry::Geometry;
use crate::b2nd::rules;
use crate::blosc2::chunk::header::{Chunk, Settings, Step};
use crate::blosc2::frame::Frame;
use crate::blosc2::locate::{Located, locate};
use crate::bytes::input::Input;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::rule::{Reference, Rule};
use crate::findings::words::{bytes, counted};
use ndbytes_schemas::blosc2::{FilterId, FilterIds};

/// The settings with which the blocks of a chunk were created.
#[derive(Debug, Clone, Copy)]
pub struct Made {
    chunk: u64,
    settings: Settings,
    /// True if there are several blocks, stored as differences from the first one.
    has_differences: bool,
}

/// The chunks of an array that consist of blocks.
pub struct Chunks<'c> {
    pub input: &'c Input<'c>,
    pub frame: &'c Frame,
    pub geometry: &'c Geometry,
    pub made: Vec<Made>,
}

impl Made {
    /// The settings of a chunk, or `None` if it has no blocks or does not state them.
    pub fn new(number: u64, chunk: &Chunk) -> Option<Self> {
        let deltas = chunk.steps.iter().filter(|&&step| step == Step::Undelta).count();
        let has_differences = deltas == 1 && chunk.block_count() > 1;
        chunk.settings().map(|settings| Made { chunk: number, settings, has_differences })
    }
}

impl Chunks<'_> {
    /// Checks the settings that can only be checked by comparing chunks.
    pub fn judge(&self, findings: &mut Findings) {
        self.filters(findings);
        self.block_sizes(findings);
        let mut differences = self.made.iter().filter(|made| made.has_differences);
        if let Some(first) = differences.next() {
            let count = counted(1 + differences.count() as u64, "chunk");
            let message = format!("in {count}, blocks are stored as their differences from the first one");
            self.say(first.chunk, &rules::DELTA_BLOCKS, Reference::Accepts, "extension.filters", message, findings);
        }
    }

    /// Reports chunks whose filters differ from those in the header and in most other chunks.
    fn filters(&self, findings: &mut Findings) {
        let header = &self.frame.header;
        let usual = (header.filters, header.filter_meta);
        let alone = alone(self.made.iter().map(|made| made.settings.filters));
        for made in &self.made {
            let (filters, told) = made.settings.filters;
            if (filters, told) == usual || alone.binary_search(&(filters, told)).is_err() {
                continue;
            }
            let (field, message) = match filters == usual.0 {
                true => (
                    "extension.filter_meta",
                    format!("the filters of the chunk have parameters {told:?}, but the frame's have {:?}", usual.1),
                ),
                false => (
                    "extension.filters",
                    format!("the filters of the chunk are {}, but the frame's are {}", names(filters), names(usual.0)),
                ),
            };
            self.say(made.chunk, &rules::ODD_CHUNK, Reference::Accepts, field, message, findings);
        }
    }

    /// Reports chunks with an unusual block size. A size that C-Blosc2 cannot read is always reported.
    fn block_sizes(&self, findings: &mut Findings) {
        let alone = alone(self.made.iter().map(|made| made.settings.block_size));
        for made in &self.made {
            let block_size = made.settings.block_size;
            let expected = self.frame.expected(made.chunk, self.geometry.demanded_blocks());
            let reference = expected.blocks_reference(self.frame.chunk_bytes(made.chunk), block_size);
            // A chunk that C-Blosc2 cannot read is reported, no matter how many others have the same block size.
            let is_alone = alone.binary_search(&block_size).is_ok();
            if let Some(usual) = expected.block_size
                && usual != block_size
                && (is_alone || reference == Reference::Refuses)
            {
                let message =
                    format!("a block of the chunk has {}, but one of the frame has {usual}", bytes(block_size));
                self.say(made.chunk, &rules::ODD_CHUNK, reference, "blocksize", message, findings);
            }
        }
    }

    /// Adds a finding about a field of a chunk's header.
    fn say(
        &self,
        number: u64,
        rule: &'static Rule,
        reference: Reference,
        field: &str,
        message: String,
        findings: &mut Findings,
    ) {
        findings.push_with(rule, || {
            let finding = Finding::new(rule, field, 0..0, message).with_reference(reference);
            let finding = if rule == &rules::DELTA_BLOCKS { finding.help(DELTA_BLOCKS_HELP) } else { finding };
            let space = self.frame.stored_space(number);
            let Ok(Ok(Located::Stored(mut stored))) = locate(self.input, self.frame, number) else { return finding };
            let expected = self.frame.expected(number, self.geometry.demanded_blocks());
            match (stored.chunk(expected, number, space, &mut Findings::default()), stored.header()) {
                (Ok(Some(_)), Ok(header)) => stored.placed(finding.placed_by(&header), number, space),
                _ => finding,
            }
        });
    }
}

/// Describes the observed behaviour of other readers.
const DELTA_BLOCKS_HELP: &str = "python-blosc2 4.14 reads the whole array right, but not always a part of it: of 640 parts, \
                                 it read 242 wrong, without an error";

/// Returns the values that occur only once, in order.
fn alone<T: Ord + Copy>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut values: Vec<T> = values.collect();
    values.sort_unstable();
    values.chunk_by(|one, other| one == other).filter(|same| same.len() == 1).map(|same| same[0]).collect()
}

/// Formats the names of the used filters for messages.
fn names(filters: FilterIds) -> String {
    let names: Vec<&str> = filters.used().map(FilterId::words).collect();
    if names.is_empty() { "none".into() } else { names.join(", ") }
}
