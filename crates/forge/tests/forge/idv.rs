//! IDV.

use crate::grid::{Feature, Grid};
use crate::support::{assert_rules_are_broken, for_each_valid};
use ndbytes::everybyte::map::spans;
use ndbytes::everybyte::role::Role;
use ndbytes::idv::{Column, ColumnType, ItemType, Options, Table, Value, Values};
use ndbytes::schemas::idv::Compression;
use ndbytes::{Checker, Input, Limits, Severity, Span};
use ndbytes_forge::{Content, Forge, Kind, Mutation, Recipe, Repair};
use ndbytes_testkit::corpus::test_file;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The minimum number of files in 10,000 that have each feature.
const LEAST: usize = 20;

#[test]
fn idv_is_valid_and_holds_what_it_says_over_seeds() {
    let mut reached: BTreeMap<String, usize> = BTreeMap::new();
    let mut grid = Grid::default();
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
        table.columns().for_each(|column| grid.add(&cell(&table, &column)));
    });
    // Row ids were introduced in version 1.1.1.6.
    let none = ["1.1.1.4", "1.1.1.5"].map(|version| [("item", "DataViewRowId"), ("version", version)]);
    let axes = [("blocks", 2), ("compression", 2), ("item", 20), ("shape", 4), ("version", 3)];
    grid.assert_cells_are_reached_but(&none, &axes);
    for feature in wanted() {
        let count = reached.remove(&feature).unwrap_or(0);
        assert!(count >= LEAST, "{feature}: {count}");
    }
    assert_eq!(reached, BTreeMap::new(), "features that nobody wants");
}

/// Asserts that values are the same, bit for bit.
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

/// An item as text, with the bits of NaNs.
fn bits(value: Value<'_>) -> String {
    match value {
        Value::F32(number) => format!("{:08x}", number.to_bits()),
        Value::F64(number) => format!("{:016x}", number.to_bits()),
        Value::Text(text) => format!("{:x?}", text.utf16().collect::<Vec<_>>()),
        other => format!("{other:?}"),
    }
}

/// The features of a table.
fn features(table: &Table<'_>, file: &[u8]) -> BTreeSet<String> {
    let mut features = BTreeSet::from([format!("version {}", table.version())]);
    let mut add = |feature: &str| {
        features.insert(feature.to_owned());
    };
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
        let codec = column.codec();
        add(&format!("codec {}", codec.split(['<', '(', ' ']).next().unwrap_or_default()));
        add(&item(column_type));
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

/// The cell of a column in the grid of valid tables.
fn cell(table: &Table<'_>, column: &Column<'_>) -> [Feature; 5] {
    let column_type = column.column_type().expect("a valid file");
    [
        ("item", item(column_type)),
        ("shape", shape(column_type).to_owned()),
        ("compression", format!("{:?}", column.compression())),
        ("blocks", if column.block_count() > 1 { "several" } else { "at most one" }.to_owned()),
        ("version", table.version().to_string()),
    ]
}

fn item(column_type: &ColumnType) -> String {
    match column_type.item {
        ItemType::Key(key) => format!("a key of {} bytes", key.width),
        item => item.to_string(),
    }
}

fn shape(column_type: &ColumnType) -> &'static str {
    match (&column_type.dims, column_type.vector_size()) {
        (None, _) => "scalars",
        (Some(dims), Some(_)) if dims.len() > 1 => "matrices",
        (Some(_), Some(_)) => "vectors of a size",
        (Some(_), None) => "vectors of any size",
    }
}

fn shapes(column: &Column<'_>, column_type: &ColumnType, add: &mut impl FnMut(&str)) {
    let values = column.read().expect("a valid file");
    if !values.nulls().is_empty() {
        add("missing values");
    }
    add(shape(column_type));
    for value in values.iter() {
        match value {
            Value::Vector(vector) if vector.indices().is_some() => add("sparse vectors"),
            Value::Vector(vector) if vector.is_empty() => add("empty vectors"),
            Value::Text(text) if text.to_str().is_none() => add("halves of characters"),
            _ => {}
        }
    }
}

/// The required features.
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
    let codecs = [
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
        "TextSpan",
        "TimeSpan",
        "Boolean",
        "DateTime",
        "DateTimeOffset",
        "DataViewRowId",
        "DvBool",
        "DvTimeSpan",
        "DvDateTime",
        "DvDateTimeZone",
        "Key",
        "Key2",
        "VBuffer",
    ];
    let keys = [1, 2, 4, 8].map(|width| format!("a key of {width} bytes"));
    let codecs = codecs.map(|codec| format!("codec {codec}"));
    versions.chain(items.into_iter().chain(others).map(str::to_owned)).chain(keys).chain(codecs)
}

#[test]
fn idv_rules_are_broken_over_seeds() {
    assert_rules_are_broken(Kind::Idv);
}

/// The files of some directories.
fn files(folders: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
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
    let mut files = Vec::new();
    folders.iter().for_each(|folder| gather(&test_file(folder), &mut files));
    files.sort();
    files
}

/// The valid files of the corpus and of the writers.
fn good_files() -> Vec<(PathBuf, Vec<u8>)> {
    files(&["corpus/idv/ok", "frozen/idv"])
}

/// Applies the steps of a recipe to a file; `None` if they do not apply.
fn replay(file: &[u8], steps: &str) -> Option<Vec<u8>> {
    let recipe: Recipe = format!("forge 1 idv\nfrom file good\n{steps}\n").parse().expect("a recipe");
    recipe.replay(Some(file)).ok().map(|made| made.bytes)
}

/// The same, but with steps that must apply.
fn replayed(file: &[u8], steps: &str) -> Vec<u8> {
    replay(file, steps).unwrap_or_else(|| panic!("{steps}: they do not suit"))
}

/// The rules of severity error that a file breaks.
fn errors(file: &[u8]) -> Vec<&'static str> {
    let report = Checker::new().check_slice(file).expect("bytes in memory can be read");
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.rule.id).collect()
}

#[test]
fn idv_values_are_kept_where_parts_get_another_order() {
    let mut reordered = 0;
    for (_, file) in good_files() {
        let made = (1..9).filter_map(|seed| replay(&file, &format!("do order seed={seed}"))).find(|made| *made != file);
        // A file with few parts has only one order.
        let Some(made) = made else { continue };
        reordered += 1;
        let (before, after) = (Options::new().from_slice(&file), Options::new().from_slice(&made));
        let (before, after) = (before.expect("a good file"), after.expect("a file of the same parts"));
        assert_eq!((before.rows(), before.columns().len()), (after.rows(), after.columns().len()));
        for (before, after) in before.columns().zip(after.columns()).filter(|(before, _)| before.is_readable()) {
            assert_eq!((before.name(), before.column_type()), (after.name(), after.column_type()));
            assert_same(&after.read().expect("a good file"), &before.read().expect("a good file"), 0);
            for (before, after) in before.annotations().zip(after.annotations()) {
                let (Ok(before), Ok(after)) = (before.read(), after.read()) else { continue };
                assert_same(&after, &before, 0);
            }
        }
    }
    assert!(reordered > 100, "{reordered}");
}

#[test]
fn idv_operations_leave_valid_files_without_an_error() {
    for operation in OPERATIONS {
        let mut count = 0;
        for seed in 0..60 {
            let file = Forge::new(seed).valid(Kind::Idv).bytes;
            let Some(made) = replay(&file, &format!("do {operation} seed={seed}")) else { continue };
            count += usize::from(made != file);
            assert_eq!(errors(&made), Vec::<&str>::new(), "{operation} of seed {seed}");
        }
        assert!(count >= 3, "{operation} changed {count} files");
    }
}

#[test]
fn idv_slots_are_named_as_version_3_did() {
    let file = fs::read(test_file("corpus/idv/ok/version-3-no-slot-names.idv"));
    let file = file.expect("a file of the corpus");
    let slots = |file: &[u8]| {
        let table = Options::new().from_slice(file).expect("a table");
        let names = table.columns().filter_map(|column| column.slot_names().expect("names"));
        names.map(|names| names.items().len()).sum::<usize>()
    };
    let added = (0..20).filter_map(|seed| replay(&file, &format!("do slot-names seed={seed}")));
    let added: Vec<Vec<u8>> = added.filter(|made| slots(made) > slots(&file)).collect();
    assert!(!added.is_empty());
    added.iter().for_each(|made| assert_eq!(errors(made), Vec::<&str>::new()));
}

#[test]
fn idv_operations_end_on_broken_files() {
    let mut performed = 0;
    for (number, (_, file)) in files(&["corpus/idv/bad"]).iter().enumerate() {
        for operation in OPERATIONS {
            performed += usize::from(replay(file, &format!("do {operation} seed={number}")).is_some());
        }
    }
    assert!(performed > 1000, "{performed}");
    for seed in 0..300 {
        let mut forge = Forge::new(seed);
        let mut file = forge.valid(Kind::Idv).bytes;
        let at = (seed as usize * 7919) % file.len();
        file[at] ^= 1 << (seed % 8);
        for operation in OPERATIONS {
            replay(&file, &format!("do {operation} seed={seed}"));
        }
        let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
        assert!(forge.mutate(&file, &how).bytes.len() <= how.max_len);
    }
}

/// The operations on tables of the newer versions.
const OPERATIONS: [&str; 18] = [
    "version",
    "rows-add",
    "rows-drop",
    "rows-swap",
    "values",
    "column-add",
    "column-copy",
    "column-drop",
    "columns-swap",
    "column-name",
    "column-codec",
    "column-compression",
    "blocks-resize",
    "blocks-repack",
    "annotation-add",
    "annotation-drop",
    "annotation-copy",
    "order",
];

#[test]
fn idv_blocks_follow_facts_that_are_changed() {
    let mut followed = 0;
    for seed in 0..200 {
        let file = Forge::new(seed).valid(Kind::Idv).bytes;
        let table = Options::new().from_slice(&file).expect("a valid file");
        let Some(column) = table.columns().next() else { continue };
        let rows = if table.rows() == 7 { 8 } else { 7 };
        let made = replayed(&file, &format!("set header.row_count = {rows}"));
        let per_block = column.rows_of_block(0).end;
        if table.rows() > 0 && per_block <= rows {
            assert_eq!(errors(&made), Vec::<&str>::new(), "seed {seed}");
            assert_eq!(Options::new().from_slice(&made).expect("a table").rows(), rows);
            followed += 1;
        }
        if column.column_type().and_then(ColumnType::vector_size).is_some() && column.codec().starts_with("VBuffer") {
            let made = replayed(&file, "set columns[0].codec.parameters.vector.dims[0] = 5");
            assert_eq!(errors(&made), Vec::<&str>::new(), "seed {seed}");
        }
    }
    assert!(followed > 50, "{followed}");
}

#[test]
fn idv_content_of_compressed_blocks_is_changed_inside() {
    let mut changed = 0;
    for seed in 0..200 {
        let file = Forge::new(seed).valid(Kind::Idv).bytes;
        let Some((opener, before)) = first_value(&file) else { continue };
        let made = replayed(&file, &format!("set {opener}!scalars.values[0] = 1"));
        assert_eq!(errors(&made), Vec::<&str>::new(), "seed {seed}");
        let (_, after) = first_value(&made).expect("the same blocks");
        assert!(after == "1" || after == "1.0", "seed {seed}: {after}");
        changed += usize::from(after != before);
    }
    assert!(changed > 20, "{changed}");
}

/// The path of a compressed block, and its first number.
fn first_value(file: &[u8]) -> Option<(String, String)> {
    let map = Checker::new().byte_map(Input::from_slice(file, Limits::default())).expect("a map");
    let spans = spans(&map.spaces);
    let number = spans.iter().find(|span| span.space > 0 && span.path == "scalars.values[0]")?;
    let opener = spans.iter().find(|span| span.node.opens() == Some(number.space))?;
    Some((opener.path.clone(), number.node.value().to_string()))
}

#[test]
fn idv_mutants_are_accepted_with_other_structure_where_all_is_mended() {
    let (mut count, mut accepted, mut other) = (0, 0, 0);
    let how = Mutation { repair: Repair::Everything, ..Mutation::default() };
    for (number, (_, file)) in good_files().iter().enumerate().filter(|(_, (_, file))| file.len() < 4096) {
        let before = structure(file);
        for seed in 0..8 {
            let mutant = Forge::new(1000 * number as u64 + seed).mutate(file, &how);
            if mutant.bytes == *file {
                continue;
            }
            count += 1;
            if errors(&mutant.bytes).is_empty() {
                accepted += 1;
                other += usize::from(structure(&mutant.bytes) != before);
            }
        }
    }
    println!("{count} mutants, {accepted} accepted, {other} of them with another structure");
    assert!(2 * other >= count, "{other} of {count}");
}

/// The fields of the map without values and reserved bytes.
fn structure(file: &[u8]) -> Vec<String> {
    let map = Checker::new().byte_map(Input::from_slice(file, Limits::default())).expect("a map");
    let is_structure = |span: &&Span<'_>| span.node.role() != Some(&Role::Payload) && !span.path.ends_with("reserved");
    let spans = spans(&map.spaces);
    spans.iter().filter(is_structure).map(|span| format!("{} {:?}", span.path, span.node.value())).collect()
}
