//! Pictures of the data and their statistics, for the script to draw.

mod array;
mod picture;
mod table;

use ndbytes::{ByteMap, Error, File, Input, Limits, Options, Remedy, Report, Severity};

pub use picture::{Drawn, Picture};

use picture::note;

/// Returns pictures of the readable data. If necessary, all rules that the errors suggest are tolerated.
pub fn pictures(map: &ByteMap, report: &Report, input: &Input<'_>, limits: Limits) -> Vec<Picture> {
    let errors = || report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    if map.format.is_none() || errors().any(|finding| finding.remedy() != Some(Remedy::Tolerate)) {
        return Vec::new();
    }
    let options = errors().fold(Options::new(), |options, finding| options.tolerate(finding.rule));
    // The map stays in memory together with the data.
    let held: u64 = map.spaces.iter().map(|space| space.nodes.heap()).sum();
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
