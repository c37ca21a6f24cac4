//! Tests the output about pairs of files, which must be mirrored when the files are swapped.

use crate::page::island;
use ndbytes::{Checker, Finding, Input, Limits};
use ndbytes_compare::diff::{ColumnChange, Diff, Options, Values, Verdict, diff};
use ndbytes_compare::snapshot;
use ndbytes_page::{Side, diff_page};
use ndbytes_testkit::corpus::test_file;
use ndbytes_testkit::snapshot::Family;
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;

/// The name of a pair, and its two files in the directory `tests`.
type Pair = (&'static str, &'static str, &'static str);

const PAIRS: &[Pair] = &[
    ("b2nd-unchanged", "pairs/b2nd/field.b2nd", "pairs/b2nd/field.b2nd"),
    ("b2nd-item", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-item.b2nd"),
    ("b2nd-row", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-row.b2nd"),
    ("b2nd-column", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-column.b2nd"),
    ("b2nd-chunks", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-chunks.b2nd"),
    ("b2nd-flag", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-threads.b2nd"),
    ("b2nd-dtype", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-i4.b2nd"),
    ("b2nd-cut", "pairs/b2nd/field.b2nd", "pairs/b2nd/field-cut.b2nd"),
    ("b2nd-codec", "corpus/b2nd/ok/codec-zstd.b2nd", "corpus/b2nd/ok/codec-lz4.b2nd"),
    ("b2nd-dead-bytes", "corpus/b2nd/ok/1d.b2nd", "corpus/b2nd/ok/dead-bytes.b2nd"),
    ("b2nd-metalayer", "corpus/b2nd/ok/1d.b2nd", "corpus/b2nd/ok/metalayers.b2nd"),
    ("b2nd-folder", "corpus/b2nd/ok/sparse.b2nd", "corpus/b2nd/ok/sparse-cbytes.b2nd"),
    ("b2nd-garbage", "pairs/b2nd/field.b2nd", "pairs/other/garbage.bin"),
    ("idv-unchanged", "pairs/idv/trees.idv", "pairs/idv/trees.idv"),
    ("idv-item", "pairs/idv/trees.idv", "pairs/idv/trees-item.idv"),
    ("idv-row", "pairs/idv/trees.idv", "pairs/idv/trees-row.idv"),
    ("idv-row-gone", "pairs/idv/trees.idv", "pairs/idv/trees-gone.idv"),
    ("idv-column", "pairs/idv/trees.idv", "pairs/idv/trees-column.idv"),
    ("idv-order-of-columns", "pairs/idv/trees.idv", "pairs/idv/trees-order.idv"),
    ("idv-order-of-rows", "pairs/idv/trees.idv", "pairs/idv/trees-sorted.idv"),
    ("idv-blocks", "pairs/idv/trees.idv", "pairs/idv/trees-blocks.idv"),
    ("idv-compression", "pairs/idv/trees.idv", "pairs/idv/trees-deflate.idv"),
    ("idv-type", "pairs/idv/trees.idv", "pairs/idv/trees-type.idv"),
    ("idv-keys", "pairs/idv/trees.idv", "pairs/idv/trees-keys.idv"),
    ("idv-name-of-category", "pairs/idv/trees.idv", "pairs/idv/trees-name.idv"),
    ("idv-cut", "pairs/idv/trees.idv", "pairs/idv/trees-cut.idv"),
    ("idv-other-format", "pairs/idv/trees.idv", "pairs/idx/digits.idx"),
    ("idx-unchanged", "pairs/idx/digits.idx", "pairs/idx/digits.idx"),
    ("idx-item", "pairs/idx/digits.idx", "pairs/idx/digits-item.idx"),
    ("idx-row", "pairs/idx/digits.idx", "pairs/idx/digits-row.idx"),
    ("idx-column", "pairs/idx/digits.idx", "pairs/idx/digits-column.idx"),
    ("idx-dtype", "pairs/idx/digits.idx", "pairs/idx/digits-i16.idx"),
    ("idx-shape", "pairs/idx/digits.idx", "pairs/idx/digits-flat.idx"),
    ("idx-gzip", "pairs/idx/digits.idx", "pairs/idx/digits-gzip.idx.gz"),
    ("idx-cut", "pairs/idx/digits.idx", "pairs/idx/digits-cut.idx"),
    ("idx-garbage", "pairs/idx/digits.idx", "pairs/other/garbage.bin"),
    ("npy-unchanged", "pairs/npy/waves.npy", "pairs/npy/waves.npy"),
    ("npy-item", "pairs/npy/waves.npy", "pairs/npy/waves-item.npy"),
    ("npy-step", "pairs/npy/waves.npy", "pairs/npy/waves-step.npy"),
    ("npy-row", "pairs/npy/waves.npy", "pairs/npy/waves-row.npy"),
    ("npy-column", "pairs/npy/waves.npy", "pairs/npy/waves-column.npy"),
    ("npy-flag", "pairs/npy/waves.npy", "pairs/npy/waves-fortran.npy"),
    ("npy-byte-order", "pairs/npy/waves.npy", "pairs/npy/waves-order.npy"),
    ("npy-version", "pairs/npy/waves.npy", "pairs/npy/waves-version.npy"),
    ("npy-dtype", "pairs/npy/waves.npy", "pairs/npy/waves-f4.npy"),
    ("npy-cut", "pairs/npy/waves.npy", "pairs/npy/waves-cut.npy"),
    ("npy-other-format", "pairs/npy/waves.npy", "pairs/rawarray/surface.ra"),
    ("other-empty", "pairs/other/garbage.bin", "pairs/other/empty.bin"),
    ("rawarray-unchanged", "pairs/rawarray/surface.ra", "pairs/rawarray/surface.ra"),
    ("rawarray-item", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-item.ra"),
    ("rawarray-nan", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-nan.ra"),
    ("rawarray-zero", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-zero.ra"),
    ("rawarray-row", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-row.ra"),
    ("rawarray-column", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-column.ra"),
    ("rawarray-byte-order", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-again.ra"),
    ("rawarray-dtype", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-f8.ra"),
    ("rawarray-metadata", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-metadata.ra"),
    ("rawarray-cut", "pairs/rawarray/surface.ra", "pairs/rawarray/surface-cut.ra"),
    ("rawarray-garbage", "pairs/rawarray/surface.ra", "pairs/other/garbage.bin"),
];

/// A pair and its differences.
struct Compared {
    paths: [&'static str; 2],
    inputs: [Input<'static>; 2],
    found: Diff,
}

impl Compared {
    fn new(a: &'static str, b: &'static str) -> Self {
        Compared { paths: [a, b], inputs: [a, b].map(input), found: compare(a, b, &Options::new()) }
    }

    /// The text of a file for git to compare.
    fn text_for_git(&self, side: usize) -> String {
        snapshot::text(&self.inputs[side]).render().unwrap()
    }

    /// The data of the page besides the bytes and fields of both files, one entry per line. Empty values and 0 are left out.
    fn page(&self) -> String {
        let explained = self.inputs.each_ref().map(|input| Checker::new().explain(input).unwrap());
        let side = |number: usize| {
            let (report, map) = &explained[number];
            Side { map, report, input: &self.inputs[number], title: self.paths[number] }
        };
        let mut island = island(&diff_page(&self.found, Some(side(0)), Some(side(1)), None));
        for file in island["sides"].as_array_mut().unwrap() {
            file.as_object_mut().unwrap().retain(|name, _| name == "format" || name == "facts");
        }
        let mut lines = String::new();
        write_facts(&mut lines, "", &island);
        lines
    }
}

fn write_facts(lines: &mut String, name: &str, value: &Value) {
    match value {
        Value::Null | Value::Bool(false) => (),
        Value::Object(parts) => {
            for (part, value) in parts {
                let name = if name.is_empty() { part.clone() } else { format!("{name}.{part}") };
                write_facts(lines, &name, value);
            }
        }
        Value::Array(parts) if parts.iter().all(|part| part.is_object() || part.is_array()) => {
            for (place, part) in parts.iter().enumerate() {
                // Listed entries have one line; the two files have several.
                match name {
                    "sides" => write_facts(lines, &format!("{name}[{place}]"), part),
                    "structure.changes" => {
                        let text = |side: &str| part[side]["text"].as_str().unwrap_or("none");
                        let (kind, key) = (&part["kind"], &part["key"]);
                        writeln!(lines, "{name}[{place}]: {kind} {key} {:?} → {:?}", text("a"), text("b")).unwrap();
                    }
                    _ => writeln!(lines, "{name}[{place}]: {part}").unwrap(),
                }
            }
        }
        Value::Array(numbers) if numbers.iter().all(|number| *number == 0) => (),
        value if *value == 0 => (),
        value => writeln!(lines, "{name}: {value}").unwrap(),
    }
}

/// A title and the output under it.
type Output = (&'static str, fn(&Compared) -> String);

/// The outputs about a pair, each under its title. In pairs without a change, the first file is also the second.
const OUTPUTS: &[Output] = &[
    ("text", |pair| pair.found.to_string()),
    ("textconv of the second file", |pair| pair.text_for_git(1)),
    ("page", Compared::page),
    ("JSON", |pair| serde_json::to_string_pretty(&pair.found).unwrap()),
];

fn input(path: &str) -> Input<'static> {
    Input::open(test_file(path), Limits::default()).unwrap()
}

fn compare(a: &str, b: &str, options: &Options) -> Diff {
    diff(&input(a), &input(b), options).unwrap_or_else(|error| panic!("{a} {b}: {error}"))
}

/// The report with a placeholder for the directory of the tests.
fn without_folder(text: &str) -> String {
    let folders = [test_file("corpus/"), test_file("")].map(|folder| folder.display().to_string());
    text.replace(&folders[0], "corpus/").replace(&folders[1], "")
}

#[test]
fn every_pair_is_compared_as_before() {
    let format = |name: &&'static str| name.split('-').next().unwrap();
    let names: Vec<&str> = PAIRS.iter().map(|&(name, ..)| name).collect();
    for names in names.chunk_by(|a, b| format(a) == format(b)) {
        let family = Family::open(&format!("pairs/{}", format(&names[0])));
        for &(name, a, b) in PAIRS.iter().filter(|(name, ..)| names.contains(name)) {
            family.assert(name, &output(&Compared::new(a, b)));
        }
        family.finish(names);
    }
}

/// All outputs about a pair, each under its title.
fn output(pair: &Compared) -> String {
    let sections = OUTPUTS.iter().map(|(title, output)| format!("# {title}\n{}\n", output(pair).trim_end()));
    without_folder(&sections.collect::<Vec<_>>().join("\n"))
}

#[test]
fn a_pair_is_identical_if_and_only_if_its_bytes_are() {
    let bytes = |path: &str| fs::read(test_file(path)).ok();
    for &(name, a, b) in PAIRS {
        // The bytes of a directory are the bytes of its files.
        let (Some(bytes_a), Some(bytes_b)) = (bytes(a), bytes(b)) else { continue };
        let verdict = compare(a, b, &Options::new()).verdict;
        assert_eq!(verdict == Verdict::Identical, bytes_a == bytes_b, "{name}: {verdict}");
    }
}

#[test]
fn every_file_is_identical_to_itself() {
    for &(name, _, b) in PAIRS {
        let found = compare(b, b, &Options::new());
        assert_eq!(found.verdict, Verdict::Identical, "{name}");
        assert!(found.is_equal(), "{name}");
        assert!(found.findings.new.is_empty() && found.findings.gone.is_empty(), "{name}");
    }
}

#[test]
fn exchanged_pairs_are_mirrored() {
    for &(name, a, b) in PAIRS {
        let (found, mirrored) = (compare(a, b, &Options::new()), compare(b, a, &Options::new()));
        assert_eq!(found.verdict, mirrored.verdict, "{name}");
        assert_eq!((&found.a.size, &found.b.size), (&mirrored.b.size, &mirrored.a.size), "{name}");
        assert_eq!(found.is_equal(), mirrored.is_equal(), "{name}");
        assert_eq!(found.first_byte, mirrored.first_byte, "{name}");
        let rules = |findings: &[Finding]| findings.iter().map(|finding| finding.rule.id).collect::<Vec<_>>();
        assert_eq!(rules(&found.findings.gone), rules(&mirrored.findings.new), "{name}");
        assert_eq!(rules(&found.findings.new), rules(&mirrored.findings.gone), "{name}");
        match (&found.values, &mirrored.values) {
            (Some(values), Some(others)) => assert_mirrored(name, values, others),
            (values, others) => assert_eq!(values.is_some(), others.is_some(), "{name}"),
        }
    }
}

fn assert_mirrored(name: &str, values: &Values, others: &Values) {
    let counts = |values: &Values| {
        (values.verdict, values.compared, values.different, values.within, values.sign_of_zero, values.infinite)
    };
    assert_eq!(counts(values), counts(others), "{name}");
    assert_eq!((values.nan.a_only, values.nan.b_only), (others.nan.b_only, others.nan.a_only), "{name}");
    assert_eq!(values.first.len(), others.first.len(), "{name}");
    for (difference, other) in values.first.iter().zip(&others.first) {
        assert_eq!((difference.a.to_string(), difference.b.to_string()), (other.b.to_string(), other.a.to_string()));
        assert_eq!(difference.distance, other.distance, "{name}");
    }
    let largest = |values: &Values| {
        let largest = [&values.largest.absolute, &values.largest.relative, &values.largest.ulp];
        largest.map(|largest| largest.as_ref().map(|largest| largest.difference.clone()))
    };
    assert_eq!(largest(values), largest(others), "{name}");
    for column in &values.columns {
        let change = match &column.change {
            Some(ColumnChange::Added) => Some(ColumnChange::Removed),
            Some(ColumnChange::Removed) => Some(ColumnChange::Added),
            Some(ColumnChange::Type(a, b)) => Some(ColumnChange::Type(b.clone(), a.clone())),
            change => change.clone(),
        };
        let is_there = others
            .columns
            .iter()
            .any(|other| (&other.name, other.different, &other.change) == (&column.name, column.different, &change));
        assert!(is_there, "{name}: {column:?} {:?}", others.columns);
    }
    let (Some(rows), Some(other)) = (&values.rows, &others.rows) else {
        assert_eq!(values.rows.is_some(), others.rows.is_some(), "{name}");
        return;
    };
    assert_eq!((rows.axis, rows.a, rows.b), (other.axis, other.b, other.a), "{name}");
    assert_eq!((&rows.inserted, &rows.deleted), (&other.deleted, &other.inserted), "{name}");
    assert_eq!(
        (rows.inserted_count, rows.deleted_count, rows.changed_count),
        (other.deleted_count, other.inserted_count, other.changed_count),
        "{name}"
    );
}
