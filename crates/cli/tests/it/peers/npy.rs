//! Compares with NumPy on its own format.

use super::{Peers, corpus_files};
use ndbytes::{Array, Format, Input, Limits, Options, npy};
use ndbytes_testkit::corpus::{self, Sample};
use std::fs;
use std::path::PathBuf;

/// The number of arrays that NumPy and ndbytes exchange.
const ARRAYS: usize = 2000;

/// The number of random mutants of corpus files.
const MUTANTS: usize = 20_000;

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn the_reference_profile_is_what_numpy_does() {
    let peers = Peers::find();
    peers.check("npy_check.py", corpus_files(|format, _| format == Format::Npy));
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn the_reference_profile_is_what_numpy_does_with_mutants() {
    let peers = Peers::find();
    // Every reader has its own limits.
    let is_limited = |sample: &Sample| sample.recipe.strict.iter().any(|expected| expected.rule == "limit-exceeded");
    // NumPy does not read files inside gzip.
    let is_asked =
        |sample: &Sample| sample.format == Some(Format::Npy) && !ndbytes::is_gzip(&sample.bytes) && !is_limited(sample);
    let seeds = corpus::samples().into_iter().filter(is_asked);
    let seeds = seeds.map(|sample| sample.path);
    peers.check("npy_mutants.py", [PathBuf::from(MUTANTS.to_string())].into_iter().chain(seeds));
}

#[test]
#[ignore = "needs the peers that tests/peers/setup.sh installs"]
fn arrays_of_every_type_are_the_same_both_ways() {
    let peers = Peers::find();
    let folder = tempfile::tempdir().unwrap();
    let (path, count) = (folder.path().to_str().unwrap(), ARRAYS.to_string());
    peers.python("npy_arrays.py", ["save", path, &count]);
    for number in 0..ARRAYS {
        let path = folder.path().join(format!("{number}.npy"));
        let input = Input::open(&path, Limits::default()).unwrap();
        let array = Array::read(input, &Options::new()).unwrap_or_else(|error| panic!("{number}: {error}"));
        assert!(array.warnings().is_empty(), "{number}: {:?}", array.warnings());
        let mut items = array.items();
        let count = items.count();
        fs::write(path.with_extension("items"), items.read(0, count).unwrap()).unwrap();
        fs::write(path.with_extension("type"), items.item_type().to_string()).unwrap();
        npy::write_items(path.with_extension("written.npy"), &mut *items, &Limits::default()).unwrap();
        array.export(path.with_extension("exported.npy"), &Limits::default()).unwrap();
    }
    peers.python("npy_arrays.py", ["load", path, &count]);
}
