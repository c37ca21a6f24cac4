//! Tables as Arrow and Parquet, and what ML.NET reads in them.

use super::samples;
use crate::peers::arrow::{come_back, dumped, read};
use std::path::PathBuf;

/// The files of all folders that ML.NET has read, each with its dump.
fn files() -> Vec<(PathBuf, PathBuf)> {
    let folder = samples().join("idv");
    ["made", "found", "conformance"].iter().flat_map(|part| dumped(&folder.join(part))).collect()
}

#[test]
#[ignore = "needs ../shared/data, and the peers that tests/peers/setup.sh installs"]
fn arrow_files_have_the_cells_that_mlnet_reads() {
    let read = read(&files());
    println!("{read:#?}");
}

#[test]
#[ignore = "needs ../shared/data, and the peers that tests/peers/setup.sh installs"]
fn mlnet_reads_the_same_in_tables_that_come_back_from_parquet() {
    let refused = come_back(&files());
    println!("{refused:#?}");
}
