//! Repairs zip archives, such as `.npz` files, with a missing directory or damaged entries.

use super::{Mended, Options, Tried, ensure_room};
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::finding::Finding;
use crate::findings::report::Report;
use crate::findings::rule::{Rule, Severity};
use crate::findings::words::{bytes as count_of_bytes, quoted};
use crate::zip::salvage::{Found, Salvage, salvage};
use crate::zip::write::{DirectoryWriter, NewEntry};
use crate::zip::{BAD_DIRECTORY, CORRUPT_STREAM, CRC, LENGTH, text};
use ndbytes_schemas::zip::{DirectoryEntry, EndRecord};

const FOUND: &str = "The entries are found by their own headers, one after the other. Those with correct checksum and sizes are \
                     kept, and the directory is rebuilt. The last one is dropped if it is truncated, others only with `--drop`.";

/// The rules whose violations are repaired here, with descriptions of the repairs.
pub(super) const DOCS: &[(&Rule, &str)] =
    &[(&BAD_DIRECTORY, FOUND), (&CRC, FOUND), (&CORRUPT_STREAM, FOUND), (&LENGTH, FOUND)];

/// The maximum number of names that a step lists.
const LISTED: usize = 8;

/// Returns the next step for an archive.
pub(super) fn next_step(report: &Report, bytes: &[u8], options: &Options) -> Result<Tried> {
    let errors = || report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    let of_archive = |finding: &Finding| DOCS.iter().any(|(rule, _)| *rule == finding.rule);
    let Some(rule) = errors().map(|finding| finding.rule).next().filter(|_| errors().all(of_archive)) else {
        return Ok(None);
    };
    let salvage = salvage(&Input::from_slice(bytes, options.limits))?;
    if salvage.found.is_empty() || salvage.is_too_many {
        return Ok(None);
    }
    Ok(Some((rule, mended(bytes, &salvage, options)?.into())))
}

fn mended(bytes: &[u8], salvage: &Salvage, options: &Options) -> Result<Mended> {
    let (mut archive, mut directory) = (Vec::new(), DirectoryWriter::default());
    for Found { header, place, sums } in &salvage.found {
        directory.push(&NewEntry {
            name: header.name.bytes(),
            flags: header.flags,
            method: header.method,
            time: header.time,
            date: header.date,
            crc32: sums.crc,
            packed: sums.packed,
            length: sums.length,
            offset: archive.len() as u64,
        });
        archive.extend_from_slice(&bytes[place.start as usize..place.end as usize]);
    }
    let directory = directory.finish(archive.len() as u64);
    ensure_room(archive.len() + directory.len(), options.limits)?;
    archive.extend(directory);
    let entries = match salvage.found.len() {
        1 => "1 entry".to_owned(),
        count => format!("{count} entries"),
    };
    let mended = Mended::new(archive, format!("the directory is rebuilt from {entries}"));
    Ok(Mended { drops: salvage.has_damaged, ..mended.giving_up(given_up(bytes, salvage)) })
}

fn given_up(bytes: &[u8], salvage: &Salvage) -> String {
    let mut given_up = vec!["attributes and comments, which only the directory had".to_owned()];
    if !salvage.lost.is_empty() {
        let names: Vec<String> = salvage.lost.iter().take(LISTED).map(|name| quoted(&text(name))).collect();
        let more = match salvage.lost.len().saturating_sub(LISTED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        given_up.push(format!("truncated or damaged entries: {}{more}", names.join(", ")));
    }
    let rest = &bytes[salvage.end as usize..];
    let is_directory = rest.starts_with(&DirectoryEntry::MAGIC) || rest.starts_with(&EndRecord::MAGIC);
    if salvage.lost.is_empty() && !rest.is_empty() && !is_directory {
        given_up.push(format!("{} at the end, which are not a complete entry", count_of_bytes(rest.len() as u64)));
    }
    given_up.join("; ")
}
