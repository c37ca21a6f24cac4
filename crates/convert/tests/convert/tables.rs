//! Tables: lossless round trips from IDV, joined tables, selected columns and rows, refusals, and hostile files.

use crate::support::{run_in, samples, trees};
use ndbytes::idv::{self, ColumnType, ItemType, KeyType, NewColumn, Value, Values};
use ndbytes::{Input, Limits, Verdict};
use ndbytes_convert::{
    Error, FileKind, Loss, Options, Result, Source, TableOptions, TableSource, Target, Times, convert,
};
use ndbytes_forge::{Forge, Kind as Made};
use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

/// The kinds that a table is converted to and from.
const OTHERS: [FileKind; 3] = [FileKind::Parquet, FileKind::Arrow, FileKind::Arrows];

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(self::files(&path));
        } else if path.extension().is_some_and(|extension| extension == "idv") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn idv_table(bytes: &[u8]) -> TableSource {
    TableSource::idv("it", idv::from_reader(bytes).expect("a valid file"), bytes.len() as u64)
}

fn other_table(bytes: &[u8]) -> TableSource {
    let input = Input::from_reader(bytes, Limits::default()).expect("bytes are read");
    let kind = TableSource::kind_of(&input).expect("it begins as one of the kinds");
    TableSource::read("it", kind, input, Limits::default())
}

fn written(table: TableSource, kind: FileKind, options: &Options<'_>) -> Result<(Vec<u8>, Vec<Loss>)> {
    let mut bytes = Vec::new();
    let losses = convert(&[Source::Table(table)], kind, Target::Stream(&mut bytes), options)?;
    Ok((bytes, losses))
}

/// Options for a lossless conversion, with ticks.
fn exact() -> Options<'static> {
    Options::new().strict(true).tables(TableOptions::new().times(Some(Times::Ticks)))
}

/// All convertible content of a table, as text.
fn content(bytes: &[u8]) -> Vec<String> {
    let table = idv::from_reader(bytes).expect("a valid file");
    let mut content = vec![format!("{} rows", table.rows())];
    for column in table.columns().filter(|column| column.is_readable() && !column.is_hidden()) {
        content.push(format!("{}: {:?}", column.name(), column.column_type()));
        content.extend(column.read().expect("it is valid").iter().map(shown));
        let mut notes: Vec<String> = Vec::new();
        // In version 1.1.1.3, slot names are not an annotation.
        let names = column.slot_names().expect("they are valid");
        notes.extend(names.into_iter().flat_map(|names| names.iter().map(shown).collect::<Vec<_>>()));
        for note in column.annotations().filter(|note| note.kind() != "SlotNames") {
            let Ok(values) = note.read() else { continue };
            let values: Vec<String> = values.iter().map(shown).collect();
            notes.push(format!("{} {:?} {values:?}", note.kind(), note.value_type()));
        }
        notes.sort();
        content.extend(notes);
    }
    content
}

/// Converts a table to every kind and back. The result must be the same, or refused with a sentence. Returns the number
/// of round trips.
fn round(bytes: &[u8], what: &str) -> usize {
    let mut ways = 0;
    // The table as written by the current IDV writer.
    let plain = match written(idv_table(bytes), FileKind::Idv, &Options::new().strict(true)) {
        Ok((plain, losses)) => {
            assert_eq!(losses, [], "{what}");
            assert_eq!(content(bytes), content(&plain), "{what}");
            plain
        }
        Err(error) => {
            assert!(is_told(&error), "{what}: {error}");
            return 0;
        }
    };
    assert!(ndbytes::Checker::new().check_slice(&plain).unwrap().verdict() != Verdict::Error, "{what}");
    for kind in OTHERS {
        let there = match written(idv_table(&plain), kind, &exact()) {
            Ok((there, _)) => there,
            Err(error) => {
                assert!(is_told(&error), "{what} as {kind}: {error}");
                continue;
            }
        };
        let (again, losses) = written(other_table(&there), FileKind::Idv, &Options::new())
            .unwrap_or_else(|error| panic!("{what} from {kind}: {error}"));
        assert_eq!(losses, [], "{what} from {kind}");
        assert_eq!(content(&plain), content(&again), "{what} through {kind}");
        ways += 1;
    }
    ways
}

#[test]
fn number_of_the_first_category_of_an_old_key_is_named_if_it_is_left_out() {
    let bytes = fs::read(ndbytes_testkit::corpus::root().join("idv/ok/old-key-min.idv")).unwrap();
    for kind in OTHERS {
        let (_, losses) = written(idv_table(&bytes), kind, &Options::new()).unwrap();
        let words = format!(
            "{} cannot hold the number 5 of the first category of the column \"a\" of it, which is dropped",
            kind.title()
        );
        assert_eq!(losses.iter().map(ToString::to_string).collect::<Vec<_>>(), [words]);
        assert!(matches!(written(idv_table(&bytes), kind, &Options::new().strict(true)), Err(Error::Lossy(_))));
    }
}

/// A table with this many columns of repetitive numbers.
fn wide(columns: usize) -> Vec<u8> {
    let new = |number: usize| NewColumn::new(format!("column {number}"), ColumnType::scalar(ItemType::I32));
    let mut table = idv::Writer::new((0..columns).map(new)).begin(Cursor::new(Vec::new())).unwrap();
    let values: Vec<Values> = (0..columns).map(|number| Values::scalars(vec![number as i32 % 7; 40])).collect();
    table.write(&values).unwrap();
    table.finish_sink().unwrap().into_inner()
}

#[test]
fn tables_of_many_columns_come_back_from_every_kind() {
    assert_eq!(round(&wide(2500), "2,500 columns"), OTHERS.len());
}

#[test]
fn dictionaries_of_parquet_are_left_out_where_they_would_take_more_than_a_row_group() {
    let length = |columns: usize| written(idv_table(&wide(columns)), FileKind::Parquet, &exact()).unwrap().0.len();
    // Without a dictionary, a column has one page instead of two, and no offset for the other.
    let (few, many) = (length(2000) / 2000, length(2200) / 2200);
    assert!(many + 20 < few, "{few} and {many} bytes a column");
}

#[test]
fn chosen_columns_of_many_come_in_the_order_that_is_asked_for() {
    let names: Vec<String> = (0..2500).rev().map(|number| format!("column {number}")).collect();
    let (there, _) = written(idv_table(&wide(2500)), FileKind::Parquet, &exact()).unwrap();
    for table in [idv_table(&wide(2500)), other_table(&there)] {
        let (chosen, losses) = written(table.columns(names.clone()), FileKind::Idv, &Options::new()).unwrap();
        assert_eq!(losses, []);
        let chosen = idv::from_reader(&chosen[..]).unwrap();
        assert!(chosen.columns().map(|column| column.name()).eq(names.iter().cloned()));
    }
}

/// A value with all of its bits, including the items that sparse vectors do not store.
fn shown(value: Value<'_>) -> String {
    match value {
        Value::Vector(vector) if vector.len() > 1 << 16 => {
            format!("{} {:?} {:?}", vector.len(), vector.indices(), vector.stored().map(shown).collect::<Vec<_>>())
        }
        Value::Vector(vector) => {
            let items: Vec<String> = (0..vector.len()).map(|place| shown(vector.get(place).unwrap())).collect();
            items.join(" ")
        }
        Value::F32(number) => format!("{:08x}", number.to_bits()),
        Value::F64(number) => format!("{:016x}", number.to_bits()),
        other => format!("{other:?}"),
    }
}

/// Returns whether a valid file may cause this error.
fn is_told(error: &Error) -> bool {
    let words = error.to_string();
    let known = ["cannot hold", "half a character", "is null", "null", "too ", "limit", "choose", "without columns"];
    known.iter().any(|known| words.contains(known))
}

#[test]
fn valid_tables_come_back_from_every_kind() {
    let mut all = files(&ndbytes_testkit::corpus::root().join("idv/ok"));
    all.extend(files(&ndbytes_testkit::frozen("idv")));
    let ways: usize = all.iter().map(|path| round(&fs::read(path).unwrap(), &path.display().to_string())).sum();
    println!("{} files, {ways} ways", all.len());
    assert!(ways > 2 * all.len(), "{ways} ways of {} files", all.len());
}

#[test]
fn forged_tables_come_back_from_every_kind() {
    let ways: usize =
        (0..300).map(|seed| round(&Forge::new(seed).valid(Made::Idv).bytes, &format!("seed {seed}"))).sum();
    println!("{ways} ways");
    assert!(ways > 500, "{ways} ways");
}

/// A table with a column of times and a column of keys with named categories.
fn times(ticks: Vec<i64>, labels: [&str; 2]) -> Vec<u8> {
    let rows = ticks.len();
    let key = ColumnType::scalar(ItemType::Key(KeyType::new(2)));
    let columns = [
        NewColumn::new("When", ColumnType::scalar(ItemType::DateTime)),
        NewColumn::new("Label", key).key_values(labels),
    ];
    let mut writer = idv::Writer::new(columns).begin(std::io::Cursor::new(Vec::new())).unwrap();
    writer.write(&[Values::scalars(ticks), Values::scalars(vec![1_u32; rows])]).unwrap();
    writer.finish_sink().unwrap().into_inner()
}

/// The beginning of the year 2020.
const YEAR_2020: i64 = 637_134_336_000_000_000;

#[test]
fn the_unit_of_times_is_chosen_by_the_times() {
    let unit = |ticks: Vec<i64>| {
        let (bytes, _) = written(idv_table(&times(ticks, ["a", "b"])), FileKind::Parquet, &Options::new())?;
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), bytes).unwrap();
        let mut batches = ndbytes_arrow::parquet::read(file.path()).unwrap();
        let batch = batches.next().unwrap().unwrap();
        Ok::<_, Error>(batch.column(0).data_type().to_string())
    };
    assert_eq!(unit(vec![YEAR_2020, 0]).unwrap(), "Timestamp(µs)");
    assert_eq!(unit(vec![YEAR_2020, YEAR_2020 + 1]).unwrap(), "Timestamp(ns)");
    assert_eq!(unit(vec![YEAR_2020 + 1, 0]).unwrap(), "Int64");
}

#[test]
fn different_categories_are_named_and_gathered_if_that_is_allowed() {
    let tables = || {
        let one = idv_table(&times(vec![YEAR_2020], ["a", "b"]));
        let input = times(vec![YEAR_2020], ["c", "d"]);
        [Source::Table(one), Source::Table(TableSource::idv("that", idv::from_reader(&input[..]).unwrap(), 1))]
    };
    let mut bytes = Vec::new();
    let strict = Options::new().strict(true);
    let error = convert(&tables(), FileKind::Idv, Target::Stream(&mut bytes), &strict).unwrap_err();
    let words = "IDV cannot hold the different annotations \"KeyValues\" of the column \"Label\" of it and that";
    assert_eq!(error.to_string(), words);
    assert!(bytes.is_empty());
    let losses = convert(&tables(), FileKind::Idv, Target::Stream(&mut bytes), &Options::new()).unwrap();
    assert_eq!(losses.len(), 1);
    let table = idv::from_reader(&bytes[..]).unwrap();
    let values = table.column("Label").unwrap().annotation("KeyValues").unwrap().read().unwrap();
    let texts: Vec<_> = values.items().texts().unwrap().iter().map(|text| text.to_str().unwrap().to_owned()).collect();
    assert_eq!(texts, ["a", "b", "c", "d"]);
    let error = convert(&tables(), FileKind::Arrow, Target::Stream(&mut bytes), &Options::new()).unwrap_err();
    assert!(error.to_string().ends_with("as one dictionary: choose the keys text"), "{error}");
}

/// Runs the tool in a directory and returns status and messages.
fn tool(folder: &Path, arguments: &[&str]) -> (i32, String) {
    let ended = run_in(folder, &[&["convert"], arguments].concat());
    (ended.status, ended.stderr)
}

#[test]
fn the_tool_converts_columns_and_rows_of_several_tables() {
    let folder = trees();
    let at = |name: &str| folder.path().join(name);
    for kind in OTHERS {
        let there = format!("trees.{kind}");
        assert_eq!(tool(folder.path(), &["trees.idv", &there]), (0, String::new()));
        assert_eq!(tool(folder.path(), &[&there, &format!("{kind}.idv")]), (0, String::new()));
        assert_eq!(fs::read(at(&format!("{kind}.idv"))).unwrap(), fs::read(at("trees.idv")).unwrap(), "{kind}");
        let both =
            ["--columns", "Evergreen,Name", &format!("{there}[1:]"), "trees.idv[-1]", &format!("both-{kind}.idv")];
        assert_eq!(tool(folder.path(), &both), (0, String::new()));
        let table = idv::open(at(&format!("both-{kind}.idv"))).unwrap();
        let names: Vec<String> = table.columns().map(|column| column.name()).collect();
        assert_eq!((table.rows(), names), (4, vec!["Evergreen".to_owned(), "Name".to_owned()]), "{kind}");
        let trees = idv::open(at("trees.idv")).unwrap().column("Name").unwrap().read().unwrap();
        let name = |values: &Values, row| format!("{:?}", values.get(row));
        let read = table.column("Name").unwrap().read().unwrap();
        let rows: Vec<String> = [1, 2, 3, 3].map(|row| name(&trees, row)).to_vec();
        assert_eq!((0..4).map(|row| name(&read, row)).collect::<Vec<_>>(), rows, "{kind}");
    }
    // An Arrow file cannot be read from a pipe, so standard output gets the stream format.
    for kind in ["arrow", "arrows"] {
        let stream = run_in(folder.path(), &["convert", "trees.idv", "-", "--to", kind]);
        assert_eq!((stream.status, &stream.stdout), (0, &fs::read(at("trees.arrows")).unwrap()), "{kind}");
    }
    let held = run_in(folder.path(), &["convert", "trees.parquet", "-", "--to", "idv"]);
    assert_eq!((held.status, &held.stdout), (0, &fs::read(at("trees.idv")).unwrap()));
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let folder = trees();
    assert_eq!(tool(folder.path(), &["trees.idv", "trees.parquet"]).0, 0);
    for (arguments, words) in [
        (&["trees.parquet", "x.npy"][..], ".npy cannot hold tables: use idv, parquet, arrow, arrows, csv or jsonl"),
        (
            &["trees.idv", "surface.ra", "x.idv"],
            "IDV cannot hold the array surface.ra together with a table: convert them separately",
        ),
        (
            &["--columns", "Nam", "trees.idv", "x.arrow"],
            "trees.idv has no column \"Nam\"; the first columns are Name, Label, ",
        ),
        (
            &["--columns", "Nam", "trees.parquet", "x.arrow"],
            "trees.parquet has no column \"Nam\"; the first columns are Name, Label, ",
        ),
        (&["--columns", "Nam", "surface.ra", "x.npy"], "`--columns` works only with tables, but this is an array"),
        (
            &["trees.parquet[::-1]", "x.idv"],
            "the slice has the step -1, but rows of a table can only be selected in order",
        ),
        (&["trees.parquet[9]", "x.idv"], "axis 0 has 4 items, so item 9 does not exist"),
        (&["--times", "s", "trees.idv", "x.arrow"], "is not one of the units of times: us, us-floor, ns, ticks, auto"),
        (&["--force", "trees.idv", "trees.idv"], "is the input file, which is never replaced"),
        (&["trees.parquet", "trees.parquet"], "is the input file, which is never replaced"),
        (&["trees.idv", "no/such/folder/x.parquet"], "No such file or directory"),
    ] {
        let (status, stderr) = tool(folder.path(), arguments);
        assert_eq!(status, 2, "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    let (status, stderr) = tool(folder.path(), &["trees.idv", "x.parquet", "--max-output", "100"]);
    assert!(status == 1 && stderr.contains("limit-exceeded"), "{status} {stderr}");
    assert!(!folder.path().join("x.parquet").exists());
}

#[test]
fn tables_of_other_columns_are_refused_with_the_column_named() {
    let make = |name: &str, column_type| {
        let writer =
            idv::Writer::new([NewColumn::new(name, column_type)]).begin(std::io::Cursor::new(Vec::new())).unwrap();
        writer.finish_sink().unwrap().into_inner()
    };
    let error = |one: &[u8], other: &[u8]| {
        let that = TableSource::idv("that", idv::from_reader(other).unwrap(), 1);
        let sources = [Source::Table(idv_table(one)), Source::Table(that)];
        convert(&sources, FileKind::Arrows, Target::Stream(&mut Vec::new()), &Options::new()).unwrap_err().to_string()
    };
    let single = make("a", ColumnType::scalar(ItemType::F32));
    let double = make("a", ColumnType::scalar(ItemType::F64));
    let other = make("b", ColumnType::scalar(ItemType::F32));
    assert_eq!(
        error(&single, &double),
        "that cannot follow it: it has the column \"a\" of the type Float64, not Float32"
    );
    assert_eq!(error(&single, &other), "that cannot follow it: it has the column \"b\" as number 1, not \"a\"");
    assert_eq!(
        error(&single, &times(vec![], ["a", "b"])),
        "that cannot follow it: it has the column \"When\" as number 1, not \"a\""
    );
}

#[test]
fn hostile_files_end_in_an_error_or_a_valid_table() {
    let (mut failed, mut whole) = (0, 0);
    let options = Options::new().limits(Limits::default().memory(64 << 20).output(64 << 20)).lossy(true);
    let trees = fs::read(samples().join("trees.idv")).unwrap();
    for kind in OTHERS {
        let (bytes, _) = written(idv_table(&trees), kind, &Options::new()).unwrap();
        let mut all: Vec<Vec<u8>> = (8..bytes.len()).step_by(41).map(|end| bytes[..end].to_vec()).collect();
        for place in (8..bytes.len()).step_by(5) {
            for value in [0x7f, 0xff, bytes[place] ^ 1] {
                let mut mutant = bytes.clone();
                mutant[place] = value;
                all.push(mutant);
            }
        }
        for mutant in all {
            match written(other_table(&mutant), FileKind::Idv, &options) {
                Ok((table, _)) => {
                    assert!(ndbytes::Checker::new().check_slice(&table).unwrap().verdict() != Verdict::Error, "{kind}");
                    whole += 1;
                }
                Err(error) => {
                    assert!(!error.to_string().is_empty());
                    failed += 1;
                }
            }
        }
    }
    println!("{failed} failed, {whole} whole");
    assert!(failed > 500 && whole > 100, "{failed} failed, {whole} whole");
}

#[test]
fn empty_and_short_files_are_no_tables() {
    let folder = trees();
    for bytes in [&b""[..], b"PAR1", b"ARROW1", b"PAR1PAR1", b"ARROW1\0\0ARROW1", &[0xff; 4], &[0xff; 8], &[0xff; 64]] {
        fs::write(folder.path().join("in.parquet"), bytes).unwrap();
        let (status, stderr) = tool(folder.path(), &["in.parquet", "x.idv"]);
        assert!(status != 0 && stderr.contains("in.parquet"), "{bytes:?}: {stderr}");
        assert!(!folder.path().join("x.idv").exists());
    }
}

#[test]
fn rows_without_columns_cost_nothing_however_many() {
    const ROWS: u64 = 1_000_000_000_000;
    let mut bytes = fs::read(ndbytes_testkit::corpus::root().join("idv/ok/zero-columns-many-rows.idv")).unwrap();
    // The number of rows in the header.
    bytes[40..48].copy_from_slice(&ROWS.to_le_bytes());
    let mut limits = Limits::default();
    limits.output = 1 << 20;
    let options = Options::new().limits(limits);
    for kind in [FileKind::Arrow, FileKind::Arrows] {
        let (there, _) = written(idv_table(&bytes), kind, &options).unwrap();
        let (back, _) = written(other_table(&there), FileKind::Idv, &options).unwrap();
        assert_eq!(idv::from_reader(&back[..]).unwrap().rows(), ROWS, "{kind:?}");
    }
    for kind in [FileKind::Csv, FileKind::Parquet] {
        let error = written(idv_table(&bytes), kind, &options).unwrap_err();
        assert_eq!(error.to_string(), format!("{} cannot hold a table without columns", kind.title()));
    }
    let error = written(idv_table(&bytes), FileKind::Jsonl, &options).unwrap_err();
    assert!(error.to_string().contains("limit-exceeded"), "{error}");
}

/// A column of times that neither microseconds nor nanoseconds can hold: an odd number of ticks in the year 3000.
fn far_times() -> Vec<u8> {
    let ticks = 946_080_000_000_000_007_i64;
    let columns = vec![
        NewColumn::new("when", ColumnType::scalar(ItemType::DateTime)),
        NewColumn::new("span", ColumnType::scalar(ItemType::TimeSpan)),
    ];
    let mut table = idv::Writer::new(columns).begin(Cursor::new(Vec::new())).unwrap();
    let values = [vec![ticks, ticks - 7], vec![i64::MAX, 7]];
    table.write(&values.map(Values::scalars)).unwrap();
    table.finish_sink().unwrap().into_inner()
}

#[test]
fn times_beyond_all_units_become_ticks_by_name_and_text_with_all_digits() {
    let (bytes, losses) = written(idv_table(&far_times()), FileKind::Parquet, &Options::new()).unwrap();
    let words: Vec<String> = losses.iter().map(ToString::to_string).collect();
    assert_eq!(words.len(), 1, "{words:?}");
    assert!(words[0].contains("ticks of 100 ns; `--times` chooses another unit"), "{words:?}");
    let (back, losses) = written(other_table(&bytes), FileKind::Idv, &Options::new()).unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    assert_eq!(content(&back), content(&far_times()));
    assert!(written(idv_table(&far_times()), FileKind::Parquet, &Options::new().strict(true)).is_err());
    let (text, losses) = written(idv_table(&far_times()), FileKind::Csv, &Options::new()).unwrap();
    assert!(losses.is_empty(), "{losses:?}");
    let text = String::from_utf8(text).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "when,span");
    assert!(lines[1].contains(".0000007,10675199.02:48:05.4775807"), "{text}");
    assert!(lines[2].ends_with(",00:00:00.0000007"), "{text}");
    let numbers = Options::new().tables(TableOptions::new().times(Some(Times::Ticks)));
    let (text, _) = written(idv_table(&far_times()), FileKind::Csv, &numbers).unwrap();
    assert!(text.starts_with(b"when,span\n946080000000000007,9223372036854775807\n"), "numbers were requested");
}

#[test]
fn keys_with_sparse_values_of_categories_come_back() {
    let item = ItemType::Key(KeyType { width: 4, min: 0, count: 3 });
    let mut names = Values::vectors(ItemType::I32);
    names.push_sparse_vector(3, &[0, 2], vec![5_i32, 7]).unwrap();
    let column = NewColumn::new("key", ColumnType::scalar(item));
    let column = column.annotation("KeyValues", ColumnType::vector(ItemType::I32, [3]), names);
    let mut table = idv::Writer::new(vec![column]).begin(Cursor::new(Vec::new())).unwrap();
    table.write(&[Values::scalars(vec![1_u32, 2, 3, 0])]).unwrap();
    let bytes = table.finish_sink().unwrap().into_inner();
    for kind in OTHERS {
        let (other, losses) = written(idv_table(&bytes), kind, &Options::new()).unwrap();
        assert!(losses.is_empty(), "{losses:?}");
        let (back, _) = written(other_table(&other), FileKind::Idv, &Options::new()).unwrap();
        assert_eq!(content(&back), content(&bytes), "{kind:?}");
    }
}

#[test]
fn missing_value_in_a_table_of_one_column_is_refused_as_csv() {
    let item = ItemType::Key(KeyType { width: 1, min: 0, count: 2 });
    let mut names = Values::vectors(ItemType::I32);
    names.push_vector(vec![5_i32, 7]).unwrap();
    let column = NewColumn::new("key", ColumnType::scalar(item));
    let column = column.annotation("KeyValues", ColumnType::vector(ItemType::I32, [2]), names);
    let mut table = idv::Writer::new(vec![column]).begin(Cursor::new(Vec::new())).unwrap();
    table.write(&[Values::scalars(vec![1_u8, 0])]).unwrap();
    let bytes = table.finish_sink().unwrap().into_inner();
    match written(idv_table(&bytes), FileKind::Csv, &Options::new()) {
        Err(error) => assert!(error.to_string().contains("JSON Lines holds it"), "{error}"),
        Ok((text, _)) => panic!("{}", String::from_utf8_lossy(&text)),
    }
    assert_eq!(
        written(idv_table(&bytes), FileKind::Jsonl, &Options::new()).unwrap().0,
        b"{\"key\":5}\n{\"key\":null}\n"
    );
}
