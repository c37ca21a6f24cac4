//! Checks whether the records of an archive agree and which bytes its entries claim.
//!
//! The sizes, the checksum and the flags of an entry are stored twice: in the directory and before the data. Some readers use one
//! copy, and some use the other. If the copies differ, readers see different files, which attackers exploit to get content past a
//! scanner. Every difference is therefore a finding, no matter which copy is correct.
//!
//! The ranges of all entries are recorded, so that bytes that no entry claims are found at the end.

use super::directory::{Directory, Entry, judge_extras, text};
use super::directory_claims::DirectoryClaims;
use super::ending::{Ending, Large};
use super::extras::wide;
use super::local::{Local, descriptor};
use super::rules;
use crate::bytes::input::Input;
use crate::error::Result;
use crate::findings::collect::Findings;
use crate::findings::finding::Finding;
use crate::findings::place::field_at;
use crate::findings::rule::{Reactions, Reference, Rule};
use crate::findings::words::{bytes, quoted};
use ndbytes_schemas::zip::{EndRecord, LocalHeader, Zip64, Zip64EndRecord, Zip64Locator};
use std::ops::Range;

/// The findings about an archive itself.
pub(crate) struct Judge<'a> {
    input: &'a Input<'a>,
    findings: Findings,
    /// The ranges of the entries checked so far.
    places: Vec<Range<u64>>,
}

impl<'a> Judge<'a> {
    /// Creates a judge with the findings about the directory.
    pub fn new(input: &'a Input<'a>, findings: Findings) -> Self {
        Judge { input, findings, places: Vec::new() }
    }

    /// Adds a finding about the archive.
    pub fn push(&mut self, finding: Finding) {
        self.findings.push(finding);
    }

    /// Records an entry that is not where the directory states. No other finding is reported for its bytes.
    pub fn damaged(&mut self, claims: &DirectoryClaims) {
        self.places.push(claims.start..claims.next);
    }

    /// Compares an entry with the central directory. `is_sound` is true if its header has the right name and method.
    pub fn entry(&mut self, number: usize, entry: &Entry, local: &Local, is_sound: bool) -> Result<()> {
        self.name(number, entry);
        let claims = &entry.claims;
        if !is_sound {
            self.damaged(claims);
            return Ok(());
        }
        let path = || format!("members[{number}]");
        judge_extras(&local.extras, local.header.extra.range(), path, false, &mut self.findings);
        if !local.extras.lacks_zip64 {
            self.header(number, entry, local);
        }
        let mut end = local.packed.end;
        if local.header.flags.data_descriptor() {
            end = self.descriptor(number, claims, end)?;
        }
        self.places.push(claims.start..end);
        Ok(())
    }

    /// Compares the header of an entry with its record in the directory.
    fn header(&mut self, number: usize, entry: &Entry, local: &Local) {
        let (header, claims) = (&local.header, &entry.claims);
        // `zipfile` decodes both names before it compares them.
        let is_read_otherwise = header.flags.utf8() != claims.flags.utf8() && !entry.name.is_ascii();
        let numpy = if is_read_otherwise { Reference::Refuses } else { Reference::Accepts };
        let of_zip64 = |number: fn(&Zip64) -> Option<u64>| local.extras.zip64.as_ref().and_then(number);
        let packed = wide(header.compressed_size, of_zip64(|zip64| zip64.compressed_size));
        let length = wide(header.uncompressed_size, of_zip64(|zip64| zip64.uncompressed_size));
        let is_later = header.flags.data_descriptor();
        let pairs = [
            ("flags", u64::from(claims.flags.raw()), u64::from(header.flags.raw())),
            ("crc32", claims.crc.into(), header.crc32.into()),
            ("compressed_size", claims.packed, packed),
            ("uncompressed_size", claims.length, length),
        ];
        for (field, expected, found) in pairs {
            if expected == found || (is_later && field != "flags" && found == 0) {
                continue;
            }
            self.findings.push_with(&rules::HEADER_MISMATCH, || {
                let place = field_at::<LocalHeader>(claims.start, field);
                let message = format!("the header of entry {number} contradicts the directory");
                let shown = |number: u64| match field {
                    "flags" => format!("{number:#06x}"),
                    "crc32" => format!("{number:#010x}"),
                    _ => number.to_string(),
                };
                let finding = Finding::new(&rules::HEADER_MISMATCH, field, place, message);
                let reactions = Reactions { numpy, ..Reactions::all(Reference::Accepts) };
                let finding = if field == "flags" { finding.with_reactions(reactions) } else { finding };
                finding.within(&format!("members[{number}]")).expected(shown(expected)).found(shown(found))
            });
        }
    }

    /// Checks the data descriptor after the data of an entry. Returns its end.
    fn descriptor(&mut self, number: usize, claims: &DirectoryClaims, start: u64) -> Result<u64> {
        if let Some(descriptor) = descriptor(self.input, claims, start)? {
            return Ok(descriptor.place.end);
        }
        self.findings.push_with(&rules::DATA_DESCRIPTOR, || {
            let message =
                format!("no data descriptor with the numbers of the directory follows the data of entry {number}");
            let finding = Finding::new(&rules::DATA_DESCRIPTOR, "descriptor", start..claims.next, message);
            finding.within(&format!("members[{number}]"))
        });
        Ok(claims.next)
    }

    /// Checks the name of an entry.
    fn name(&mut self, number: usize, entry: &Entry) {
        let Entry { name, claims, .. } = entry;
        let mut push = |rule: &'static Rule, why: &str, by_zipfile: Reference| {
            self.findings.push_with(rule, || {
                let message = format!("the name of entry {number} {why}: {}", quoted(&text(name)));
                let reactions = Reactions { dotnet: Reference::Accepts, ..Reactions::all(by_zipfile) };
                let finding = Finding::new(rule, "name", claims.name(), message).with_reactions(reactions);
                finding.within(&format!("directory[{number}]"))
            });
        };
        if let Some(why) = unsafe_name(name) {
            push(&rules::UNSAFE_NAME, why, Reference::Accepts);
        }
        match (name.is_ascii(), claims.flags.utf8()) {
            (true, _) => {}
            (false, true) if str::from_utf8(name).is_ok() => {}
            (false, true) => push(&rules::NAME_ENCODING, "is declared as UTF-8, but is not", Reference::Refuses),
            (false, false) => {
                let why = "is not ASCII, but not marked as UTF-8";
                push(&rules::NAME_ENCODING, why, Reference::Accepts);
            }
        }
    }

    /// Checks the archive as a whole after its entries have been checked. Returns all findings.
    pub fn finish(mut self, directory: &Directory<'_>) -> Vec<Finding> {
        let ending = &directory.ending;
        self.places.sort_unstable_by_key(|place| place.start);
        let mut reached = 0;
        for place in std::mem::take(&mut self.places).into_iter().chain([ending.directory.clone()]) {
            // .NET uses the offsets unchanged.
            let is_refused = reached == 0 && ending.base > 0;
            self.unclaimed(reached..place.start, if is_refused { Reference::Refuses } else { Reference::Accepts });
            reached = reached.max(place.end);
        }
        self.ending(ending);
        let trailing = ending.place.end..self.input.length();
        if !trailing.is_empty() {
            let message = format!("{} follow the archive's comment", bytes(trailing.end - trailing.start));
            self.push(Finding::new(&rules::TRAILING_BYTES, "", trailing, message));
        }
        self.findings.into_vec()
    }

    /// Reports bytes that do not belong to any entry.
    fn unclaimed(&mut self, place: Range<u64>, dotnet: Reference) {
        if !place.is_empty() {
            self.findings.push_with(&rules::UNCLAIMED_BYTES, || {
                let message = format!("{} belong to no entry", bytes(place.end - place.start));
                let reactions = Reactions { dotnet, ..Reactions::all(Reference::Accepts) };
                Finding::new(&rules::UNCLAIMED_BYTES, "", place, message).with_reactions(reactions)
            });
        }
    }

    /// Checks the records at the end.
    fn ending(&mut self, ending: &Ending) {
        let Ending { place, record, large, directory, .. } = ending;
        let own = |field| ("end", field, field_at::<EndRecord>(place.start, field));
        let of_zip64 = |large: &Large, field| ("zip64_end", field, field_at::<Zip64EndRecord>(large.start, field));
        let mut numbers: Vec<(&str, &str, Range<u64>, u64, u64)> = Vec::new();
        let mut push = |(path, field, place), expected: u64, found: u64| {
            if expected != found {
                numbers.push((path, field, place, expected, found));
            }
        };
        for (field, disk) in [("disk", record.disk), ("directory_disk", record.directory_disk)] {
            let is_left_to_zip64 = large.is_some() && disk == u16::MAX;
            push(own(field), 0, if is_left_to_zip64 { 0 } else { disk.into() });
        }
        match large {
            None => push(own("disk_entries"), ending.entries(), record.disk_entries.into()),
            Some(large) => {
                let Zip64EndRecord { disk, directory_disk, disk_entries, .. } = large.record;
                push(of_zip64(large, "disk"), 0, disk.into());
                push(of_zip64(large, "directory_disk"), 0, directory_disk.into());
                push(of_zip64(large, "disk_entries"), ending.entries(), disk_entries);
                let locator = |field| ("zip64_locator", field, field_at::<Zip64Locator>(large.locator_start, field));
                push(locator("disk"), 0, large.locator.disk.into());
                push(locator("disks"), 1, large.locator.disks.max(1).into());
            }
        }
        // Of these numbers, `zipfile` reads only those in the locator.
        let is_refused = numbers.iter().any(|(path, ..)| *path == "zip64_locator");
        if let Some((path, field, place, expected, found)) = numbers.into_iter().next() {
            let message = "the archive is declared to span several disks";
            let finding = Finding::new(&rules::MULTI_DISK, field, place, message).within(path);
            let by_zipfile = if is_refused { Reference::Refuses } else { Reference::Accepts };
            let reactions = Reactions { dotnet: Reference::Refuses, ..Reactions::all(by_zipfile) };
            self.push(finding.expected(expected).found(found).with_reactions(reactions));
        }
        let (size, declared) = (directory.end - directory.start, ending.directory_size());
        if size != declared {
            let field = "directory_size";
            let (path, field, place) = large.as_ref().map_or_else(|| own(field), |large| of_zip64(large, field));
            let message = "the size of the directory is not the one in the end record";
            let finding = Finding::new(&rules::DIRECTORY_SIZE, field, place, message).within(path);
            self.push(finding.expected(size).found(declared));
        }
    }
}

/// If a name would point outside the directory into which an archive is unpacked, returns the reason.
fn unsafe_name(name: &[u8]) -> Option<&'static str> {
    let is_slash = |byte: &u8| matches!(byte, b'/' | b'\\');
    if name.first().is_some_and(is_slash) {
        Some("is an absolute path")
    } else if matches!(name, [drive, b':', ..] if drive.is_ascii_alphabetic()) {
        Some("begins with a drive")
    } else if name.split(is_slash).any(|part| part == b"..") {
        Some("leads out of its directory")
    } else if name.contains(&0) {
        Some("has a zero byte")
    } else {
        None
    }
}
