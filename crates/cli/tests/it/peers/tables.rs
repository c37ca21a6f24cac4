//! Compares tables with ML.NET.

use super::{MlNet, cat, corpus_files};
use ndbytes::idv::{self, Compression, ItemType, KeyType};
use ndbytes::{Checker, Format, Profile, Verdict};
use ndbytes_testkit::tables;
use ndbytes_testkit::tables::json::{Nulls, difference};
use ndbytes_testkit::tables::made::{self, Kind};
use ndbytes_testkit::tables::model::{Model, ModelColumn, Settings};
use std::fs;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn mlnet_reads_what_the_library_writes() {
    let mlnet = MlNet::find();
    let folder = tempfile::tempdir().unwrap();
    let tables = tables_to_write();
    let mut paths = Vec::new();
    for (place, (model, settings)) in tables.iter().enumerate() {
        let path = folder.path().join(format!("{place}.idv"));
        let mut writer = model.writer(*settings).create(&path).unwrap();
        model.write(&mut writer, *settings).unwrap();
        writer.finish().unwrap();
        paths.push(path);
    }
    let dumps = mlnet.dumps(&paths);
    let mut values = 0;
    for ((path, (model, settings)), dump) in paths.iter().zip(&tables).zip(dumps) {
        let what = || {
            let names: Vec<&str> = model.columns.iter().map(|column| column.name.as_str()).collect();
            format!("{} rows of {names:?}, {settings:?}", model.rows)
        };
        let written = model.json();
        assert_eq!(difference(&written, &dump, Nulls::None), None, "what was written and ML.NET: {}", what());
        assert_eq!(difference(&cat(path), &dump, Nulls::None), None, "`cat --json` and ML.NET: {}", what());
        values += dump.get("rows").unwrap().count() + dump.get("columns").unwrap().count();
    }
    println!("{} files, {values} values", paths.len());
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn the_reference_profile_is_what_mlnet_does() {
    let mlnet = MlNet::find();
    let paths = corpus_files(|format, _| format == Format::Idv);
    let mut failures = Vec::new();
    let mut values = 0;
    for (path, dump) in paths.iter().zip(mlnet.dumps(&paths)) {
        let (name, refused) = (path.file_name().unwrap().to_str().unwrap(), dump.get("refused"));
        let accepted = match Checker::new().profile(Profile::Reference).check(path) {
            Ok(report) if (report.verdict() != Verdict::Error) == refused.is_none() => refused.is_none(),
            Ok(report) => {
                let findings: Vec<String> = report.findings().iter().map(|finding| finding.to_string()).collect();
                failures.push(format!("{name}: {findings:?}, ML.NET: {refused:?}"));
                false
            }
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                false
            }
        };
        if !accepted {
            continue;
        }
        // `cat` does not print tables that are readable only with a tolerance.
        let report = Checker::new().check(path).unwrap();
        let (found, what) = match report.verdict() {
            Verdict::Error => {
                let table = tables::tolerant(path).open(path);
                (table.and_then(|table| tables::read_columns(&table, tables::is_seen)), "read with tolerance")
            }
            _ => {
                let left_out = tables::left_out(&idv::open(path).unwrap());
                let found = cat(path).without_columns(&left_out);
                // ML.NET leaves out such an annotation, even if it is readable here.
                let is_beyond = report.findings().iter().any(|finding| finding.rule == &idv::UNKNOWN_ANNOTATION);
                (Ok(if is_beyond { found.with_annotations_of(&dump) } else { found }), "`cat --json`")
            }
        };
        match found.map(|found| (difference(&found, &dump, Nulls::Defaults), found.count())) {
            Ok((None, count)) => values += count,
            Ok((Some(difference), _)) => failures.push(format!("{name}: {what}{difference}")),
            // The error is intolerable, but in a column that ML.NET ignores.
            Err(error) if error.finding().is_some_and(|finding| finding.reference != finding.rule.reference) => {}
            Err(error) => failures.push(format!("{name}: {what}: {error}")),
        }
    }
    println!("{} files, {values} values", paths.len());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// With `UPDATE_FROZEN=1`, rewrites the files in `tests/frozen/idv/ndbytes`, with the values that ML.NET reads.
#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn mlnet_reads_the_frozen_files_of_the_writer() {
    let mlnet = MlNet::find();
    let folder = ndbytes_testkit::frozen("idv/ndbytes");
    let is_update = std::env::var_os("UPDATE_FROZEN").is_some();
    let mut paths = Vec::new();
    for (name, model, settings) in made::frozen() {
        paths.push(folder.join(name).with_extension("idv"));
        if is_update {
            fs::write(paths.last().unwrap(), model.bytes(settings)).unwrap();
        }
    }
    for (path, dump) in paths.iter().zip(mlnet.dump_texts(&paths)) {
        let frozen = path.with_extension("idv.json");
        if is_update {
            fs::write(&frozen, &dump).unwrap();
        }
        assert!(fs::read_to_string(&frozen).unwrap() == dump, "{}", frozen.display());
    }
}

/// Tables that cover all possible content of a file, and all ways to divide it into blocks.
fn tables_to_write() -> Vec<(Model, Settings)> {
    let both = [Compression::NONE, Compression::DEFLATE].map(Settings::new);
    let mut tables = Vec::new();
    let mut add = |model: &dyn Fn() -> Model, settings: &[Settings]| {
        settings.iter().for_each(|&settings| tables.push((model(), settings)));
    };
    // Every type, divided into blocks in all ways.
    let cuts = both.map(|settings| [1, 7, 10, 15, 30, 31, 1000].map(|rows| settings.rows_per_block(rows))).concat();
    for settings in both.into_iter().chain(cuts) {
        add(&|| made::all_scalars(30), &[settings]);
        add(&|| made::all_vectors(Kind::Mixed, 30), &[settings.at_a_time(4)]);
        add(&|| made::all_ragged(Kind::Mixed, 30), &[settings.at_a_time(11)]);
    }
    for kind in [Kind::Dense, Kind::Sparse] {
        let in_blocks = both.map(|settings| settings.rows_per_block(7));
        add(&|| made::all_vectors(kind, 20), &[both, in_blocks].concat());
        add(&|| made::all_ragged(kind, 20), &[both, in_blocks].concat());
    }
    // Other shapes, texts and annotations.
    let threes = both.map(|settings| settings.rows_per_block(3).at_a_time(5));
    add(&|| made::same_lengths(9), &[both, threes].concat());
    add(&|| made::shapes(9), &[both, threes].concat());
    add(&|| made::texts(60), &[both, threes].concat());
    add(&|| made::annotated(10, 3000), &[both, threes].concat());
    // Few rows.
    for rows in [0, 1] {
        let fours = both.map(|settings| settings.rows_per_block(4));
        add(&|| made::all_scalars(rows), &[both, fours].concat());
        add(&|| made::all_vectors(Kind::Mixed, rows), &both);
        add(&|| made::all_ragged(Kind::Mixed, rows), &both);
        add(&|| made::annotated(rows, 3), &both);
        add(&|| Model { columns: vec![], rows: 5 * rows as u64 }, &both);
    }
    // Numbers of rows around multiples of the default block size, and many blocks.
    for rows in [8191, 8192, 8193, 16_384] {
        add(&|| Model::new(vec![made::scalars("u1", ItemType::U8, rows)]), &both[1..]);
    }
    let many = || {
        Model::new(vec![
            made::scalars("id", ItemType::I64, 20_000),
            made::scalars("text", ItemType::Text, 20_000),
            made::scalars("flag", ItemType::Bool, 20_000),
            made::ragged("numbers", ItemType::F32, Kind::Mixed, 20_000),
            made::scalars("key", ItemType::Key(KeyType::new(7)), 20_000),
        ])
    };
    add(&many, &both.map(|settings| settings.at_a_time(3000)));
    add(&many, &both[1..].iter().map(|settings| settings.rows_per_block(1000)).collect::<Vec<_>>());
    // Names.
    let names = ["a", "A", " ", "\u{e9}", "e\u{301}", "\u{1f600}", "new\nline", "\"quoted\"", "\0"];
    let long = "n".repeat(300);
    let named = names.into_iter().chain([long.as_str()]).map(|name| made::scalars(name, ItemType::I16, 3));
    let named: Vec<ModelColumn> = named.collect();
    add(&|| Model::new(named.clone()), &both);
    tables
}
