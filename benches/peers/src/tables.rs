//! IDV: reading every value into memory, block by block, and as Arrow batches, and converting to Parquet. Also converts
//! a b2nd array to `.npy`.

use super::bench::{Bench, Case, Outcome, timed};
use arrow_array::RecordBatch;
use ndbytes::{Error, b2nd, idv};
use ndbytes_arrow::table;
use ndbytes_convert::{ArraySource, FileKind, Options, Source, TableSource, Target, convert};
use std::fs;
use std::hint::black_box;
use std::path::Path;

const DEFLATE: &str = "bench_deflate.idv";
const NONE: &str = "bench_none.idv";
const ARRAY: &str = "b2nd/f8-zstd.b2nd";

pub const CASES: &[Case] = &[
    ("idv-deflate-columns", |bench| columns(&bench.path(DEFLATE))),
    ("idv-none-columns", |bench| columns(&bench.path(NONE))),
    ("idv-deflate-batches", |bench| batches(&bench.path(DEFLATE))),
    ("idv-none-batches", |bench| batches(&bench.path(NONE))),
    ("idv-deflate-arrow", |bench| arrow(&bench.path(DEFLATE))),
    ("idv-none-arrow", |bench| arrow(&bench.path(NONE))),
    ("idv-deflate-parquet", |bench| parquet(bench, DEFLATE)),
    ("idv-none-parquet", |bench| parquet(bench, NONE)),
    ("b2nd-fresh", |bench| {
        let path = bench.path(ARRAY);
        timed(|| Ok(b2nd::open(&path)?.to_array::<f64>()?))
    }),
    ("b2nd-npy", |bench| {
        let (from, to) = (bench.path(ARRAY), bench.memory());
        let time = timed(|| {
            let array = ndbytes::open(&from)?.into_array()?;
            Ok(convert(
                &[Source::Array(ArraySource::new("array", &array))],
                FileKind::Npy,
                Target::File(&to),
                &Options::new(),
            )?)
        });
        fs::remove_file(to)?;
        time
    }),
];

/// Reads all values of a table, column by column, into new memory.
fn columns(path: &Path) -> Outcome<f64> {
    timed(|| {
        let table = idv::open(path)?;
        let columns: Result<Vec<idv::Values>, Error> = table.columns().map(|column| column.read()).collect();
        Ok(columns?)
    })
}

/// Reads all values of a table, block by block, into the same memory.
fn batches(path: &Path) -> Outcome<f64> {
    timed(|| {
        let table = idv::open(path)?;
        let names: Vec<String> = table.columns().map(|column| column.name()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (mut batches, mut rows) = (table.batches(&names)?, 0);
        while let Some(batch) = batches.next() {
            let batch = batch?;
            rows += black_box(batch.values(0)).map_or(0, idv::Values::rows);
        }
        Ok(rows)
    })
}

/// Reads all record batches of a table.
fn arrow(path: &Path) -> Outcome<f64> {
    timed(|| {
        let batches = table::ArrowTable::open(path, table::Options::new())?.batches()?;
        Ok(batches.collect::<Result<Vec<RecordBatch>, _>>()?)
    })
}

/// Converts a table to a Parquet file.
fn parquet(bench: &Bench, name: &str) -> Outcome<f64> {
    let (from, to) = (bench.path(name), bench.memory());
    let length = fs::metadata(&from)?.len();
    let time = timed(|| {
        let table = Source::Table(TableSource::idv("table", idv::open(&from)?, length));
        Ok(convert(&[table], FileKind::Parquet, Target::File(&to), &Options::new())?)
    });
    fs::remove_file(to)?;
    time
}
