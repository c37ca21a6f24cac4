//! The ways to open a path: as any format, as its own format, and within limits.

use super::asked::{Asked, about_others};
use crate::bounds::limits;
use crate::bytes::is_limited;
use crate::random::Random;
use crate::ranges::compare_reports;
use ndbytes::{Checker, Format, LIMIT_EXCEEDED, Options, b2nd, blosc2, gguf, idv, idx, npy, rawarray, safetensors};
use std::path::Path;
use std::time::Duration;

/// The maximum length of an array in the check for short arrays.
const SHORT: u64 = 64;

/// Reads, maps, and opens a file as its own format. Exceeded bounds on time and array length are reported.
pub fn examine(asked: &Asked<'_>, _: &mut Random) {
    let path = asked.folder.put("file", asked.bytes);
    asked.compare(&path);
    compare_reports(&asked.report, &ndbytes::check(&path, &limits()).expect("it is there"));
    if let Some(format) = asked.report.format {
        let is_opened = Options::new().from_slice(asked.bytes).is_ok();
        assert_eq!(opened_as(format, &path, asked.bytes), [is_opened; 3], "{format:?}");
        let frames = [blosc2::open(&path), blosc2::from_slice(asked.bytes), blosc2::from_reader(asked.bytes)];
        let frames = frames.map(|frame| frame.is_ok());
        assert!(frames == [true; 3] || frames == [false; 3], "{frames:?}");
    }
    examine_tables(&path);
    examine_bounds(asked, &path);
}

/// Returns whether the functions for its format can open a file by path, in memory and from a stream.
fn opened_as(format: Format, path: &Path, bytes: &[u8]) -> [bool; 3] {
    macro_rules! opened {
        ($format:ident) => {
            [$format::open(path).is_ok(), $format::from_slice(bytes).is_ok(), $format::from_reader(bytes).is_ok()]
        };
    }
    match format {
        Format::Idx => opened!(idx),
        Format::RawArray => opened!(rawarray),
        Format::Idv => opened!(idv),
        Format::B2nd => opened!(b2nd),
        Format::Npy => opened!(npy),
        Format::Safetensors => opened!(safetensors),
        Format::Gguf => opened!(gguf),
        other => panic!("{other:?} has no functions here"),
    }
}

/// Asserts that reading a file twice as one table yields its rows twice.
fn examine_tables(path: &Path) {
    let Ok(table) = idv::Options::new().limits(limits()).open(path) else { return };
    let rows = table.rows();
    let Ok(tables) = idv::Options::new().limits(limits()).open_all([path, path]) else { return };
    assert_eq!((tables.parts().len(), tables.rows()), (2, rows * 2));
    let names: Vec<String> = table.columns().map(|column| column.name().to_string()).collect();
    for name in names.iter().take(4) {
        let alone = table.column(name).and_then(|column| column.read());
        if let (Ok(alone), Ok(together)) = (alone, tables.read(name)) {
            assert_eq!(together.rows(), alone.rows() * 2, "{name}");
        }
    }
    assert!(tables.read_rows("", 0..rows * 2 + 1).is_err());
}

/// Asserts that a check without time reports that, that a check with enough time reports the same as without a limit,
/// and that a bound on arrays adds a finding.
fn examine_bounds(asked: &Asked<'_>, path: &Path) {
    let check = |limits| Checker::new().limits(limits).check(path).expect("it is there");
    assert!(is_limited(&check(limits().time(Duration::ZERO))), "there is no time");
    compare_reports(&asked.report, &check(limits().time(Duration::from_hours(1))));
    let short = check(limits().decoded(SHORT));
    if !is_limited(&asked.report) {
        let limit = [LIMIT_EXCEEDED.id];
        assert_eq!(about_others(&short, &limit), about_others(&asked.report, &limit));
    }
}
