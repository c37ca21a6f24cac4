//! IDV streams in zip archives are found, addressed and checked, also in hostile archives.

mod explain;
mod hostile;
mod rules;
mod streams;

use ndbytes::archive::Archive;
use ndbytes::{Checker, Depth, Input, Limits, Part, Report};
use ndbytes_testkit::allocations::peak_of;
use std::path::Path;

fn open(bytes: &[u8]) -> ndbytes::Result<Archive<'_>> {
    open_within(bytes, Limits::default())
}

fn open_within(bytes: &[u8], limits: Limits) -> ndbytes::Result<Archive<'_>> {
    Archive::read(Input::from_slice(bytes, limits), limits)
}

/// Every stream of an archive: its name, and its bytes or the rule that prevents reading them.
fn contents(bytes: &[u8]) -> Vec<(String, Result<Vec<u8>, &'static str>)> {
    let archive = open(bytes).unwrap();
    let load = |(stream, loaded): (&ndbytes::archive::Member, ndbytes::Result<Input<'static>>)| {
        let loaded = loaded.map(|input| input.bytes().unwrap().to_vec());
        (stream.name().to_owned(), loaded.map_err(|error| error.finding().unwrap_or_else(|| panic!("{error}")).rule.id))
    };
    archive.load_each().map(load).collect()
}

/// Each part of a report, with its address.
fn parts<'r>(path: &Path, report: &'r Report) -> Vec<(String, Part<'r>)> {
    let address = |part: &Part<'_>| match part.member {
        Some(name) => format!("{}!{name}", path.display()),
        None => path.display().to_string(),
    };
    report.parts().map(|part| (address(&part), part)).collect()
}

/// Examines everything in an archive, with little memory.
fn examine(bytes: &[u8], granted: u64) -> (ndbytes::Result<Report>, u64) {
    let limits = Limits::default().memory(granted);
    let checker = Checker::new().limits(limits).depth(Depth::Payload);
    peak_of(|| checker.check_archive(&open_within(bytes, limits)?))
}

const MEMORY: u64 = 1 << 20;
