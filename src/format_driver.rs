//! The interface between the formats and the functions that accept files of any format.

use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Depth, Rule};
use crate::format::info::Info;
use crate::format::{Format, detect};
use crate::gzip::{self, Inside, Promise};
use crate::options::Settings;
use everybyte::map::Space;
use everybyte::{Source, reference::Book};

/// A format, with the functions for files of any format.
pub(crate) struct FormatDriver {
    pub format: Format,
    /// The rules of the format, as a sequence of lists.
    pub rules: &'static [&'static [&'static Rule]],
    /// Checks and maps a file.
    pub examine: for<'i> fn(Input<'i>, Depth, Limits, Question) -> Result<Examined<'i>>,
    /// Describes a file without reading its payload. Also returns the warnings about it.
    pub info: fn(Input<'_>, Limits) -> Described,
    /// The layouts of the format, and their byte order.
    pub layouts: (&'static str, fn() -> Vec<Book>),
    /// The length that a header promises, which limits how much of a gzip-compressed file is decompressed; `None` if it does not
    /// promise a length.
    pub promise: fn(Source<'_>, &Settings) -> Option<Promise>,
}

impl FormatDriver {
    /// Returns how much of the gzip-compressed content of this format is needed, given its first bytes.
    pub fn wanted(&self, source: Source<'_>, settings: &Settings) -> Inside {
        (self.promise)(source, settings).map_or(Inside::Whole, Inside::Promised)
    }

    /// The input itself or, for a gzip file, its content.
    ///
    /// # Errors
    /// As for [`gzip::opened`].
    pub fn opened<'i>(&self, input: Input<'i>, settings: &Settings) -> Result<Input<'i>> {
        gzip::opened(input, settings, &|source| match detect(source.bytes(), source.length()) {
            Some(format) if format == self.format => self.wanted(source, settings),
            _ => Inside::Unwanted,
        })
    }
}

/// The description of a file, and the warnings about it.
pub(crate) type Described = Result<(Info, Vec<Finding>)>;

/// The question about a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Question {
    /// True if a Blosc2 frame need not be an array.
    pub frames: bool,
    /// True if findings are requested.
    pub findings: bool,
    /// True if a map is requested.
    pub map: bool,
}

/// The answer to a `Question`. A file is opened and examined only once for both parts.
pub(crate) struct Examined<'i> {
    /// The format of the content, if it is known.
    pub format: Option<Format>,
    /// All findings; empty if they were not requested.
    pub findings: Vec<Finding>,
    /// The spaces of the map; `None` if it was not requested.
    pub spaces: Option<Result<Vec<Space>>>,
    /// The input; `None` if it was consumed by a map, or if it is gzip-compressed.
    pub input: Option<Input<'i>>,
}
