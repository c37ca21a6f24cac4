//! Merges two edited versions of a file.

mod archives;
mod arrays;
mod command;
mod tables;

use ndbytes::File;
use ndbytes_convert::merge::{Merge, Merged, Options, Version, Versions, merge};

/// Merges three files, optionally deciding conflicts for a version.
fn merged(base: &[u8], ours: &[u8], theirs: &[u8], decided: Option<Version>) -> Merge {
    let files = Versions { base, ours, theirs }.map(open);
    merge(files.each_ref(), &Options::new(), &mut |_| decided).unwrap()
}

fn open(bytes: &[u8]) -> File<'_> {
    ndbytes::Options::new().from_slice(bytes).unwrap()
}

/// The bytes of a merged file.
fn bytes(found: &Merge) -> &[u8] {
    match &found.merged {
        Some(Merged::File(bytes)) => bytes,
        other => panic!("{other:?} is no new file: {:?}", found.conflicts),
    }
}

/// The conflicts, one per line.
fn conflicts(found: &Merge) -> Vec<String> {
    found.conflicts.iter().map(ToString::to_string).collect()
}
