//! Reserved names.

use super::asked::{Asked, about_others};
use crate::bounds::limits;
use crate::bytes::{is_accepted, is_limited};
use crate::random::Random;
use ndbytes::{Checker, Depth, Error, Format, Options};

/// A name for each content that a name can imply, some with `.gz`.
const NAMES: [&str; 14] = [
    "x.npy",
    "x.npz",
    "x.b2nd",
    "x.b2frame",
    "x.b2z",
    "x.idv",
    "x.ra",
    "train-images-idx3-ubyte",
    "train-labels-idx1-ubyte.gz",
    "x.npy.gz",
    "x.ra.gz",
    "x.b2nd.gz",
    "x.gz",
    ".gz",
];

/// The rules about names, and the rule about frames that are not arrays, since a name can imply that they need not be.
const OF_NAMES: [&str; 5] = ["misnamed", "unknown-format", "gzip/name-mismatch", "idx/name-mismatch", "b2nd/no-array"];

/// Asserts that a name adds only findings about the name, without changing others, and that a file is opened if and
/// only if it has no error.
pub fn examine(asked: &Asked<'_>, random: &mut Random) {
    let path = asked.folder.put(NAMES[random.below(NAMES.len() as u64) as usize], asked.bytes);
    let checker = Checker::new().limits(limits());
    let report = checker.check(&path).expect("it is there");
    if is_limited(&report) || is_limited(&asked.report) {
        return;
    }
    assert_eq!(about_others(&report, &OF_NAMES), about_others(&asked.report, &OF_NAMES), "{}", path.display());
    if asked.is_zip() {
        return;
    }
    let report = match report.format {
        Some(Format::Idv | Format::B2nd) => checker.depth(Depth::Structure).check(&path).expect("it is there"),
        _ => report,
    };
    let opened = Options::new().limits(limits()).open(&path);
    // A frame without an array is accepted under such a name, but is still not an array.
    let is_no_array = asked.report.findings().iter().any(|finding| finding.rule.id == "b2nd/no-array");
    // If a file has several tensors, the caller must name one.
    let is_several = matches!(opened, Err(Error::Archive { .. }));
    assert!(opened.is_ok() == is_accepted(&report) || is_no_array || is_several, "{opened:?}, but {report:?}");
}
