//! The roles of numbers. Every number has a role, and in valid files, each number agrees with the field that it is about.

use ndbytes::everybyte::links::{Link, Links};
use ndbytes::everybyte::reference::{FieldDoc, TypeKind};
use ndbytes::everybyte::role::Target;
use ndbytes::{Checker, Format, Input, Limits, Span, layouts};
use ndbytes_testkit::corpus;
use std::collections::BTreeMap;

#[test]
fn every_number_of_the_layouts_has_a_role() {
    let mut missing = Vec::new();
    let pages = layouts().flat_map(|layout| layout.books).flat_map(|book| book.types);
    for page in pages {
        let fields: Vec<&FieldDoc> = match &page.kind {
            TypeKind::Structure(fields) => fields.iter().collect(),
            TypeKind::Choice(variants) => variants.iter().flat_map(|variant| &variant.fields).collect(),
            _ => Vec::new(),
        };
        let bare = fields.into_iter().filter(|field| field.is_number && field.role.is_none() && field.name != "magic");
        missing.extend(bare.map(|field| format!("{}.{}", page.name, field.name)));
    }
    assert!(missing.is_empty(), "say what these numbers are: {}", missing.join(", "));
}

/// A field whose number disagrees in some valid files.
struct Exception {
    /// The format (`None` for an archive), and the end of the field's path.
    field: (Option<Format>, &'static str),
    /// Returns whether the number may disagree.
    is_fit: fn(&Link<'_>) -> bool,
    why: &'static str,
}

/// Returns whether a 32-bit or 16-bit number of an archive is stored elsewhere because it does not fit.
fn is_elsewhere(link: &Link<'_>) -> bool {
    let bits = 8 * (link.number.end() - link.number.start());
    bits < 64 && link.value == Some((1 << bits) - 1)
}

const EXCEPTIONS: [Exception; 18] = [
    Exception {
        field: (None, ".compressed_size"),
        is_fit: |link| link.value == Some(0) || is_elsewhere(link),
        why: "a data descriptor or a ZIP64 extra field has the number",
    },
    Exception {
        field: (None, ".uncompressed_size"),
        is_fit: |link| link.value == Some(0) || is_elsewhere(link) || link.subject.is_none_or(|it| it.space == 0),
        why: "another field has the number, or the content is not in the map",
    },
    Exception { field: (None, "header_offset"), is_fit: is_elsewhere, why: "the ZIP64 extra field has the number" },
    Exception { field: (None, "end.disk_entries"), is_fit: is_elsewhere, why: "the ZIP64 end record has the number" },
    Exception { field: (None, "end.entries"), is_fit: is_elsewhere, why: "the ZIP64 end record has the number" },
    Exception { field: (None, "end.directory_size"), is_fit: is_elsewhere, why: "the ZIP64 end record has the number" },
    Exception {
        field: (None, "end.directory_offset"),
        is_fit: is_elsewhere,
        why: "the ZIP64 end record has the number",
    },
    Exception {
        field: (Some(Format::B2nd), "cbytes"),
        is_fit: |link| link.role.target() == Some(&Target::new("chunks")),
        why: "the bytes of all chunks, and the map has a field for each",
    },
    Exception {
        field: (Some(Format::B2nd), "nbytes"),
        is_fit: |link| link.role.target() == Some(&Target::new("chunks!")),
        why: "the bytes of all chunks after decoding, and the map has a space for each",
    },
    Exception {
        field: (Some(Format::B2nd), "index.header.nbytes"),
        is_fit: |link| link.subject.is_some_and(|subject| subject.node.name() == "index"),
        why: "an index whose entries are all the same has no content",
    },
    Exception {
        field: (Some(Format::B2nd), "streams.length"),
        is_fit: |link| link.value.is_some_and(|value| value < 0),
        why: "a negative length says that all bytes are the same",
    },
    Exception {
        field: (Some(Format::B2nd), "attributes.directory.length"),
        is_fit: |link| link.subject.is_some_and(|it| Some((it.end - it.start).into()) == link.value.map(|it| it + 1)),
        why: "C-Blosc2 counts from `head` on in a header, and from the length itself on in a trailer",
    },
    Exception {
        field: (Some(Format::B2nd), "metalayers.directory.length"),
        is_fit: |link| link.value.is_some(),
        why: "nobody reads it: a wrong one is a warning",
    },
    Exception {
        field: (Some(Format::Idv), "blocks.length"),
        is_fit: |link| link.subject.is_some_and(|subject| subject.node.opens().is_none()),
        why: "a block of unknown compression stays as it is",
    },
    Exception {
        field: (Some(Format::Idv), "lookup_offset"),
        is_fit: |link| link.subject.is_none(),
        why: "a column without blocks has a lookup table of no bytes",
    },
    Exception {
        field: (Some(Format::Idv), "columns_offset"),
        is_fit: |link| link.subject.is_none(),
        why: "a table without columns has no bytes",
    },
    Exception {
        field: (Some(Format::Idx), "trailer.inflated_length"),
        is_fit: |link| link.subject.is_some_and(|it| it.space == 1),
        why: "several members inflate into one space",
    },
    Exception {
        field: (Some(Format::RawArray), "size"),
        is_fit: |link| link.subject.is_some(),
        why: "of LEB128 numbers, the bytes before encoding",
    },
];

#[test]
fn numbers_of_valid_files_agree_with_what_they_are_about() {
    let mut wrong = Vec::new();
    let mut used = [false; EXCEPTIONS.len()];
    let mut agreed: BTreeMap<&str, u64> = BTreeMap::new();
    for sample in corpus::everything().into_iter().filter(|sample| sample.folder == "ok") {
        if sample.name == "offsets-from-later" {
            // Its offsets are not relative to its first byte, which is a finding.
            continue;
        }
        let input = Input::open(&sample.path, Limits::default()).unwrap();
        let (_, map) = Checker::new().explain(&input).unwrap();
        let paths = map.spans();
        for link in Links::new(&map.spaces).all() {
            match link.agrees() {
                Some(true) => *agreed.entry(link.role.name()).or_default() += 1,
                Some(false) => {
                    let is_it = |span: &&Span<'_>| span.space == link.space && span.node.id() == link.number.id();
                    let span = paths.iter().find(is_it).unwrap();
                    let field = without_indices(&span.path);
                    let exception = EXCEPTIONS.iter().position(|Exception { field: (format, end), is_fit, .. }| {
                        *format == sample.format && field.ends_with(end) && is_fit(&link)
                    });
                    match exception {
                        Some(exception) => used[exception] = true,
                        None => wrong.push(format!("{sample}: {} = {:?}: {}", span.path, link.value, link.role)),
                    }
                }
                None => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (Exception { field, why, .. }, used) in EXCEPTIONS.iter().zip(used) {
        assert!(used, "no file needs the exception for {field:?}: {why}");
    }
    for (role, least) in [("place", 1000), ("extent", 2000), ("counts", 1000)] {
        assert!(agreed.get(role).is_some_and(|count| *count > least), "{role}: {agreed:?}");
    }
}

#[test]
fn keys_say_what_identifies_an_element() {
    let keys = |path: &str| -> Vec<String> {
        let input = Input::open(ndbytes_testkit::corpus::root().join(path), Limits::default()).unwrap();
        let (_, map) = Checker::new().explain(&input).unwrap();
        map.keyed_spans().into_iter().filter_map(|span| span.key).collect()
    };
    let has = |keys: &[String], key: &str| assert!(keys.iter().any(|it| it == key), "{key} is not in {keys:#?}");
    let table = keys("idv/ok/annotations.idv");
    has(&table, r#"columns["a"].annotations.entries["Made"].offset"#);
    let array = keys("b2nd/ok/2d-padded-blocks.b2nd");
    has(&array, "chunks[1,0].header.cbytes");
    has(&array, r#"metalayers.contents["b2nd"].array.ndim"#);
    has(&array, "chunks[1,0]!block[0,1]");
    let hidden = keys("idv/ok/hidden-column.idv");
    has(&hidden, r#"columns["a"~1].codec.name"#);
}

/// A path without indices.
fn without_indices(path: &str) -> String {
    let mut field = String::new();
    let mut inside = false;
    for letter in path.chars() {
        inside = (inside || letter == '[') && letter != ']';
        if !inside && letter != ']' {
            field.push(letter);
        }
    }
    field
}
