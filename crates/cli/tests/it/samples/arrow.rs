//! Tables as Arrow and Parquet, compared with the values that ML.NET reads.

use crate::peers::arrow::{Back, HALF, KEY_6_OF_3, NO_COLUMNS, Read, come_back, counts, dumped, read};
use ndbytes_testkit::samples;
use std::path::PathBuf;

/// The files that ML.NET has read, from all directories, with their dumps.
fn files() -> Vec<(PathBuf, PathBuf)> {
    let folder = samples().join("idv");
    ["made", "found", "conformance"].iter().flat_map(|part| dumped(&folder.join(part))).collect()
}

#[test]
#[ignore = "needs ../shared/data, and the peers that tests/peers/setup.sh installs"]
fn arrow_files_have_the_cells_that_mlnet_reads() {
    let read = read(&files());
    let refused = counts([
        (HALF, 3),
        // ML.NET ignores violations of these rules.
        ("idv/bad-utf8", 3),
        ("idv/excess-block-bytes", 6),
        ("idv/excess-indices", 3),
        ("idv/gap", 6),
        ("idv/overlap", 3),
        ("idv/reserved-bytes", 3),
        ("idv/trailing-bytes", 3),
    ]);
    let peers = ["duckdb", "polars", "pyarrow"];
    let expected = Read {
        files: 207,
        refused,
        cells: counts(peers.map(|peer| (peer, 832_359))),
        missing: counts(peers.map(|peer| (peer, 237))),
        beyond: 0,
        unsupported: counts([]),
    };
    assert_eq!(read, expected);
}

#[test]
#[ignore = "needs ../shared/data, and the peers that tests/peers/setup.sh installs"]
fn mlnet_reads_the_same_in_tables_that_come_back_from_parquet() {
    let back = come_back(&files());
    let refused = counts([
        (HALF, 1),
        (KEY_6_OF_3, 1),
        ("IDV cannot hold the key 9, since there are 3 categories, in the column \"k\"", 1),
        (NO_COLUMNS, 2),
        // ML.NET ignores violations of these rules.
        ("idv/bad-utf8", 1),
        ("idv/excess-block-bytes", 2),
        ("idv/excess-indices", 1),
        ("idv/gap", 2),
        ("idv/overlap", 1),
        ("idv/reserved-bytes", 1),
        ("idv/trailing-bytes", 1),
    ]);
    assert_eq!(back, Back { same: 188, without_marks: 5, refused });
}
