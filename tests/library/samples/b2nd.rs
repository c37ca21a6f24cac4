//! b2nd arrays.

use super::b2nd_files;
use crate::samples::expected::{B2ND_FOUND, B2ND_WARNED, REFUSED_B2ND};
use ndbytes::{Checker, Depth, Limits, Verdict, b2nd};
use ndbytes_testkit::b2nd::{Expected, assert_holds, digest};
use ndbytes_testkit::samples;
use std::collections::BTreeSet;
use std::path::Path;

/// Asserts that the check of an array finds only expected warnings.
fn assert_sound(name: &str, path: &Path) {
    let rules = |depth| {
        let report = Checker::new().depth(depth).check(path).unwrap();
        assert_ne!(report.verdict(), Verdict::Error, "{name}: {:?}", report.findings());
        let mut rules: Vec<_> = report.findings().iter().map(|finding| finding.rule.id).collect();
        rules.dedup();
        rules
    };
    let expected = B2ND_WARNED.iter().find(|(warned, _)| *warned == name).map_or(&[][..], |(_, rules)| rules).to_vec();
    assert_eq!(rules(Depth::Payload), expected, "{name}");
    assert!(rules(Depth::Structure).iter().all(|rule| expected.contains(rule)), "{name}");
}

fn hold_what_numpy_has(part: &str, count: usize) {
    let folder = samples();
    let files = b2nd_files(&folder, part);
    assert_eq!(files.len(), count);
    for (name, path) in files {
        let array = b2nd::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let expected = Expected::npy(&path.with_extension("npy"));
        assert_holds(&array, &expected, 200, &name);
        assert_sound(&name, &path);
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn arrays_that_were_made_hold_what_numpy_has() {
    hold_what_numpy_has("made", 100);
}

#[test]
#[ignore = "needs ../shared/data"]
fn arrays_of_old_versions_hold_what_numpy_has() {
    hold_what_numpy_has("old", 26);
}

#[test]
#[ignore = "needs ../shared/data"]
fn arrays_from_elsewhere_hold_what_another_decoder_reads() {
    let folder = samples();
    let folder = folder.join("b2nd");
    for &(name, shape, item_size, expected) in B2ND_FOUND {
        let path = folder.join(name);
        let array = b2nd::open(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((array.shape(), array.item_type().size()), (shape, item_size), "{name}");
        let bytes = array.to_bytes().unwrap();
        assert_eq!(digest(&bytes), expected, "{name}");
        // Reading in parts returns the same items as reading at once.
        let whole = Expected::new(array.item_type().clone(), shape.to_vec(), bytes);
        assert_holds(&array, &whole, 50, name);
        assert_sound(name, &path);
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn arrays_of_plugins_are_refused_by_name() {
    let folder = samples();
    for &(name, rule, word) in REFUSED_B2ND {
        let path = folder.join("b2nd").join(name);
        let error = b2nd::open(&path).and_then(|array| array.to_bytes()).expect_err(name);
        let finding = error.finding().unwrap_or_else(|| panic!("{name}: {error}"));
        assert_eq!(finding.rule.id, rule, "{name}");
        assert!(finding.message.contains(word), "{name}: {finding}");
        let report = ndbytes::check(&path, &Limits::default()).unwrap();
        assert_eq!(report.findings().first(), Some(finding), "{name}: {:?}", report.findings());
    }
}

#[test]
#[ignore = "needs ../shared/data"]
fn an_array_that_c_blosc2_cannot_read_back_is_read() {
    let folder = samples();
    let path = folder.join("b2nd/unsupported/dict_incompressible.b2nd");
    let array = b2nd::open(&path).unwrap();
    assert_holds(&array, &Expected::npy(&path.with_extension("npy")), 200, "dict_incompressible");
    assert_sound("dict_incompressible", &path);
}

#[test]
#[ignore = "needs ../shared/data"]
fn every_sample_of_b2nd_is_expected() {
    let folder = samples();
    let mut names: BTreeSet<&str> = REFUSED_B2ND.iter().map(|&(name, ..)| name).collect();
    names.extend(B2ND_FOUND.iter().map(|&(name, ..)| name));
    // The operands of the lazy expression are plain arrays.
    names.extend(["unsupported/dict_incompressible.b2nd", "unsupported/lazy_a.b2nd", "unsupported/lazy_b.b2nd"]);
    let files: Vec<_> = ["found", "unsupported"].iter().flat_map(|part| b2nd_files(&folder, part)).collect();
    assert_eq!(files.iter().map(|(name, _)| name.as_str()).collect::<BTreeSet<_>>(), names);
    for operand in ["lazy_a", "lazy_b"] {
        let array = b2nd::open(folder.join(format!("b2nd/unsupported/{operand}.b2nd"))).unwrap();
        assert_eq!(array.to_array::<f64>().unwrap().len() as u64, array.len());
    }
}
