//! Zip archives, and gzip around files.

use crate::bounds::limits;
use crate::bytes::{self, is_limited};
use crate::layout::read_in_every_way;
use everybyte::{Endian, Source};
use ndbytes::archive::Archive;
use ndbytes::archive::Opened;
use ndbytes::internals::gunzip;
use ndbytes::{Checker, Error, Input, Options};
use ndbytes_schemas::gzip::Header;
use std::io::{Read, Write};

/// The maximum length of content to compress again.
const SMALL: u64 = 64 << 10;

/// Asserts the guarantees for arbitrary bytes that may be a zip archive.
pub fn examine_zip(file: &[u8]) {
    let report = bytes::examine(file);
    let open = || Input::from_slice(file, limits());
    let checker = Checker::new().limits(limits());
    let (explained, map) = checker.explain(&open()).expect("bytes in memory can be read");
    assert_eq!(explained, report, "an explanation is a check");
    bytes::tile(&map);
    let archive = match Opened::from_input(open(), limits()) {
        Ok(Opened::Archive(archive)) => archive,
        Ok(_) => return,
        Err(error) => return assert!(matches!(error, Error::Invalid(_) | Error::Limit { .. }), "{error}"),
    };
    assert_eq!(checker.check_archive(&archive).expect("bytes in memory can be read"), report);
    examine_members(&archive);
}

/// Asserts that a member is either refused or unpacked to its claimed length, always to the same bytes.
fn examine_members(archive: &Archive<'_>) {
    for (member, loaded) in archive.load_each() {
        let input = match &loaded {
            Ok(input) => input,
            Err(Error::Invalid(finding)) => {
                assert!(!finding.rule.id.is_empty());
                continue;
            }
            Err(Error::Limit { .. }) => continue,
            Err(error) => panic!("{error}"),
        };
        assert_eq!(input.length(), member.length(), "{}", member.name());
        let again = archive.load(member).expect("it was loaded before");
        assert!(input.bytes().expect("in memory") == again.bytes().expect("in memory"), "{}", member.name());
        // For an archive in memory, an address is just the name, which may be empty.
        assert!(!archive.address(member).as_os_str().is_empty() || member.name().is_empty());
    }
}

/// Asserts the guarantees for arbitrary bytes that may be gzip, as IDX and as files that are compressed here.
pub fn examine_gzip(file: &[u8]) {
    if file.starts_with(&Header::MAGIC) {
        let _ = read_in_every_way::<Header>(Source::new(file), Endian::Little, ());
        crate::idx::examine_bytes(file);
        // Broken streams are refused or inflated up to a bound.
        let _ = gunzip(file, SMALL, limits()).map(|content| assert!(content.len() as u64 <= SMALL));
        examine_inflated(file);
    } else {
        examine_compressed(file);
    }
}

/// Asserts that an accepted file contains the array in the content that another decoder inflates.
fn examine_inflated(file: &[u8]) {
    let Ok(idx) = ndbytes::idx::Options::new().limits(limits()).from_slice(file) else { return };
    let mut content = Vec::new();
    let end = file.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    // Zero padding may follow the members, but a member may also end in zeros.
    let inflated = [file, &file[..end]].into_iter().any(|members| {
        content.clear();
        flate2::bufread::MultiGzDecoder::new(members).take(SMALL).read_to_end(&mut content).is_ok()
    });
    if inflated && (content.len() as u64) < SMALL {
        let plain =
            ndbytes::idx::Options::new().limits(limits()).from_slice(&content).expect("the content is accepted");
        assert_eq!(plain.shape(), idx.shape());
        assert!(plain.bytes().expect("read before") == idx.bytes().expect("read before"));
    }
}

/// Asserts that compressed bytes are judged and read like the same bytes without gzip.
fn examine_compressed(content: &[u8]) {
    let members = 1 + content.len() % 3;
    let mut file = Vec::new();
    for part in content.chunks(content.len().div_ceil(members).max(1)) {
        let level = flate2::Compression::new(part.len() as u32 % 10);
        let mut encoder = flate2::write::GzEncoder::new(&mut file, level);
        encoder.write_all(part).and_then(|()| encoder.try_finish()).expect("memory is written to");
    }
    // Without content, there is no member.
    if let Some(less) = (content.len() as u64).checked_sub(1) {
        assert!(gunzip(&file, less + 1, limits()).is_ok_and(|inflated| inflated == content), "the content");
        assert!(gunzip(&file, less, limits()).is_err(), "the content is longer than that");
    }
    let checker = Checker::new().limits(limits());
    let check = |bytes: &[u8]| checker.check_slice(bytes).expect("bytes in memory can be read");
    let (plain, compressed) = (check(content), check(&file));
    // An archive inside gzip does not count as an archive.
    let is_archive = ndbytes::archive::is_archive(&Input::from_slice(content, limits()));
    if is_archive || content.starts_with(&Header::MAGIC) || is_limited(&plain) || is_limited(&compressed) {
        return;
    }
    assert_eq!(bytes::is_accepted(&plain), bytes::is_accepted(&compressed), "{plain:?} but {compressed:?}");
    let options = Options::new().limits(limits());
    match (options.from_slice(content), options.from_slice(&file)) {
        (Ok(ndbytes::File::Array(plain)), Ok(ndbytes::File::Array(array))) => {
            assert_eq!((plain.shape(), plain.item_type()), (array.shape(), array.item_type()));
            assert!(plain.bytes().ok() == array.bytes().ok(), "gzip changes the items");
        }
        (Ok(ndbytes::File::Table(plain)), Ok(ndbytes::File::Table(table))) => assert_eq!(plain.rows(), table.rows()),
        (plain, array) => assert_eq!(plain.is_ok(), array.is_ok(), "{plain:?} but {array:?}"),
    }
}
