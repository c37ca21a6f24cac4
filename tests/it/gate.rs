//! What the scripts of `.ci` run is there to be run: a filter that fits no test, or a target whose features are off, would pass in
//! silence.

use crate::support;

#[test]
fn filters_of_the_gate_name_modules() {
    let mut filters = 0;
    for script in ["run", "tsan.sh"] {
        let text = std::fs::read_to_string(support::project().join(".ci").join(script)).unwrap();
        for filter in text.split_whitespace().filter_map(|word| word.strip_suffix("::")) {
            let module = support::project().join("tests/it").join(filter.replace("::", "/"));
            let is_there = module.with_extension("rs").is_file() || module.join("mod.rs").is_file();
            assert!(is_there, ".ci/{script}: there is no module {filter}");
            filters += 1;
        }
    }
    assert!(filters >= 10, "{filters} filters");
}

/// Cargo passes over a target whose features are off without a word.
#[test]
fn features_that_tests_require_are_on_in_the_workspace() {
    let quoted = |line: &str| -> Vec<String> { line.split('"').skip(1).step_by(2).map(str::to_owned).collect() };
    let mut required = 0;
    for folder in std::fs::read_dir(support::project().join("crates")).unwrap() {
        let Ok(manifest) = std::fs::read_to_string(folder.unwrap().path().join("Cargo.toml")) else { continue };
        // The crate itself among its dependencies for tests turns features on.
        let is_on = |line: &&str| line.starts_with("default = [") || line.contains("path = \".\"");
        let on: Vec<String> = manifest.lines().filter(is_on).flat_map(quoted).collect();
        for feature in manifest.lines().filter(|line| line.starts_with("required-features")).flat_map(quoted) {
            assert!(on.contains(&feature), "{feature} is off: {on:?}");
            required += 1;
        }
    }
    assert!(required >= 6, "{required} features are required");
}
