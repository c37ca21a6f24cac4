//! IDV.

use crate::support::{assert_rules_are_broken, findings, for_each_valid};
use ndbytes::forge::{Content, Forge, Kind, Mutation, Repair};
use ndbytes::idv::{Column, ColumnType, ItemType, Options, Table, Value, Values};
use ndbytes::schemas::idv::Compression;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The features that valid files have: each in at least this many of 10,000.
const LEAST: usize = 20;

#[test]
fn idv_is_valid_and_holds_what_it_says_over_seeds() {
    let mut reached: BTreeMap<String, usize> = BTreeMap::new();
    for_each_valid(Kind::Idv, 10_000, |seed, made| {
        let Content::Table { rows, columns } = &made.content else { panic!("it is no table") };
        let table = Options::new().from_slice(&made.bytes).expect("a valid file");
        assert_eq!((table.rows(), table.columns().len()), (*rows, columns.len()));
        for (column, (name, values)) in table.columns().zip(columns) {
            assert_eq!(column.name(), *name);
            assert_same(&column.read().expect("a valid file"), values, seed);
        }
        for feature in features(&table, &made.bytes) {
            *reached.entry(feature).or_default() += 1;
        }
    });
    for feature in wanted() {
        let count = reached.remove(&feature).unwrap_or(0);
        assert!(count >= LEAST, "{feature}: {count}");
    }
    assert_eq!(reached, BTreeMap::new(), "features that nobody wants");
}

/// Values are the same to the bit.
fn assert_same(read: &Values, made: &Values, seed: u64) {
    assert_eq!(read.rows(), made.rows(), "seed {seed}");
    for (read, made) in read.iter().zip(made.iter()) {
        match (read, made) {
            (Value::Vector(read), Value::Vector(made)) => {
                assert_eq!((read.len(), read.indices()), (made.len(), made.indices()), "seed {seed}");
                assert!(read.stored().map(bits).eq(made.stored().map(bits)), "seed {seed}: {read:?}, but {made:?}");
            }
            (read, made) => assert_eq!(bits(read), bits(made), "seed {seed}"),
        }
    }
}

/// An item as text, NaNs by their bits.
fn bits(value: Value<'_>) -> String {
    match value {
        Value::F32(number) => format!("{:08x}", number.to_bits()),
        Value::F64(number) => format!("{:016x}", number.to_bits()),
        Value::Text(text) => format!("{:x?}", text.utf16().collect::<Vec<_>>()),
        other => format!("{other:?}"),
    }
}

/// The features that a table has.
fn features(table: &Table<'_>, file: &[u8]) -> BTreeSet<String> {
    let mut features = BTreeSet::from([format!("version {}", table.version())]);
    let mut add = |feature: &str| drop(features.insert(feature.to_owned()));
    match table.columns().len() {
        0 => add("no columns"),
        1 => add("one column"),
        _ => add("several columns"),
    }
    if table.rows() == 0 {
        add("no rows");
    }
    let number = |at: usize| u64::from_le_bytes(*file[at..].first_chunk().expect("a header"));
    if number(8) != number(16) {
        add("readable by older versions");
    }
    for column in table.columns() {
        let column_type = column.column_type().expect("a valid file");
        let key = if matches!(column_type.item, ItemType::Key(_)) { "a key" } else { "" };
        add(&if key.is_empty() { column_type.item.to_string() } else { key.to_owned() });
        add(&column.codec().split(['<', '(', ' ']).next().map(|name| format!("codec {name}")).unwrap_or_default());
        shapes(&column, column_type, &mut add);
        add(if column.compression() == Compression::DEFLATE { "deflated" } else { "not compressed" });
        if column.block_count() > 1 {
            add("several blocks");
        }
        let kinds = column.annotations().map(|annotation| annotation.kind());
        for kind in kinds {
            add(match &*kind {
                "SlotNames" => "slot names",
                "KeyValues" => "key values",
                _ => "another annotation",
            });
        }
    }
    features
}

fn shapes(column: &Column<'_>, column_type: &ColumnType, add: &mut impl FnMut(&str)) {
    let values = column.read().expect("a valid file");
    if !values.nulls().is_empty() {
        add("missing values");
    }
    match (&column_type.dims, column_type.vector_size()) {
        (None, _) => add("scalars"),
        (Some(dims), Some(_)) if dims.len() > 1 => add("matrices"),
        (Some(_), Some(_)) => add("vectors of a size"),
        (Some(_), None) => add("vectors of any size"),
    }
    for value in values.iter() {
        match value {
            Value::Vector(vector) if vector.indices().is_some() => add("sparse vectors"),
            Value::Vector(vector) if vector.is_empty() => add("empty vectors"),
            Value::Text(text) if text.to_str().is_none() => add("halves of characters"),
            _ => {}
        }
    }
}

/// The features that there have to be.
fn wanted() -> impl Iterator<Item = String> {
    let versions = (4..=6).map(|last| format!("version 1.1.1.{last}"));
    let items = [
        "SByte",
        "Int16",
        "Int32",
        "Int64",
        "Byte",
        "UInt16",
        "UInt32",
        "UInt64",
        "Single",
        "Double",
        "Boolean",
        "String",
        "TimeSpan",
        "DateTime",
        "DateTimeOffset",
        "DataViewRowId",
        "a key",
    ];
    let others = [
        "no columns",
        "one column",
        "several columns",
        "no rows",
        "readable by older versions",
        "deflated",
        "not compressed",
        "several blocks",
        "slot names",
        "key values",
        "another annotation",
        "missing values",
        "scalars",
        "matrices",
        "vectors of a size",
        "vectors of any size",
        "sparse vectors",
        "empty vectors",
        "halves of characters",
    ];
    versions.chain(items.into_iter().chain(others).map(str::to_owned))
}

#[test]
fn idv_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Idv);
}

/// The good files of the corpus and of the writers.
fn good_files() -> Vec<(PathBuf, Vec<u8>)> {
    fn gather(folder: &Path, files: &mut Vec<(PathBuf, Vec<u8>)>) {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                gather(&path, files);
            } else if path.extension().is_some_and(|end| end == "idv") {
                let bytes = fs::read(&path).expect("a file");
                files.push((path, bytes));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    gather(&root.join("tests/corpus/idv/ok"), &mut files);
    gather(&root.join("tests/frozen/idv"), &mut files);
    files.sort();
    files
}

#[test]
fn idv_mutants_are_accepted_with_other_structure_where_all_is_mended() {
    let (mut count, mut accepted, mut other) = (0, 0, 0);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    let mut tally: BTreeMap<(String, String), u32> = BTreeMap::new();
    for (number, (_, file)) in good_files().iter().enumerate().filter(|(_, (_, file))| file.len() < 4096) {
        let before = structure(file);
        for seed in 0..8 {
            let mutant = Forge::new(1000 * number as u64 + seed).mutate(file, &how);
            if mutant.bytes == *file {
                continue;
            }
            count += 1;
            let report = ndbytes::Checker::new().check_slice(&mutant.bytes).expect("bytes in memory can be read");
            let words: Vec<String> = mutant.recipe.to_string().lines().filter(|l| !l.starts_with('#') && !l.starts_with("repair")).map(|l| {
                let mut parts = l.split_whitespace();
                let first = parts.next().unwrap_or("").to_owned();
                let key: String = parts.next().unwrap_or("").chars().filter(|c| !c.is_ascii_digit()).collect();
                format!("{first} {key}")
            }).collect();
            let errors: BTreeSet<&str> = report.findings().iter().filter(|f| f.severity == ndbytes::Severity::Error).map(|f| f.rule.id).collect();
            *tally.entry((words.join("; "), format!("{errors:?}"))).or_default() += 1;
            if report.findings().iter().all(|finding| finding.severity != ndbytes::Severity::Error) {
                accepted += 1;
                other += usize::from(structure(&mutant.bytes) != before);
            }
        }
    }
    let mut tally: Vec<_> = tally.into_iter().collect(); tally.sort_by_key(|(_, c)| std::cmp::Reverse(*c)); for t in tally.iter().take(150) { println!("{t:?}"); }
    println!("{count} mutants, {accepted} accepted, {other} of them with another structure");
    assert!(2 * other >= count, "{other} of {count}");
}

/// The fields of the map but values, and the bytes that are reserved.
fn structure(file: &[u8]) -> Vec<String> {
    let map = ndbytes::Checker::new().byte_map(ndbytes::Input::from_slice(file, Default::default())).expect("a map");
    let spans = ndbytes::everybyte::map::spans(&map.spaces);
    let is_structure = |span: &&ndbytes::Span<'_>| {
        span.node.role != Some(ndbytes::everybyte::Role::Payload) && !span.path.ends_with("reserved")
    };
    spans.iter().filter(is_structure).map(|span| format!("{} {:?}", span.path, span.node.value)).collect()
}
