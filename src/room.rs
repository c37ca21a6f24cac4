//! The interface of a format's room to the functions that take files of any format.

use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::envelope::gzip::{self, Inside, Promise};
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Depth, Rule};
use crate::format::info::Info;
use crate::format::{Format, detect};
use crate::options::Settings;
use everybyte::map::Space;
use everybyte::{Book, Source};

/// A format, as a room of its own reads it.
pub(crate) struct Room {
    pub format: Format,
    /// Its rules, in lists one after the other.
    pub rules: &'static [&'static [&'static Rule]],
    /// Judges a file, and maps it.
    pub examine: fn(Input<'_>, Depth, Limits, Question) -> Result<Examined>,
    /// Says what a file is, without a look at its payload, and the warnings about it.
    pub info: fn(Input<'_>, Limits) -> Described,
    /// Its layouts, and the order of their bytes.
    pub layouts: (&'static str, fn() -> Vec<Book>),
    /// The length that a header promises, which bounds what is inflated of a file inside gzip; `None` if it promises none.
    pub promise: fn(Source<'_>, &Settings) -> Option<Promise>,
}

impl Room {
    /// Says how much is wanted of content of the format that is inside gzip, by its first bytes.
    pub fn wanted(&self, source: Source<'_>, settings: &Settings) -> Inside {
        (self.promise)(source, settings).map_or(Inside::Whole, Inside::Promised)
    }

    /// The input itself or, if it is a gzip file, its content.
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
    /// True if a Blosc2 frame may be something else than an array.
    pub frames: bool,
    /// True if findings are wanted.
    pub findings: bool,
    /// True if a map is wanted.
    pub map: bool,
}

/// The answer. A file is opened and examined once for both of its parts.
pub(crate) struct Examined {
    /// The format, if the content has it.
    pub format: Option<Format>,
    /// All findings; empty if they were not asked for.
    pub findings: Vec<Finding>,
    /// The spaces of the map; `None` if they were not asked for.
    pub spaces: Option<Result<Vec<Space>>>,
}
