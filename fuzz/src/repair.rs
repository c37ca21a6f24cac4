//! Repaired copies of arbitrary bytes.

use crate::bounds::limits;
use ndbytes::repair::{Options, Step, mended_by, repair};
use ndbytes::{Checker, Error, Verdict};

/// The maximum length of a copy: per byte of the file, plus a constant, because steps rewrite headers and directories.
const GROWTH: [usize; 2] = [4, 64 << 10];

/// Asserts that a copy has the report that its repair states, without errors if it is sound, and that repairing a file
/// without errors or a sound copy changes nothing.
pub fn examine(bytes: &[u8]) {
    for drops in [false, true] {
        examine_with(bytes, &Options::new().limits(limits()).dropping(drops));
    }
}

fn examine_with(bytes: &[u8], options: &Options) {
    let repaired = match repair(bytes, options) {
        Ok(repaired) => repaired,
        Err(Error::Limit { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    let report = Checker::new().limits(limits()).check_slice(repaired.bytes()).expect("bytes in memory can be read");
    assert_eq!(report, repaired.report);
    assert_eq!(repaired.is_sound(), report.verdict() < Verdict::Error);
    // The remaining damage in a copy may break any rule.
    let is_told = |step: &Step| mended_by(step.rule).is_some() || step.done.ends_with("the lengths are right");
    assert!(repaired.steps.iter().all(is_told), "{:?}", repaired.steps);
    assert!(!repaired.steps.is_empty() || repaired.bytes() == bytes, "it changed without a step");
    let [each, beside] = GROWTH;
    assert!(repaired.bytes().len() <= bytes.len() * each + beside, "{} bytes", repaired.bytes().len());
    if repaired.is_sound() {
        match repair(repaired.bytes(), options) {
            Ok(again) => assert!(again.steps.is_empty(), "{:?} after {:?}", again.steps, repaired.steps),
            Err(error) => assert!(matches!(error, Error::Limit { .. }), "{error}"),
        }
    }
}
