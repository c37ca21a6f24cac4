//! The arguments of `ndbytes cat`.

use crate::context::Paths;
use crate::values::open::Failure;
use crate::values::slice::Chosen;
use crate::values::tolerate::Tolerate;

/// Print the values of arrays and tables.
///
/// Arrays are printed as NumPy prints them, and tables row by row. Long output is abbreviated to the first and last values.
///
/// A path may end with a slice in NumPy's syntax: `x.b2nd[6:12, :]`, `t.idv[10:20]`, `images.gz[-1]`, `x.npy[::2, ..., 0]`.
/// Only the chunks and blocks that the slice touches are decoded. Quote such a path to protect it from the shell.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Print one JSON object per file, with all values.
    #[arg(long, conflicts_with_all = ["all", "images"])]
    pub json: bool,
    /// Print the first N items along the first axis, or the first N rows.
    #[arg(short = 'n', long, value_name = "N", alias = "rows")]
    pub head: Option<u64>,
    /// Print the last N items along the first axis, or the last N rows.
    #[arg(long, value_name = "N", conflicts_with = "head")]
    pub tail: Option<u64>,
    /// Print one item along the first axis, or one row. Negative numbers count from the end. May be repeated.
    #[arg(long, value_name = "N", conflicts_with_all = ["head", "tail"], allow_negative_numbers = true)]
    pub item: Vec<i64>,
    /// Print all values, without abbreviation.
    #[arg(long)]
    pub all: bool,
    /// Print only these columns of a table, in this order, e.g. A,B,C.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub columns: Vec<String>,
    /// Draw the first N items as images, or as many as fit, like `show --as sheet`. The last two axes are height and
    /// width, but if a `uint8` or `uint16` array has a last axis of length 3 or 4, that axis is the colour.
    #[arg(long, value_name = "N", conflicts_with = "all")]
    pub images: Option<u64>,
    #[command(flatten)]
    pub tolerate: Tolerate,
    #[command(flatten)]
    pub paths: Paths,
}

impl Arguments {
    /// Returns the parts to print, in order. For a table, all parts form one list of rows.
    pub fn wanted(&self, chosen: Chosen) -> Result<Vec<Chosen>, Failure> {
        match (self.head, self.tail) {
            (Some(number), _) => Ok(vec![chosen.head(number)]),
            (_, Some(number)) => Ok(vec![chosen.tail(number)]),
            _ if self.item.is_empty() => Ok(vec![chosen]),
            _ => self.item.iter().map(|&item| chosen.item(item).map_err(Failure::Words)).collect(),
        }
    }

    /// Returns whether all requested rows are shown, as is the case if they are requested by number.
    pub fn shows_all(&self) -> bool {
        self.all || self.head.is_some() || self.tail.is_some()
    }
}
