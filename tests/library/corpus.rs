//! Every file of the corpus and of the pairs matches its recipe: its bytes, the expected findings, and its values.

use ndbytes::{Checker, Depth, Error, Format, Limits, Profile, Report, Result, Rule, Scalar, Scope};
use ndbytes_forge::NEVER_ALONE;
use ndbytes_testkit::corpus::{self, Sample};
use ndbytes_testkit::project;
use ndbytes_testkit::recipe::{self, Expected};
use ndbytes_testkit::reports::missing;
use ndbytes_testkit::values::{array_values, canonical, file_values, table_lines};
use std::collections::HashSet;
use std::fs;

#[test]
fn files_are_what_their_recipes_assemble_to() {
    for sample in corpus::compared() {
        if std::env::var_os("UPDATE_FILES").is_some() {
            fs::write(&sample.path, &sample.recipe.bytes).unwrap();
        }
    }
    for sample in files() {
        assert!(sample.bytes == sample.recipe.bytes, "{sample}: the recipe assembles to other bytes");
        assert!(sample.others() == sample.recipe.others, "{sample}: the recipe assembles to other files");
    }
}

/// The name of a file determines where its recipe is: the recipe for `bad/dims-cut.idx` is in `bad/dims.recipe`.
#[test]
fn recipes_are_in_the_file_of_their_first_word_in_the_order_of_their_names() {
    let mut count = 0;
    let folders = Format::ALL.into_iter().map(|format| format.to_string()).chain(["zip".to_owned()]);
    for folder in
        folders.flat_map(|kind| ["ok", "bad"].map(|folder| project().join("tests/corpus").join(&kind).join(folder)))
    {
        for path in fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()) {
            let text = fs::read_to_string(&path).unwrap_or_else(|_| panic!("{}: not a recipe", path.display()));
            let members = recipe::members(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            assert!(members.is_sorted_by_key(|member| member.name), "{}: not in order", path.display());
            for member in &members {
                let family = path.parent().unwrap().join(member.name.split(['-', '.']).next().unwrap());
                assert_eq!(path, family.with_extension("recipe"), "{}", member.name);
            }
            count += members.len();
        }
    }
    assert_eq!(count, corpus::everything().len());
}

/// The files of the corpus and of the pairs.
fn files() -> impl Iterator<Item = Sample> {
    corpus::everything().into_iter().chain(corpus::compared())
}

#[test]
fn findings_are_those_that_recipes_expect() {
    let mut wrong = Vec::new();
    for sample in files() {
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
    for sample in files() {
        let (recipe, limits) = (&sample.recipe, limits(&sample));
        let Some(format) = sample.format else { continue };
        let read = if format == Format::Idv {
            table_lines(&sample.bytes, limits).map(|lines| assert_eq!(Some(lines), recipe.table, "{sample}"))
        } else {
            let values = match format {
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
        // `ok` contains the readable files.
        let is_readable = sample.folder == "ok";
        match read {
            Ok(()) => assert!(is_readable, "{sample} is read"),
            Err(error) => {
                assert!(!is_readable, "{sample}: {error}");
                let rule = match &error {
                    Error::Limit { .. } => "limit-exceeded",
                    error => error.finding().unwrap_or_else(|| panic!("{sample}: {error}")).rule.id,
                };
                // If a file is opened as a certain format, the error is about that format.
                let fits = |expected: &Expected| expected.rule == rule || expected.rule == "unknown-format";
                assert!(recipe.strict.iter().any(fits), "{sample}: {error}");
            }
        }
    }
}

/// The findings that recipes expect, file by file and profile by profile.
fn expected_rules() -> Vec<Vec<String>> {
    let recipes = corpus::everything().into_iter().map(|sample| sample.recipe);
    let findings = recipes.flat_map(|recipe| [recipe.strict, recipe.reference]);
    findings.map(|findings| findings.into_iter().map(|finding| finding.rule).collect()).collect()
}

#[test]
fn every_rule_has_a_file_that_breaks_it_and_no_other() {
    let expected = expected_rules();
    let broken: HashSet<&str> = expected.iter().flatten().map(String::as_str).collect();
    let alone: HashSet<&str> = expected.iter().filter(|rules| rules.len() == 1).flatten().map(String::as_str).collect();
    // `envelope::zip` covers the stores, `formats::b2nd::read` the links, `seal` the changes, `files::names` the names
    // and pairs, `tool::contract` the contracts.
    const ELSEWHERE: [&str; 7] = [
        "zip/store",
        "b2nd/linked-file",
        "changed",
        "misnamed",
        "idx/name-mismatch",
        "idx/pair-length",
        "gzip/name-mismatch",
    ];
    let of_bytes = |rule: &&Rule| !ELSEWHERE.contains(&rule.id) && rule.scope != Scope::Contract;
    for rule in ndbytes::rules().filter(of_bytes) {
        assert!(broken.contains(rule.id), "no file breaks {}", rule.id);
        let is_listed = NEVER_ALONE.iter().any(|(listed, ..)| *listed == rule.id);
        assert_eq!(alone.contains(rule.id), !is_listed, "whether a file breaks {} alone", rule.id);
    }
}

#[test]
fn rules_that_never_come_alone_come_with_what_they_need() {
    let expected = expected_rules();
    for (rule, other, why) in NEVER_ALONE {
        for rules in expected.iter().filter(|rules| rules.iter().any(|found| found == rule)) {
            assert!(rules.iter().any(|found| found == other), "{rule} without {other}, though {why}: {rules:?}");
        }
    }
}

#[test]
fn findings_of_the_structure_are_findings_of_the_whole() {
    for sample in corpus::everything() {
        for profile in [Profile::Strict, Profile::Reference] {
            let checker = checker(&sample).profile(profile);
            let full = check(&sample, checker).unwrap();
            let structure = check(&sample, checker.depth(Depth::Structure)).unwrap();
            let missing = missing(&structure, &full);
            assert!(missing.is_empty(), "{sample}: {missing:?}, but {:?}", full.findings());
        }
    }
}

#[test]
fn scalars_know_their_type() {
    let sample = corpus::samples().into_iter().find(|sample| sample.name == "u8-1d").unwrap();
    assert_eq!(sample.format, Some(Format::Idx));
    let dtype = ndbytes::idx::from_slice(&sample.bytes).unwrap().dtype();
    assert_eq!(Scalar::from_bytes(&sample.bytes[8..9], dtype), Scalar::Uint(sample.bytes[8].into()));
}

fn limits(sample: &Sample) -> Limits {
    sample.recipe.memory.map_or_else(Limits::default, |memory| Limits::default().memory(memory))
}

fn checker(sample: &Sample) -> Checker {
    Checker::new().limits(limits(sample))
}

/// Checks a sample. A directory must be opened by path; everything else can be checked in memory.
fn check(sample: &Sample, checker: Checker) -> Result<Report> {
    if sample.path.is_dir() { checker.check(&sample.path) } else { checker.check_slice(&sample.bytes) }
}
