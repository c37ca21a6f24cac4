//! Tables converted to Arrow and Parquet: pyarrow, polars and duckdb read the same values as ML.NET, and so does ML.NET
//! after a round trip.

use super::{MlNet, Peers, run};
use ndbytes::idv;
use ndbytes_arrow::table::{ArrowTable, Keys, Options, Sparse, Times};
use ndbytes_arrow::{Error, ipc, parquet};
use ndbytes_testkit::tables;
use ndbytes_testkit::tables::json::{Json, Nulls, difference};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options for converting tables to Arrow, which cover every kind of times, keys and vectors.
const CHOICES: [(Times, Keys, Sparse); 3] = [
    (Times::Ticks, Keys::Dictionary, Sparse::Dense),
    (Times::MicrosFloor, Keys::Text, Sparse::Dense),
    (Times::Ticks, Keys::Raw, Sparse::Struct),
];

/// The files that ML.NET has read, with their dumps.
pub fn dumped(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let dumps = tables::files(folder, ".idv.json").into_iter();
    dumps.map(|dump| (dump.with_extension(""), dump)).collect()
}

/// The files of the repository that ML.NET has read.
fn frozen() -> Vec<(PathBuf, PathBuf)> {
    ["mlnet", "ndbytes", "old"].iter().flat_map(|part| dumped(&ndbytes_testkit::frozen("idv").join(part))).collect()
}

/// Returns why a table cannot be converted to Arrow: the rule, or the text of the error.
fn reason(error: &Error) -> String {
    match error {
        Error::Ndbytes(error) => match error.finding() {
            Some(finding) => finding.rule.id.to_owned(),
            None => error.to_string(),
        },
        Error::Value { what, .. } | Error::Column { what, .. } => what.clone(),
        error => error.to_string(),
    }
}

/// Converts counts to a map by name.
pub fn counts<T>(counts: impl IntoIterator<Item = (&'static str, T)>) -> BTreeMap<String, T> {
    counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect()
}

/// An unpaired surrogate is not valid text in Arrow. The tests do not replace it.
pub const HALF: &str = "contains an unpaired surrogate, which Arrow text cannot hold: choose the texts lossy";
/// A sparse vector with this many items cannot become a list.
pub const HUGE: &str = "has 2147483647 items after sparse vectors are expanded, over 4194304 per row: choose the \
                        vectors struct";
/// Parquet cannot store a number of rows without columns.
pub const NO_COLUMNS: &str = "Not yet implemented: a table without columns has rows that Parquet cannot hold";
/// duckdb confuses the indices of categories with their values.
pub const PLACES: &str = "duckdb: categories in lists of fixed size are read as numbers";
/// ML.NET tolerates a key beyond the categories, but the writer refuses it.
pub const KEY_6_OF_3: &str = "IDV cannot hold the key 6, since there are 3 categories, in the column \"k\"";

/// The results of the peers for many tables.
#[derive(Debug, PartialEq)]
pub struct Read {
    pub files: usize,
    /// The number of tables that could not be converted to Arrow, by reason. Each option makes a table from a file.
    pub refused: BTreeMap<String, usize>,
    /// The number of cells that each peer read.
    pub cells: BTreeMap<String, u64>,
    /// The number of cells with missing values of old codecs, which ML.NET shows as defaults.
    pub missing: BTreeMap<String, u64>,
    /// The number of columns that ML.NET does not show.
    pub beyond: u64,
    /// The number of tables that a peer cannot read, by reason.
    pub unsupported: BTreeMap<String, u64>,
}

/// Makes the peers read these tables as Arrow files, and compares all cells with the dumps.
pub fn read(files: &[(PathBuf, PathBuf)]) -> Read {
    let peers = Peers::find();
    let folder = tempfile::tempdir().unwrap();
    let (mut plan, mut refused) = (Vec::new(), BTreeMap::new());
    for (path, dump) in files {
        for (place, (times, keys, sparse)) in CHOICES.into_iter().enumerate() {
            let options = Options::new().times(times).keys(keys).sparse(sparse);
            let (times, keys, sparse) = (times.name(), keys.name(), sparse.name());
            let file = folder.path().join(format!("{}-{place}.arrow", plan.len()));
            let written = ArrowTable::open(path, options).and_then(|table| ipc::write_file(&file, table.batches()?));
            match written {
                Ok(_) => {
                    plan.push(json!({"arrow": file, "dump": dump, "times": times, "keys": keys, "sparse": sparse}));
                }
                Err(error) => *refused.entry(reason(&error)).or_default() += 1,
            }
        }
    }
    let path = folder.path().join("plan.json");
    fs::write(&path, Value::from(plan).to_string()).unwrap();
    let mut command = Command::new(&peers.python);
    command.env("PYTHONDONTWRITEBYTECODE", "1").arg(peers.scripts.join("arrow_check.py")).arg(path);
    let found: Value = serde_json::from_str(&run(command, "arrow_check.py")).unwrap();
    let failures: Vec<&str> = found["failures"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
    let of = |name: &str| serde_json::from_value(found[name].clone()).unwrap();
    Read {
        files: files.len(),
        refused,
        cells: of("cells"),
        missing: of("missing"),
        beyond: found["beyond"].as_u64().unwrap(),
        unsupported: of("unsupported"),
    }
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn arrow_files_have_the_cells_that_mlnet_reads() {
    let read = read(&frozen());
    let expected = Read {
        files: 38,
        refused: counts([(HALF, 6), (HUGE, 2)]),
        cells: counts([("duckdb", 8926), ("polars", 8930), ("pyarrow", 8930)]),
        missing: counts([("duckdb", 30), ("polars", 30), ("pyarrow", 30)]),
        beyond: 0,
        unsupported: counts([(PLACES, 2)]),
    };
    assert_eq!(read, expected);
}

/// The results of ML.NET for tables after a round trip through Parquet.
#[derive(Debug, Default, PartialEq)]
pub struct Back {
    /// The number of files with the same dump as the original.
    pub same: usize,
    /// The number of old files that differ only in missing integers. They come back as zeros, but ML.NET shows the
    /// number that marked them.
    pub without_marks: usize,
    /// The number of files that could not be converted in one of the directions, by reason.
    pub refused: BTreeMap<String, usize>,
}

/// Makes ML.NET read tables after a round trip through Parquet, and compares the dumps with the dumps of the originals.
pub fn come_back(files: &[(PathBuf, PathBuf)]) -> Back {
    let mlnet = MlNet::find();
    let folder = tempfile::tempdir().unwrap();
    let (mut found, mut back) = (Vec::new(), Back::default());
    for (path, dump) in files {
        let there = folder.path().join("there.parquet");
        let again = folder.path().join(format!("{}.idv", found.len()));
        match through_parquet(path, &there, &again) {
            Ok(()) => found.push((again, path, dump)),
            Err(error) => *back.refused.entry(reason(&error)).or_default() += 1,
        }
    }
    let paths: Vec<PathBuf> = found.iter().map(|(again, ..)| again.clone()).collect();
    for (again, (_, path, dump)) in mlnet.dumps(&paths).into_iter().zip(found) {
        let expected = Json::parse(&fs::read_to_string(dump).unwrap()).written_again();
        assert_eq!(again.get("refused"), None, "{}", path.display());
        let again = again.written_again();
        match difference(&again, &expected, Nulls::None) {
            None => back.same += 1,
            Some(what) => {
                let table = idv::open(path).unwrap();
                assert!(table.version() <= ndbytes::schemas::idv::Version::V5, "{}{what}", path.display());
                let original = tables::read(&table).unwrap().written_again();
                assert_eq!(difference(&original, &again, Nulls::Defaults), None, "{}{what}", path.display());
                back.without_marks += 1;
            }
        }
    }
    back
}

/// Converts a table to Parquet and back.
fn through_parquet(path: &Path, there: &Path, again: &Path) -> ndbytes_arrow::Result<()> {
    let table = ArrowTable::open(path, Options::new().times(Times::Ticks).sparse(Sparse::Struct))?;
    parquet::write(there, table.batches()?, &parquet::Options::new())?;
    let nulls = ndbytes_arrow::idv::NullPolicy::Default;
    ndbytes_arrow::idv::write(again, parquet::read(there)?, ndbytes_arrow::idv::WriteOptions::new().nulls(nulls))?;
    Ok(())
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn mlnet_reads_the_same_in_tables_that_come_back_from_parquet() {
    let back = come_back(&frozen());
    let refused = counts([(HALF, 2), (KEY_6_OF_3, 1), (NO_COLUMNS, 2)]);
    assert_eq!(back, Back { same: 33, without_marks: 0, refused });
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn each_type_of_arrow_is_read_back_from_parquet() {
    Peers::find().check("parquet_types.py", []);
}
