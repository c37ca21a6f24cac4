//! Every file of the corpus: it is what its recipe says, it is found to be what its recipe expects, and its values are
//! those that its recipe gives.

mod support;

use ndbytes::{Checker, Depth, Format, Limits, Profile, Scalar};
use std::collections::{BTreeMap, BTreeSet};
use support::corpus::{self, Sample};
use support::recipe::Expected;
use support::values::{canonical, file_values};

#[test]
fn files_are_what_their_recipes_assemble_to() {
    for sample in corpus::samples() {
        assert!(sample.bytes == sample.recipe.bytes, "{sample}: the recipe assembles to other bytes");
    }
}

#[test]
fn findings_are_those_that_recipes_expect() {
    for sample in corpus::samples() {
        for (profile, expected) in
            [(Profile::Strict, &sample.recipe.strict), (Profile::Reference, &sample.recipe.reference)]
        {
            let report = checker(&sample).profile(profile).check_slice(&sample.bytes).unwrap();
            let found: BTreeSet<Expected> = report
                .findings()
                .iter()
                .map(|finding| Expected { severity: finding.severity.to_string(), rule: finding.rule.id.into() })
                .collect();
            let expected: BTreeSet<Expected> = expected.iter().cloned().collect();
            assert_eq!(found, expected, "{sample}, {profile:?}");
            assert_eq!(report.findings().len(), found.len(), "{sample}: a rule is reported twice");
        }
    }
}

#[test]
fn a_path_a_slice_and_a_stream_give_the_same_findings() {
    for sample in corpus::samples() {
        let checker = checker(&sample);
        let findings = checker.check_slice(&sample.bytes).unwrap();
        assert_eq!(checker.check(&sample.path).unwrap(), findings, "{sample}");
        if sample.recipe.memory.is_none() {
            assert_eq!(checker.check_reader(&sample.bytes[..]).unwrap(), findings, "{sample}");
        }
    }
}

#[test]
fn values_are_those_that_recipes_give() {
    for sample in corpus::samples() {
        let recipe = &sample.recipe;
        let limits = limits(&sample);
        match file_values(&sample.bytes, sample.format, limits) {
            Ok(file) => {
                let shape: Vec<u64> = file.shape.iter().map(|&extent| extent as u64).collect();
                assert_eq!(Some(shape), recipe.shape, "{sample}");
                let expected = recipe.values.iter().flatten().map(|value| canonical(value, &file.descr));
                assert_eq!(file.values, expected.collect::<Vec<_>>(), "{sample}");
                assert_eq!(Some(file.descr), recipe.dtype, "{sample}");
            }
            Err(error) => {
                assert_eq!(sample.folder, "bad", "{sample}: {error}");
                let rule = error.finding().unwrap_or_else(|| panic!("{sample}: {error}")).rule;
                // Asked for one format, the library says what is wrong with it as a file of that format.
                let fits = |expected: &Expected| expected.rule == rule.id || expected.rule == "unknown-format";
                assert!(recipe.strict.iter().any(fits), "{sample}: {error}");
            }
        }
    }
}

#[test]
fn ok_files_are_readable_and_bad_files_are_not() {
    for sample in corpus::samples() {
        let readable = file_values(&sample.bytes, sample.format, limits(&sample)).is_ok();
        assert_eq!(readable, sample.folder == "ok", "{sample}");
    }
}

#[test]
fn every_rule_has_a_file_that_breaks_it() {
    let mut broken: BTreeMap<String, usize> = BTreeMap::new();
    for sample in corpus::samples() {
        for expected in sample.recipe.reference {
            *broken.entry(expected.rule).or_default() += 1;
        }
    }
    for rule in ndbytes::rules() {
        assert!(broken.contains_key(rule.id), "no file breaks {}", rule.id);
    }
}

#[test]
fn structure_is_judged_without_the_payload() {
    for sample in corpus::samples() {
        let full = checker(&sample).check_slice(&sample.bytes).unwrap();
        let structure = checker(&sample).depth(Depth::Structure).check_slice(&sample.bytes).unwrap();
        assert!(structure.verdict() <= full.verdict(), "{sample}: {:?}", structure.findings());
    }
}

#[test]
fn scalars_know_their_type() {
    let sample = corpus::samples().into_iter().find(|sample| sample.name == "u8-1d").unwrap();
    assert_eq!(sample.format, Format::Idx);
    let dtype = ndbytes::idx::from_slice(&sample.bytes).unwrap().dtype();
    assert_eq!(Scalar::from_bytes(&sample.bytes[8..9], dtype), Scalar::Uint(sample.bytes[8].into()));
}

fn limits(sample: &Sample) -> Limits {
    sample.recipe.memory.map_or_else(Limits::default, |memory| Limits::default().memory(memory))
}

fn checker(sample: &Sample) -> Checker {
    Checker::new().limits(limits(sample))
}
