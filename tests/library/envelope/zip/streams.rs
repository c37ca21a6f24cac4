//! The members of an archive, and the content at an address in it.

use super::{contents, open, parts};
use ndbytes::archive::Archive;
use ndbytes::{Array, Checker, Error, Format, Input, Limits, Options, Verdict, idv};
use ndbytes_testkit::archives::{
    LOADER_SCHEMA, MAP, SCHEMA, TRAIN_SCHEMA, address, check, folder, model, rules_in, rules_of, stream,
};
use ndbytes_testkit::zip::{DEFLATED, Entry, STORED, zip};
use std::fs;
use std::io::Read as _;
use std::path::Path;

#[test]
fn gzip_files_in_an_archive_are_members_by_their_names() {
    let labels = [&[0, 0, 8, 1, 0, 0, 0, 3][..], &[7, 8, 9]].concat();
    let mut packed = flate2::read::GzEncoder::new(&labels[..], flate2::Compression::fast());
    let mut gzip = Vec::new();
    packed.read_to_end(&mut gzip).unwrap();
    let bytes = zip(&[Entry::deflated("gzip/letters-idx1-ubyte.gz", &gzip), Entry::deflated("read.me.gz", &gzip)]);
    let archive = open(&bytes).unwrap();
    let found: Vec<_> = archive.members().iter().map(|member| (member.name(), member.format())).collect();
    assert_eq!(found, [("gzip/letters-idx1-ubyte.gz", Some(Format::Idx))]);
    let report = Checker::new().check_slice(&bytes).unwrap();
    assert_eq!((report.verdict(), rules_of(&report)), (Verdict::Ok, vec![]));
    let member = Array::read(archive.load(&archive.members()[0]).unwrap(), &Options::new()).unwrap();
    assert_eq!(Array::bytes(&member).unwrap()[..], [7, 8, 9]);
}

#[test]
fn model_without_a_table_is_no_archive_of_other_files() {
    let bytes = zip(&[Entry::new("TrainingInfo\\Version.txt", b"1.5", STORED), Entry::new("Model.key", b"x", STORED)]);
    let report = Checker::new().check_slice(&bytes).unwrap();
    assert_eq!((report.verdict(), report.parts().count()), (Verdict::Ok, 1));
    assert!(open(&bytes).unwrap().members().is_empty());
}

#[test]
fn streams_are_found_by_content() {
    let model = model();
    let found = contents(&model);
    let expected = [(SCHEMA, b'a'), (TRAIN_SCHEMA, b'b'), (LOADER_SCHEMA, b'c'), (MAP, b'd')];
    assert_eq!(found, expected.map(|(name, column)| (name.to_owned(), Ok(stream(column)))));
    let archive = open(&model).unwrap();
    assert!(archive.members().iter().all(|found| found.length() == stream(b'a').len() as u64));
    assert_eq!(archive.address(&archive.members()[0]), Path::new(SCHEMA));
    assert_eq!(archive.length(), model.len() as u64);

    // Names do not matter if the content identifies itself.
    let odd = zip(&[Entry::deflated("weights.bin", &stream(b'a')), Entry::deflated("data.idv", b"text, not a table")]);
    assert_eq!(contents(&odd), [("weights.bin".to_owned(), Ok(stream(b'a')))]);
}

#[test]
fn a_stream_behind_its_length_is_taken_out() {
    for (prefix, is_stream) in [(311, true), (310, false), (312, false), (-311, false), (0, false), (i32::MIN, false)] {
        let content = [&i32::to_le_bytes(prefix), &stream(b'a')[..]].concat();
        assert_eq!(stream(b'a').len(), 311);
        for method in [STORED, DEFLATED] {
            let bytes = zip(&[Entry::new("table", &content, method)]);
            let expected = if is_stream { vec![("table".to_owned(), Ok(stream(b'a')))] } else { vec![] };
            assert_eq!(contents(&bytes), expected, "{prefix}");
            // A requested member can be read, including its prefix.
            let folder = folder(&[("a.zip", &bytes)]);
            let input = Input::open(address(&folder, "a.zip", "table"), Limits::default()).unwrap();
            assert_eq!(input.bytes().unwrap(), if is_stream { stream(b'a') } else { content.clone() });
        }
    }
}

#[test]
fn an_address_is_opened_like_a_file() {
    let folder = folder(&[("model.zip", &model())]);
    for name in [TRAIN_SCHEMA.to_owned(), TRAIN_SCHEMA.replace('\\', "/"), TRAIN_SCHEMA.replacen('\\', "/", 1)] {
        let address = address(&folder, "model.zip", &name);
        let input = Input::open(&address, Limits::default()).unwrap();
        assert_eq!(input.bytes().unwrap(), stream(b'b'));
        // The path is the path of the entry, with its name in the archive.
        let path = input.path().unwrap().to_str().unwrap();
        assert!(path.ends_with(&format!("model.zip!{TRAIN_SCHEMA}")), "{path}");

        let report = Checker::new().check(&address).unwrap();
        assert_eq!((report.format, report.size, report.verdict()), (Some(Format::Idv), 311, Verdict::Ok));
        let table = idv::open(&address).unwrap();
        assert_eq!((table.rows(), table.columns().next().unwrap().name().as_str()), (9, "b"));
        let info = ndbytes::info(Input::open(&address, Limits::default()).unwrap(), &Limits::default()).unwrap();
        assert_eq!((info.size, info.table.unwrap().rows), (311, 9));
        let map = Checker::new().byte_map(Input::open(&address, Limits::default()).unwrap()).unwrap();
        let from_slice = Checker::new().byte_map(Input::from_slice(&stream(b'b'), Limits::default())).unwrap();
        assert_eq!(map, from_slice);
        assert!(matches!(ndbytes::open(&address).unwrap().into_array(), Err(Error::NoArray { format: Format::Idv })));
    }
}

#[test]
fn a_file_named_like_an_address_is_opened_first() {
    let folder = folder(&[
        ("model.zip", &model()),
        ("model.zip!Schema", &stream(b'f')),
        ("with!mark.zip", &model()),
        ("text!", b"text"),
        ("text", b"text"),
    ]);
    let bytes = |archive, entry| {
        Input::open(address(&folder, archive, entry), Limits::default()).map(|input| input.bytes().unwrap().to_vec())
    };
    assert_eq!(bytes("model.zip", "Schema").unwrap(), stream(b'f'));
    assert_eq!(bytes("with!mark.zip", "Schema").unwrap(), stream(b'a'));
    // The last `!` after which something fits: here the first one, but there is no such entry.
    let error = bytes("model.zip", "Schema!Schema").unwrap_err();
    assert!(matches!(&error, Error::NoEntry { entry, .. } if entry == "Schema!Schema"), "{error}");
    // A file that is not an archive has no entries.
    for (archive, entry) in [("text", "x"), ("text!", "x"), ("none.zip", "x"), ("", "x")] {
        let error = bytes(archive, entry).unwrap_err();
        assert!(
            matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound),
            "{archive}: {error}"
        );
    }
}

#[test]
fn a_missing_entry_is_an_error_that_lists_the_members() {
    let folder = folder(&[("model.zip", &model()), ("text.zip", &zip(&[Entry::deflated("a", b"text")]))]);
    for entry in ["schema", "", "TransformerChain", "Schema\\", "\\Schema", "."] {
        let Err(Error::NoEntry { entry: missing, members, more }) =
            Input::open(address(&folder, "model.zip", entry), Limits::default())
        else {
            panic!("{entry} is there");
        };
        assert_eq!((missing.as_str(), members.len(), more), (entry, 4, 0));
        assert_eq!(members[1], address(&folder, "model.zip", TRAIN_SCHEMA));
    }
    let error = Input::open(address(&folder, "text.zip", "b"), Limits::default()).unwrap_err();
    assert_eq!(error.to_string(), "there is no entry \"b\": it contains no array and no table");

    let path = folder.path().join("model.zip");
    let read = |input: Input<'static>| -> Vec<Error> {
        let again = || Input::open(&path, Limits::default()).unwrap();
        vec![ndbytes::info(input, &Limits::default()).unwrap_err(), Array::read(again(), &Options::new()).unwrap_err()]
    };
    for error in read(Input::open(&path, Limits::default()).unwrap()) {
        assert!(matches!(&error, Error::Archive { members, more: 0 } if members.len() == 4), "{error}");
    }
}

#[test]
fn errors_list_at_most_16_members() {
    let entries: Vec<Entry> =
        (0..100).map(|number| Entry::deflated(format!("{number}\\Schema"), &stream(b'a'))).collect();
    let folder = folder(&[("model.zip", &zip(&entries))]);
    let error = ndbytes::open(folder.path().join("model.zip")).unwrap_err();
    assert!(matches!(&error, Error::Archive { members, more: 84 } if members.len() == 16), "{error}");
    assert!(error.to_string().ends_with(" and 84 more"), "{error}");
    assert_eq!(check(&folder.path().join("model.zip")).parts().count(), 100);
}

#[test]
fn every_stream_of_an_archive_is_checked() {
    let mut broken = stream(b'b');
    broken.push(0);
    let bytes = zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("b\\Schema", &broken),
        Entry::deflated("c\\Schema", &stream(b'c')).but(|entry| entry.crc ^= 1),
        Entry::deflated("d.txt", b"text").but(|entry| entry.crc ^= 1),
    ]);
    let folder = folder(&[("model.zip", &bytes)]);
    let path = folder.path().join("model.zip");
    let report = check(&path);
    let found = parts(&path, &report);
    let of = |name: &str| format!("{}!{name}", path.display());
    let summary: Vec<(&str, Vec<&str>)> =
        found.iter().map(|(address, part)| (address.as_str(), rules_in(part.findings))).collect();
    assert_eq!(summary[0], (of("a\\Schema").as_str(), vec![]));
    assert_eq!(summary[1].0, of("b\\Schema"));
    assert!(summary[1].1.iter().all(|rule| rule.starts_with("idv/")) && !summary[1].1.is_empty(), "{summary:?}");
    assert_eq!(summary[2], (of("c\\Schema").as_str(), vec!["zip/crc"]));
    assert_eq!(summary.len(), 3, "what is no stream is not checked");
    assert!(found.iter().all(|(_, part)| part.format == Some(Format::Idv)));
    // Each member gets the same verdict by its address.
    for (address, part) in &found {
        let alone = Checker::new().check(address).unwrap();
        assert_eq!(rules_of(&alone), rules_in(part.findings), "{address}");
    }
}

#[test]
fn an_archive_without_streams_is_of_no_known_format() {
    let text = zip(&[Entry::deflated("a.txt", b"text"), Entry::new("b", b"", STORED), Entry::deflated("c/", b"")]);
    let closed = zip(&[Entry::deflated(SCHEMA, &stream(b'a')).but(|entry| entry.flags = 1)]);
    let folder = folder(&[("text.zip", &text), ("closed.zip", &closed), ("empty.zip", &zip(&[]))]);
    for (name, help) in [
        ("text.zip", "it contains no array or table that ndbytes reads: unpack it first"),
        ("closed.zip", "it contains no array or table that ndbytes reads, but 1 of its entries cannot be opened"),
    ] {
        let path = folder.path().join(name);
        let found = check(&path);
        assert_eq!(found.parts().count(), 1);
        assert_eq!(rules_of(&found), ["unknown-format"]);
        assert_eq!(found.findings()[0].message, "this is a zip archive");
        assert_eq!(found.findings()[0].help.as_deref(), Some(help));
        let error = ndbytes::open(&path).unwrap_err();
        assert_eq!(error.finding().unwrap().rule.id, "unknown-format");
        Checker::new().byte_map(Input::open(&path, Limits::default()).unwrap()).unwrap();
    }
    // An empty archive is not an archive of something else.
    let path = folder.path().join("empty.zip");
    assert_eq!(rules_of(&check(&path)), [""; 0]);
    let opened = ndbytes::archive::Opened::open(&path, Limits::default()).unwrap();
    assert!(matches!(opened, ndbytes::archive::Opened::Archive(archive) if archive.members().is_empty()));
    assert!(matches!(ndbytes::open(&path), Err(ndbytes::Error::Archive { members, more: 0 }) if members.is_empty()));
}

#[test]
fn an_entry_named_like_a_stream_is_an_error_unless_it_is_one() {
    // Without a stream next to it, the entry may be anything.
    let other = Entry::deflated("x\\TrainSchema", b"something else, not a table");
    let folder = folder(&[
        ("other.zip", &zip(std::slice::from_ref(&other))),
        ("model.zip", &zip(&[Entry::deflated(SCHEMA, &stream(b'a')), other])),
        (
            "locked.zip",
            &zip(&[
                Entry::deflated(SCHEMA, &stream(b'a')),
                Entry::deflated("x\\Schema", &stream(b'b')).but(|entry| entry.flags = 1),
            ]),
        ),
    ]);
    let rules = |name: &str| -> Vec<Vec<&str>> {
        check(&folder.path().join(name)).parts().map(|part| rules_in(part.findings)).collect()
    };
    assert_eq!(rules("other.zip"), [vec!["unknown-format"]]);
    assert_eq!(rules("model.zip"), [vec![], vec!["unknown-format"]]);
    assert_eq!(rules("locked.zip"), [vec![], vec!["zip/encrypted"]]);
}

#[test]
fn other_formats_are_read_by_their_address() {
    let idx = [0, 0, 8, 1, 0, 0, 0, 2, 10, 11];
    let inner = model();
    let bytes = zip(&[
        Entry::deflated("labels", &idx),
        Entry::deflated("a.txt", b"text, and nothing else"),
        Entry::new("inner.zip", &inner, STORED),
        Entry::deflated(SCHEMA, &stream(b'a')),
    ]);
    let folder = folder(&[("a.zip", &bytes)]);
    let array = ndbytes::open(address(&folder, "a.zip", "labels")).unwrap().into_array().unwrap();
    assert_eq!(*array.bytes().unwrap(), [10, 11]);
    let text = Checker::new().check(address(&folder, "a.zip", "a.txt")).unwrap();
    assert_eq!((text.format, rules_of(&text)), (None, vec!["unknown-format"]));
    // Archives in archives are not opened, at any position.
    let path = address(&folder, "a.zip", "inner.zip");
    let found = check(&path);
    assert_eq!(rules_of(&found), ["unknown-format"]);
    assert!(found.findings()[0].help.as_ref().unwrap().contains("archives inside archives are not opened"));
    let nested = Input::open(address(&folder, "a.zip", "inner.zip!Schema"), Limits::default());
    assert!(matches!(nested, Err(Error::NoEntry { entry, .. }) if entry == "inner.zip!Schema"));
    let whole = check(&folder.path().join("a.zip"));
    let formats: Vec<_> = whole.parts().map(|part| (part.member.unwrap(), part.format)).collect();
    assert_eq!(formats, [("labels", Some(Format::Idx)), (SCHEMA, Some(Format::Idv))]);
}

#[test]
fn the_last_of_entries_with_one_name_is_read() {
    let bytes = zip(&[
        Entry::deflated("a\\Schema", &stream(b'a')),
        Entry::deflated("b\\Schema", &stream(b'b')),
        Entry::deflated("a/Schema", &stream(b'c')),
        Entry::deflated("table", &stream(b'd')),
        Entry::deflated("table", b"something else"),
    ]);
    let folder = folder(&[("model.zip", &bytes)]);
    let report = check(&folder.path().join("model.zip"));
    let found: Vec<_> = report.parts().map(|part| (part.member.unwrap_or_default(), rules_in(part.findings))).collect();
    let duplicate = || vec!["zip/duplicate-name"];
    assert_eq!(found, [("b\\Schema", vec![]), ("a/Schema", duplicate()), ("", duplicate())]);
    assert_eq!(report.verdict(), Verdict::Warning);
    for name in ["a\\Schema", "a/Schema"] {
        let address = address(&folder, "model.zip", name);
        let input = Input::open(&address, Limits::default()).unwrap();
        assert_eq!(input.bytes().unwrap(), stream(b'c'));
        assert_eq!(rules_of(&Checker::new().check_input(input).unwrap()), ["zip/duplicate-name"]);
        assert_eq!(idv::open(&address).unwrap().columns().next().unwrap().name(), "c");
    }
}

#[test]
fn archives_of_other_makers_are_read() {
    // Checksum and lengths follow the data, as is necessary when writing to a pipe.
    let descriptor = |entry: &mut Entry| {
        entry.flags = 8;
        let mut behind = b"PK\x07\x08".to_vec();
        behind.extend([entry.crc, entry.packed as u32, entry.length as u32].into_iter().flat_map(u32::to_le_bytes));
        entry.data.extend(behind);
    };
    let piped = Entry::deflated(SCHEMA, &stream(b'a')).but(descriptor);
    let large = Entry::deflated("large\\Schema", &stream(b'b')).but(|entry| entry.is_large = true);
    let utf8 = Entry::deflated("Grün\\Schema", &stream(b'c')).but(|entry| entry.flags = 1 << 11);
    let bytes = zip(&[piped, large, utf8, Entry::new("folder/", b"", STORED), Entry::new("empty", b"", DEFLATED)]);
    let columns: Vec<Vec<u8>> = contents(&bytes).into_iter().map(|(_, content)| content.unwrap()).collect();
    assert_eq!(columns, [stream(b'a'), stream(b'b'), stream(b'c')]);
    // There is a comment at the end, and bytes before the first entry that offsets may or may not include.
    let mut commented = bytes.clone();
    let length = commented.len() - 2;
    commented[length] = 7;
    commented.extend(b"comment");
    assert_eq!(contents(&commented).len(), 3);
    let before = [b"PK\x03\x04 is not the beginning of an entry here".to_vec(), bytes].concat();
    assert_eq!(contents(&before).len(), 3);
}

#[test]
fn an_archive_that_is_cut_while_it_is_open_is_an_error() {
    let folder = folder(&[]);
    let path = folder.path().join("model.zip");
    for method in [STORED, DEFLATED] {
        let entries = [Entry::new("Weights", &[7; 100_000], STORED), Entry::new(SCHEMA, &stream(b'a'), method)];
        fs::write(&path, zip(&entries)).unwrap();
        let archive = Archive::open(&path, Limits::default()).unwrap();
        // Accessing lost pages of a mapping would end the process.
        fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(100).unwrap();
        let error = archive.load(&archive.members()[0]).unwrap_err();
        assert!(matches!(&error, Error::Io { source, .. } if source.kind() == std::io::ErrorKind::UnexpectedEof));
    }
}
