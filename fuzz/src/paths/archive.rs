//! Entries of a zip archive, by address.

use super::asked::{Asked, nameless};
use crate::bounds::limits;
use crate::random::Random;
use crate::ranges::compare_reports;
use everybyte::{BinWrite, Endian, bytes::Bytes, write};
use ndbytes::archive::{self, Archive};
use ndbytes::internals::{DirectoryWriter, NewEntry, VERSION};
use ndbytes::{Checker, Error, Input};
use ndbytes_codecs::deflate::{Crc, encoder};
use ndbytes_schemas::zip::{DosDate, DosTime, Flags, LocalHeader, Method, Text};
use std::io::Write;

/// The names of the entry with the input and of another entry.
pub const NAME: &str = "folder/entry";
const OTHER: &str = "other";

/// An entry is compressed only if its ratio is below this number, since higher ratios are refused.
const PLAUSIBLE: usize = 50;

/// Asserts that an entry is read like a file with its bytes, that the report on the archive includes it, and that other
/// names are refused.
pub fn examine(asked: &Asked<'_>, random: &mut Random) {
    if !is_the_same_inside(asked) {
        return;
    }
    let path = asked.folder.put("archive.zip", &zipped(asked.bytes, random.one_in(2)));
    let address = archive::address(&path, NAME);
    assert_eq!(archive::file_of(&address), Some(&*path));
    asked.compare(&address);
    let opened = Archive::open(&path, limits()).expect("the archive is valid");
    assert_eq!((opened.entries(), opened.findings()), (2, &[][..]));
    let report = Checker::new().limits(limits()).check(&path).expect("it is there");
    let part = report.parts().find(|part| part.member.is_some_and(|name| name == NAME));
    assert_eq!(part.is_some(), opened.members().iter().any(|member| member.name() == NAME));
    if let Some(part) = part {
        let alone = Checker::new().limits(limits()).check(&address).expect("it is there");
        assert_eq!(nameless(part.findings), alone.findings());
    }
    let missing = Input::open(archive::address(&path, "nothing"), limits());
    assert!(matches!(missing, Err(Error::NoEntry { .. })), "{missing:?}");
    let nowhere = Input::open(asked.folder.path().join("no.zip!x"), limits());
    assert!(matches!(nowhere, Err(Error::Io { .. })), "{nowhere:?}");
    compare_reports(&report, &Checker::new().limits(limits()).check(&path).expect("it is there"));
}

/// Returns whether an entry is judged like a file. Archives in archives are not opened, ML.NET puts a length before
/// IDV, and a frame in an archive need not be an array.
pub fn is_the_same_inside(asked: &Asked<'_>) -> bool {
    let is_no_array = asked.report.findings().iter().any(|finding| finding.rule.id == "b2nd/no-array");
    asked.report.format.is_some() && !asked.is_zip() && !is_no_array
}

/// An archive of two entries.
pub fn zipped(content: &[u8], is_compressed: bool) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), DirectoryWriter::default());
    for (name, content) in [(OTHER, &b"a text"[..]), (NAME, content)] {
        let packed = deflated(content);
        let (method, data) = match is_compressed && packed.len() * PLAUSIBLE > content.len() {
            true => (Method::DEFLATED, &*packed),
            false => (Method::STORED, content),
        };
        let mut crc = Crc::new();
        crc.update(content);
        let offset = file.len() as u64;
        let (flags, time, date, crc32) = (Flags::new(), DosTime(0), DosDate(0x21), crc.sum());
        file.extend(record(&LocalHeader {
            version_needed: VERSION.into(),
            flags,
            method,
            time,
            date,
            crc32,
            compressed_size: data.len() as u32,
            uncompressed_size: content.len() as u32,
            name: Text::new(name),
            extra: Bytes::new(0),
        }));
        file.extend(data);
        let (packed, length) = (data.len() as u64, content.len() as u64);
        directory.push(&NewEntry { name: name.as_bytes(), flags, method, time, date, crc32, packed, length, offset });
    }
    let end = directory.finish(file.len() as u64);
    file.extend(end);
    file
}

fn deflated(content: &[u8]) -> Vec<u8> {
    let mut encoder = encoder(Vec::new());
    encoder.write_all(content).expect("memory is written to");
    encoder.finish().expect("memory is written to")
}

fn record<T: for<'a> BinWrite<Args<'a> = ()>>(record: &T) -> Vec<u8> {
    write(record, Endian::Little).expect("its lengths fit")
}
