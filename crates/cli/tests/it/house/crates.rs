//! The crates of the project, as listed in its manifest, and the modules of each.

use ndbytes_testkit::project;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A module, given by its path inside the crate, without `crate`. The root is `lib` or `main`.
pub type Module = Vec<String>;

/// The text of a file.
pub fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The directories of all crates with sources: the members of the workspace, and the excluded ones. Cargo refuses a
/// crate that is neither. A crate with only tests has no sources.
pub fn crates() -> Vec<String> {
    let manifest = read(&project().join("Cargo.toml"));
    let listed = |key: &str| {
        let list = manifest.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(" = [")).unwrap();
        list.split('"').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>()
    };
    let mut crates = [listed("members"), listed("exclude")].concat();
    crates.retain(|folder| project().join(folder).join("src").is_dir());
    crates
}

/// The code of each module in a directory, without comments and unit tests.
pub fn modules(folder: &Path) -> BTreeMap<Module, String> {
    let mut found = BTreeMap::new();
    gather(folder, &[], &mut found);
    let tests: Vec<Module> = found.iter().flat_map(|(module, code)| tests_of(module, code)).collect();
    found.retain(|module, _| !tests.iter().any(|test| module.starts_with(test)));
    found.values_mut().for_each(|code| *code = without_tests(code));
    found
}

fn gather(folder: &Path, around: &[String], found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inside = |name: String| around.iter().cloned().chain([name]).collect::<Module>();
        if path.is_dir() {
            gather(&path, &inside(name), found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = if name == "mod" { around.to_vec() } else { inside(name) };
            found.insert(module, code(&read(&path)));
        }
    }
}

fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    source.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// The modules that a module declares for unit tests.
fn tests_of(module: &[String], code: &str) -> Vec<Module> {
    let declared = code.split("#[cfg(test)]\nmod ").skip(1).filter_map(|rest| rest.split_once(';'));
    let is_root = *module == ["lib"] || *module == ["main"];
    let around = if is_root { &[] } else { module };
    declared.map(|(name, _)| around.iter().cloned().chain([name.to_owned()]).collect()).collect()
}

/// The code without lines of registers and lists that exist only in tests.
fn without_tests(code: &str) -> String {
    let mut is_of_test = false;
    let keep = |line: &&str| {
        let line = line.trim_start();
        let is_dropped = is_of_test || line.starts_with("[test] ");
        is_of_test = line.starts_with("#[cfg(test)]");
        !is_dropped
    };
    code.lines().filter(keep).collect::<Vec<_>>().join("\n")
}
