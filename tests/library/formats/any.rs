//! Files of any format: opening, values as another type, and limits on time.

use ndarray::{Array1, Array2, Ix2, Ix3, arr1, arr2};
use ndbytes::rawarray::Order;
use ndbytes::{Checker, ElementKind, Error, File, Input, Limits, Options, b2nd, idx, rawarray};
use ndbytes_testkit::project;
use ndbytes_testkit::zip::{Entry, zip};
use std::path::PathBuf;
use std::time::Duration;

fn sample(name: &str) -> PathBuf {
    project().join("samples").join(name)
}

#[test]
fn file_is_an_array_or_a_table() {
    assert!(matches!(ndbytes::open(sample("trees.idv")).unwrap(), File::Table(_)));
    let file = ndbytes::open(sample("temperatures.b2nd")).unwrap();
    assert!(matches!(&file, File::Array(_)) && file.warnings().is_empty() && file.tolerated().is_empty());
    let error = ndbytes::open(sample("trees.idv")).unwrap().into_array().unwrap_err();
    assert!(matches!(error, Error::NoArray { .. }));
}

#[test]
fn array_is_read_by_path_in_its_own_type() {
    let labels = ndbytes::read::<u8>(sample("digits-idx1-ubyte")).unwrap();
    assert_eq!(labels.ndim(), 1);
    assert!(matches!(ndbytes::read::<f32>(sample("digits-idx1-ubyte")), Err(Error::WrongType { .. })));
}

#[test]
fn array_of_fixed_axes_refuses_another_number_of_axes() {
    let array = ndbytes::open(sample("digits-idx3-ubyte.gz")).unwrap().into_array().unwrap();
    let digits = array.to_array_of::<u8, Ix3>().unwrap();
    assert_eq!(digits.shape(), array.shape());
    assert!(matches!(array.to_array_of::<u8, Ix2>(), Err(Error::WrongAxes { requested: 2, stored: 3 })));
}

#[test]
fn values_are_converted_only_where_they_fit() {
    let mut file = Vec::new();
    idx::Writer::new().write_to(&mut file, &arr1(&[-1_i16, 300, 7])).unwrap();
    let array = Options::new().from_slice(&file).unwrap().into_array().unwrap();
    assert_eq!(array.to_array_as::<f32>().unwrap(), arr1(&[-1.0, 300.0, 7.0]).into_dyn());
    assert_eq!(array.to_array_as::<i64>().unwrap(), arr1(&[-1, 300, 7]).into_dyn());
    match array.to_array_as::<u8>().unwrap_err() {
        Error::Unfit { value, requested } => assert_eq!((value.as_str(), requested.kind), ("-1", ElementKind::U8)),
        error => panic!("{error}"),
    }
    let mut floats = Vec::new();
    idx::Writer::new().write_to(&mut floats, &arr1(&[0.5_f64])).unwrap();
    let array = Options::new().from_slice(&floats).unwrap().into_array().unwrap();
    assert_eq!(array.to_array_as::<f32>().unwrap(), arr1(&[0.5]).into_dyn());
    assert!(matches!(array.to_array_as::<i32>(), Err(Error::WrongType { .. })));
}

#[test]
fn converted_values_keep_the_order_of_their_axes() {
    let folder = tempfile::tempdir().unwrap();
    let (path, values) = (folder.path().join("a.ra"), arr2(&[[1_u8, 2, 3], [4, 5, 6]]));
    rawarray::write(&path, &values, Order::Fortran).unwrap();
    let array = ndbytes::open(&path).unwrap().into_array().unwrap();
    assert_eq!(array.to_array_as::<f64>().unwrap(), values.mapv(f64::from).into_dyn());
}

#[test]
fn converted_array_is_held_to_the_limits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    rawarray::write(&path, &Array1::<u8>::zeros(1000), Order::C).unwrap();
    let array = Options::new().limits(Limits::default().memory(4000)).open(&path).unwrap().into_array().unwrap();
    assert!(matches!(array.to_array_as::<f64>(), Err(Error::Limit { needed: 8000, .. })));
    for _ in 0..100 {
        assert_eq!(array.to_array_as::<f32>().unwrap().len(), 1000);
    }
    rawarray::write(&path, &Array2::<u8>::zeros((3, 0)), Order::Fortran).unwrap();
    let empty = ndbytes::open(&path).unwrap().into_array().unwrap();
    assert_eq!(empty.to_array_as::<f64>().unwrap().shape(), [3, 0]);
}

#[test]
fn time_over_ends_the_check_of_an_archive_once() {
    let labels = std::fs::read(sample("digits-idx1-ubyte")).unwrap();
    let archive = zip(&[Entry::deflated("a", &labels), Entry::deflated("b", &labels)]);
    assert_eq!(Checker::new().check_slice(&archive).unwrap().parts().count(), 2);
    let report = Checker::new().limits(Limits::default().time(Duration::ZERO)).check_slice(&archive).unwrap();
    let rules: Vec<&str> = report.findings().iter().map(|finding| finding.rule.id).collect();
    assert_eq!(rules, ["limit-exceeded"]);
    assert!(report.parts().all(|part| part.member.is_none()), "no member was checked");
}

#[test]
fn a_clock_that_runs_is_that_of_all_inputs() {
    let limits = Limits::default().time(Duration::ZERO);
    assert!(limits.ensure_time().is_ok(), "nothing was begun");
    let is_over = |result: Result<(), Error>| matches!(result, Err(Error::Time { granted: Duration::ZERO }));
    let limits = limits.started();
    assert!(is_over(limits.ensure_time()));
    for name in ["digits-idx3-ubyte.gz", "temperatures.b2nd", "trees.idv", "surface.ra"] {
        let input = Input::open(sample(name), limits).unwrap();
        assert!(is_over(input.read_at(&mut [0], 0)), "{name}");
        assert!(is_over(input.range(0..1).map(drop)), "{name}");
        assert!(is_over(input.bytes().map(drop)), "{name}");
        // Other limits do not restart the clock.
        assert!(is_over(input.again(Limits::default()).and_then(|again| again.read_at(&mut [0], 0))), "{name}");
    }
}

#[test]
fn a_handle_reads_nothing_when_its_time_is_over() {
    let bound = Options::new().limits(Limits::default().time(Duration::from_secs(3600)));
    for name in ["surface.ra", "digits-idx3-ubyte.gz", "temperatures.b2nd"] {
        let input = Input::open(sample(name), Limits::default()).unwrap();
        assert!(bound.read(input).unwrap().into_array().unwrap().items().read(0, 1).is_ok(), "{name}");
    }
    // The decoded elements of a gzip file, and chunks that are not stored, do not bypass the time limit.
    let zeros = b2nd::Writer::new().to_vec(&Array1::<u8>::zeros(100)).unwrap();
    // The array is opened within the time limit; a busy machine gets more time.
    let (array, time) = [200, 2_000, 60_000]
        .into_iter()
        .map(Duration::from_millis)
        .find_map(|time| {
            let file = Options::new().limits(Limits::default().time(time)).from_slice(&zeros).ok()?;
            Some((file.into_array().ok()?, time))
        })
        .expect("it takes less than a minute");
    std::thread::sleep(time);
    assert!(matches!(array.items().read(0, 1), Err(Error::Time { .. })));
}

#[test]
fn time_enough_changes_nothing() {
    let limits = Limits::default().time(Duration::from_secs(3600));
    for name in ["digits-idx3-ubyte.gz", "temperatures.b2nd", "trees.idv", "surface.ra"] {
        let report = Checker::new().limits(limits).check(sample(name)).unwrap();
        assert_eq!(report, Checker::new().check(sample(name)).unwrap(), "{name}");
    }
}
