//! The scripts in `.ci` run existing tests. A filter that matches nothing, or a target whose features are off, would pass silently.

use ndbytes_testkit::project;
use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// The scripts of the gate and of the jobs with nightly Rust.
fn scripts() -> Vec<PathBuf> {
    let folder = project().join(".ci");
    let steps = fs::read_dir(folder.join("steps")).unwrap().map(|entry| entry.unwrap().path());
    steps.chain([folder.join("run"), folder.join("tsan.sh")]).collect()
}

/// The directory of a test program whose modules scripts select.
fn folder_of(program: &str) -> PathBuf {
    let folders = [
        ("it", "crates/cli/tests/it"),
        ("library", "tests/library"),
        ("engine", "everybyte/tests/engine"),
        ("compare", "crates/compare/tests/compare"),
    ];
    let (_, folder) = folders.into_iter().find(|(name, _)| *name == program).unwrap_or_else(|| panic!("{program}"));
    project().join(folder)
}

#[test]
fn filters_of_the_gate_name_modules() {
    let mut filters = 0;
    for script in scripts() {
        let text = fs::read_to_string(&script).unwrap().replace("\\\n", " ");
        for line in text.lines() {
            let words: Vec<&str> = line.split_whitespace().collect();
            let programs: Vec<&str> = words.windows(2).filter(|pair| pair[0] == "--test").map(|pair| pair[1]).collect();
            for filter in words.iter().filter_map(|word| word.strip_suffix("::")) {
                assert!(!programs.is_empty(), "{}: {filter} of which program?", script.display());
                for program in &programs {
                    let module = folder_of(program).join(filter.replace("::", "/"));
                    let is_there = module.with_extension("rs").is_file() || module.join("mod.rs").is_file();
                    assert!(is_there, "{}: {program} has no module {filter}", script.display());
                }
                filters += 1;
            }
        }
    }
    assert!(filters >= 4, "{filters} filters");
}

/// A step that is not listed would never run. CONTRIBUTING states the purpose of each step.
#[test]
fn steps_of_the_gate_are_listed_by_it_and_in_contributing() {
    let listed = Command::new(project().join(".ci/run")).arg("--list").output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    let files = fs::read_dir(project().join(".ci/steps")).unwrap();
    let files = files.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(listed.lines().map(str::to_owned).collect::<BTreeSet<_>>(), files.collect());
    let contributing = fs::read_to_string(project().join("CONTRIBUTING.md")).unwrap();
    for step in listed.lines() {
        assert!(contributing.contains(&format!("| `{step}` |")), "CONTRIBUTING.md has no row for {step}");
    }
}

/// Cargo silently skips a target whose features are off.
#[test]
fn features_that_tests_require_are_on_in_the_workspace() {
    let quoted = |line: &str| -> Vec<String> { line.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut required = 0;
    for folder in fs::read_dir(project().join("crates")).unwrap() {
        let Ok(manifest) = fs::read_to_string(folder.unwrap().path().join("Cargo.toml")) else { continue };
        // A crate that lists itself as a dev-dependency turns features on.
        let is_on = |line: &&str| line.starts_with("default = [") || line.contains("path = \".\"");
        let on: Vec<String> = manifest.lines().filter(is_on).flat_map(quoted).collect();
        for feature in manifest.lines().filter(|line| line.starts_with("required-features")).flat_map(quoted) {
            assert!(on.contains(&feature), "{feature} is off: {on:?}");
            required += 1;
        }
    }
    assert!(required >= 6, "{required} features are required");
}
