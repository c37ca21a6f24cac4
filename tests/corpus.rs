//! Every file of the corpus: it is what its recipe says, it is found to be what its recipe expects, and its values are
//! those that its recipe gives.

mod support;

use ndbytes::{Checker, Depth, Error, Format, Limits, Profile, Report, Result, Scalar};
use std::collections::HashSet;
use std::fs;
use support::corpus::{self, Sample};
use support::recipe::Expected;
use support::values::{array_values, canonical, file_values, table_lines};

#[test]
fn files_are_what_their_recipes_assemble_to() {
    for sample in corpus::everything() {
        assert!(sample.bytes == sample.recipe.bytes, "{sample}: the recipe assembles to other bytes");
        assert!(sample.others() == sample.recipe.others, "{sample}: the recipe assembles to other files");
    }
}

#[test]
fn findings_are_those_that_recipes_expect() {
    let mut wrong = Vec::new();
    for sample in corpus::everything() {
        for (profile, expected) in
            [(Profile::Strict, &sample.recipe.strict), (Profile::Reference, &sample.recipe.reference)]
        {
            let report = match check(&sample, checker(&sample).profile(profile)) {
                Ok(report) => report,
                Err(error) => {
                    wrong.push(format!("{sample}, {profile:?}: {error}"));
                    continue;
                }
            };
            let mut found: Vec<Expected> = report
                .findings()
                .iter()
                .map(|finding| Expected { severity: finding.severity.to_string(), rule: finding.rule.id.into() })
                .collect();
            let mut expected = expected.clone();
            found.sort();
            expected.sort();
            if found != expected {
                let list = |all: &[Expected]| all.iter().map(Expected::to_string).collect::<Vec<_>>().join(", ");
                wrong.push(format!("{sample}, {profile:?}: {}; expected {}", list(&found), list(&expected)));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
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
    for sample in corpus::everything() {
        let (recipe, limits) = (&sample.recipe, limits(&sample));
        let read = if sample.format == Format::Idv {
            table_lines(&sample.bytes, limits).map(|lines| assert_eq!(Some(lines), recipe.table, "{sample}"))
        } else {
            let values = match sample.format {
                Format::B2nd => array_values(&sample.path, limits),
                format => file_values(&sample.bytes, format, limits),
            };
            values.map(|file| {
                if sample.folder == "bad" {
                    return;
                }
                let shape: Vec<u64> = file.shape.iter().map(|&extent| extent as u64).collect();
                assert_eq!(Some(shape), recipe.shape, "{sample}");
                let expected = recipe.values.iter().flatten().map(|value| canonical(value, &file.descr));
                assert_eq!(file.values, expected.collect::<Vec<_>>(), "{sample}");
                assert_eq!(Some(file.descr), recipe.dtype, "{sample}");
            })
        };
        // What can be read is what `ok` holds, and arrays whose chunks share bytes, which only a check comes across.
        let are_shared = recipe.strict.iter().all(|expected| expected.rule == "b2nd/overlapping-chunks");
        assert_eq!(read.is_ok(), sample.folder == "ok" || are_shared, "{sample}: {read:?}");
        if let Err(error) = read {
            let rule = match &error {
                Error::Limit { .. } => "limit-exceeded",
                error => error.finding().unwrap_or_else(|| panic!("{sample}: {error}")).rule.id,
            };
            // Asked for one format, the library says what is wrong with it as a file of that format.
            let fits = |expected: &Expected| expected.rule == rule || expected.rule == "unknown-format";
            assert!(recipe.strict.iter().any(fits), "{sample}: {error}");
        }
    }
}

#[test]
fn every_rule_has_a_file_that_breaks_it_and_no_other() {
    let (mut broken, mut alone) = (HashSet::new(), HashSet::new());
    for recipe in corpus::everything().into_iter().map(|sample| sample.recipe) {
        for findings in [&recipe.strict, &recipe.reference] {
            broken.extend(findings.iter().map(|finding| finding.rule.clone()));
            alone.extend(findings.iter().map(|finding| finding.rule.clone()).filter(|_| findings.len() == 1));
        }
    }
    let readme = fs::read_to_string(corpus::root().join("README.md")).unwrap();
    let (_, never_alone) = readme.split_once("## Rules that never come alone").unwrap();
    // `tests/archive.rs` makes the archives that break the rules of archives.
    for rule in ndbytes::rules().filter(|rule| !rule.id.starts_with("zip/")) {
        assert!(broken.contains(rule.id), "no file breaks {}", rule.id);
        let is_listed = never_alone.contains(&format!("`{}`", rule.id));
        assert!(alone.contains(rule.id) || is_listed, "no file breaks {} alone", rule.id);
    }
}

#[test]
fn structure_is_judged_without_the_payload() {
    for sample in corpus::everything() {
        let full = check(&sample, checker(&sample)).unwrap();
        let structure = check(&sample, checker(&sample).depth(Depth::Structure)).unwrap();
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

/// A folder has to be opened; everything else may be checked where it is.
fn check(sample: &Sample, checker: Checker) -> Result<Report> {
    if sample.path.is_dir() { checker.check(&sample.path) } else { checker.check_slice(&sample.bytes) }
}
