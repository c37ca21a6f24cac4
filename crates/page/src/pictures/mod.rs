//! Pictures of the data, and their numbers: what the script draws.

mod array;
mod images;
mod numbers;
mod plane;
mod raster;
mod survey;
mod table;

use ndbytes::everybyte::Node;
use ndbytes::{ByteMap, Error, File, Input, Limits, Options, Remedy, Report, Severity};
use serde::Serialize;

pub use images::Grid;
pub use plane::Heat;
pub use survey::{Line, Numbers};
pub use table::{Cell, Column};

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
    Grid(Grid),
    Heat(Heat),
    Line(Line),
    Numbers(Numbers),
    /// The first rows of a table, and its columns.
    Table {
        rows: u64,
        columns: Vec<Column>,
        all_columns: usize,
        cells: Vec<Vec<Cell>>,
    },
    /// Why there is no picture, or not all of it.
    Note {
        text: String,
    },
}

/// The pictures of the data of a file that can be read, if need be with all tolerances that its errors want.
pub fn pictures(map: &ByteMap, report: &Report, input: &Input<'_>, limits: Limits) -> Vec<Picture> {
    let errors = || report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    if map.format.is_none() || errors().any(|finding| finding.remedy() != Some(Remedy::Tolerate)) {
        return Vec::new();
    }
    let options = errors().fold(Options::new(), |options, finding| options.tolerate(finding.rule));
    // The map stays in memory beside the data.
    let held: u64 = map.spaces.iter().map(|space| held(&space.nodes)).sum();
    let limits = limits.memory(limits.memory.saturating_sub(held));
    drawn(input, &options, limits).unwrap_or_else(|error| vec![note(&error)])
}

fn drawn(input: &Input<'_>, options: &Options, limits: Limits) -> Result<Vec<Picture>, Error> {
    let limits = limits.started();
    match options.clone().limits(limits).read(input.again(limits)?)? {
        File::Array(array) => Ok(array::pictures(&array, limits)),
        File::Table(table) => Ok(table::pictures(&table, limits)),
    }
}

fn note(error: &Error) -> Picture {
    Picture::Note { text: crate::strings::shown(&format!("The data are not shown: {error}."), 500) }
}

fn held(nodes: &[Node]) -> u64 {
    nodes.iter().map(|node| size_of::<Node>() as u64 + node.heap()).sum()
}
