//! Something to draw.

use everybyte::page::shown;
use ndbytes_compare::stats::Statistics;
use ndbytes_pictures::{Drawing, Numbers};
use serde::Serialize;
use std::fmt::Display;

/// Something to draw.
#[derive(Debug, Serialize)]
#[serde(tag = "picture", rename_all = "snake_case")]
pub enum Picture {
    /// The shape and the type of an array.
    Array {
        shape: Vec<usize>,
        dtype: String,
        order: &'static str,
    },
    /// The first rows of a table, and its columns.
    Table {
        rows: u64,
        columns: Vec<Column>,
        all_columns: usize,
        cells: Vec<Vec<Cell>>,
    },
    /// Why there is no picture, or only part of one.
    Note {
        text: String,
    },
    Drawn(Drawn),
    /// Statistics with a histogram.
    Numbers(Box<Numbers>),
}

/// A drawing as SVG, and its captions.
#[derive(Debug, Serialize)]
pub struct Drawn {
    pub svg: String,
    words: String,
    /// The width and the height, so that nothing moves when it appears.
    size: (usize, usize),
}

impl Drawn {
    pub fn new(drawing: &Drawing) -> Self {
        Drawn { svg: drawing.to_svg(), words: drawing.caption().join("; "), size: drawing.outer_size() }
    }
}

/// A column, and the statistics of its values.
#[derive(Debug, Serialize)]
pub struct Column {
    pub name: String,
    pub type_name: String,
    /// The type of an item, by name.
    pub item: String,
    pub blocks: usize,
    pub stored: u64,
    /// The number of rows that the statistics cover: a sample if the column has more.
    pub read: u64,
    pub statistics: Statistics,
}

/// A value in the form that is shown.
#[derive(Debug, Clone, Serialize)]
#[serde(untagged)]
pub enum Cell {
    Missing,
    Bool(bool),
    /// A number as text: a script would round large ones.
    Number {
        n: String,
    },
    Text(String),
    /// The first items of a vector, and its length.
    Vector {
        v: Vec<Cell>,
        of: usize,
    },
}

/// Says why data is not shown.
pub fn note(error: &impl Display) -> Picture {
    Picture::Note { text: shown(&format!("The data is not shown: {error}."), 500) }
}
