//! Repaired copies of any bytes.

use crate::bounds::limits;
use ndbytes::repair::{Options, mended_by, repair};
use ndbytes::{Checker, Error, Verdict};

/// The bytes of a copy for each of the file, and beside that: steps write headers and directories anew.
const GROWTH: [usize; 2] = [4, 64 << 10];

/// A copy has the report that its repair says, and no error if it is sound. A file that needs no step stays as it is, and so does a
/// sound copy.
pub fn examine(bytes: &[u8]) {
    let options = Options::new().limits(limits());
    let repaired = match repair(bytes, &options) {
        Ok(repaired) => repaired,
        Err(Error::Limit { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let report = Checker::new().limits(limits()).check_slice(repaired.bytes()).expect("bytes in memory can be read");
    assert_eq!(report, repaired.report);
    assert_eq!(repaired.is_sound(), report.verdict() < Verdict::Error);
    assert!(repaired.steps.iter().all(|step| mended_by(step.rule).is_some()), "{:?}", repaired.steps);
    assert!(!repaired.steps.is_empty() || repaired.bytes() == bytes, "it changed without a step");
    let [each, beside] = GROWTH;
    assert!(repaired.bytes().len() <= bytes.len() * each + beside, "{} bytes", repaired.bytes().len());
    if repaired.is_sound() {
        match repair(repaired.bytes(), &options) {
            Ok(again) => assert!(again.steps.is_empty(), "{:?} after {:?}", again.steps, repaired.steps),
            Err(error) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
        }
    }
}
