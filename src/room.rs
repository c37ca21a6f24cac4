//! The interface of a format's room to the functions that take files of any format.

use crate::bytes::input::Input;
use crate::bytes::limits::Limits;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::rule::{Depth, Rule};
use crate::format::Format;
use crate::format::info::Info;
use everybyte::Book;
use everybyte::map::Space;

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
