//! Tables that became Arrow and Parquet: pyarrow, polars and duckdb read what ML.NET read, and so does ML.NET in the table that came
//! back.

use super::{MlNet, Peers, run};
use crate::support;
use crate::support::tables;
use crate::support::tables::json::{Json, Nulls, difference};
use ndbytes_arrow::table::{Keys, Options, Sparse, Table, Times};
use ndbytes_arrow::{Error, ipc, parquet};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The options by which tables become Arrow here: every kind of times, keys and vectors is among them.
fn options() -> [Options; 3] {
    [
        Options::new().times(Times::Ticks),
        Options::new().times(Times::MicrosFloor).keys(Keys::Text),
        Options::new().times(Times::Ticks).keys(Keys::Raw).sparse(Sparse::Struct),
    ]
}

/// The files that ML.NET has read, each with its dump.
pub fn dumped(folder: &Path) -> Vec<(PathBuf, PathBuf)> {
    let dumps = tables::files(folder, ".idv.json").into_iter();
    dumps.map(|dump| (dump.with_extension(""), dump)).collect()
}

/// The files of the repository that ML.NET has read.
fn frozen() -> Vec<(PathBuf, PathBuf)> {
    ["mlnet", "ndbytes", "old"].iter().flat_map(|part| dumped(&support::frozen("idv").join(part))).collect()
}

/// Why a table does not become Arrow: the rule, or what the error says.
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

/// What the peers made of many tables.
#[derive(Debug)]
pub struct Read {
    pub files: usize,
    /// The files that became no Arrow, by the reason.
    pub refused: BTreeMap<String, usize>,
    pub cells: BTreeMap<String, u64>,
    pub missing: BTreeMap<String, u64>,
    /// Columns that ML.NET does not show.
    pub beyond: u64,
    /// What a peer cannot read.
    pub unsupported: BTreeMap<String, u64>,
}

/// Lets the peers read these tables as Arrow files, and compare all cells with the dumps.
pub fn read(files: &[(PathBuf, PathBuf)]) -> Read {
    let peers = Peers::find();
    let folder = tempfile::tempdir().unwrap();
    let (mut plan, mut refused) = (Vec::new(), BTreeMap::new());
    for (path, dump) in files {
        for (place, options) in options().into_iter().enumerate() {
            let (times, keys, sparse) = (options.times.name(), options.keys.name(), options.sparse.name());
            let file = folder.path().join(format!("{}-{place}.arrow", plan.len()));
            let written = Table::open(path, options).and_then(|table| ipc::write_file(&file, table.batches()?));
            match written {
                Ok(_) => {
                    plan.push(json!({"arrow": file, "dump": dump, "times": times, "keys": keys, "sparse": sparse}));
                }
                // Other options do not make it readable.
                Err(error) => {
                    *refused.entry(reason(&error)).or_default() += 1;
                    break;
                }
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
    let counts = |name: &str| serde_json::from_value(found[name].clone()).unwrap();
    Read {
        files: files.len(),
        refused,
        cells: counts("cells"),
        missing: counts("missing"),
        beyond: found["beyond"].as_u64().unwrap(),
        unsupported: counts("unsupported"),
    }
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn arrow_files_have_the_cells_that_mlnet_reads() {
    let read = read(&frozen());
    println!("{read:#?}");
}

/// Lets ML.NET read tables that went through Parquet; the files that became no Arrow, by the reason.
pub fn come_back(files: &[(PathBuf, PathBuf)]) -> BTreeMap<String, usize> {
    let mlnet = MlNet::find();
    let folder = tempfile::tempdir().unwrap();
    let (mut paths, mut dumps, mut refused) = (Vec::new(), Vec::new(), BTreeMap::new());
    for (path, dump) in files {
        let there = folder.path().join(format!("{}.parquet", paths.len()));
        let again = folder.path().join(format!("{}.idv", paths.len()));
        match through_parquet(path, &there, &again) {
            Ok(()) => {
                paths.push(again);
                dumps.push(dump);
            }
            Err(error) => *refused.entry(reason(&error)).or_default() += 1,
        }
    }
    let mut failures = Vec::new();
    for (found, dump) in mlnet.dumps(&paths).into_iter().zip(&dumps) {
        let expected = Json::parse(&fs::read_to_string(dump).unwrap()).written_again();
        let found = if found.get("refused").is_none() { found.written_again() } else { found };
        if let Some(difference) = difference(&found, &expected, Nulls::None) {
            failures.push(format!("{}{difference}", dump.display()));
        }
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), paths.len(), failures.join("\n"));
    refused
}

/// A table as Parquet, and as a table again.
fn through_parquet(path: &Path, there: &Path, again: &Path) -> ndbytes_arrow::Result<()> {
    let table = Table::open(path, Options::new().times(Times::Ticks).sparse(Sparse::Struct))?;
    parquet::write(there, table.batches()?, &parquet::Options::new())?;
    let nulls = ndbytes_arrow::idv::Nulls::Default;
    ndbytes_arrow::idv::write(again, parquet::read(there)?, ndbytes_arrow::idv::Options::new().nulls(nulls))?;
    Ok(())
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn mlnet_reads_the_same_in_tables_that_come_back_from_parquet() {
    let refused = come_back(&frozen());
    println!("{refused:#?}");
}
