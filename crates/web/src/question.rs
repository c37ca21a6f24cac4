//! The questions of the page.

use ndbytes_pictures::{Kind, Scaling};
use serde::Deserialize;

/// A question about one file, or about two.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The verb.
    pub ask: Ask,
    /// The files, in the order of their bytes.
    pub files: Vec<Named>,
    /// For each of the first axes, the index of the item that is drawn.
    #[serde(default)]
    pub index: Vec<usize>,
    /// The kind of picture, or `None` for the one that the shape suggests.
    #[serde(default)]
    pub kind: Option<Kinds>,
    /// Whether the colours of a heat map show ranks.
    #[serde(default)]
    pub by_rank: bool,
}

impl Question {
    /// Creates a question without options.
    pub fn new(ask: Ask, files: Vec<Named>) -> Self {
        Question { ask, files, index: Vec::new(), kind: None, by_rank: false }
    }

    /// How numbers are mapped to colours.
    pub(crate) fn scaling(&self) -> Scaling {
        if self.by_rank { Scaling::Rank } else { Scaling::Linear }
    }
}

/// The verb of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ask {
    /// The findings, as `ndbytes check` prints them.
    Check,
    /// The page of `ndbytes explain`.
    Explain,
    /// The picture of `ndbytes show`.
    Show,
    /// The page of `ndbytes diff`.
    Diff,
}

/// The name of a file, and of its member if the question is only about that.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Named {
    /// The name, without a directory.
    pub name: String,
    /// The member of an archive.
    #[serde(default)]
    pub member: Option<String>,
}

impl Named {
    /// Creates the name of a complete file.
    pub fn new(name: impl Into<String>) -> Self {
        Named { name: name.into(), member: None }
    }
}

/// The kinds of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kinds {
    /// One image.
    Image,
    /// Images side by side.
    Sheet,
    /// A heat map.
    Heat,
    /// A line.
    Line,
    /// A histogram.
    Histogram,
}

impl From<Kinds> for Kind {
    fn from(kind: Kinds) -> Self {
        match kind {
            Kinds::Image => Kind::Image,
            Kinds::Sheet => Kind::Sheet,
            Kinds::Heat => Kind::Heat,
            Kinds::Line => Kind::Line,
            Kinds::Histogram => Kind::Histogram,
        }
    }
}
