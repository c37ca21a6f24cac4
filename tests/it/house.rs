//! The house: rooms of the library stand on floors, and nothing imports upwards, sideways, or through the root.

use crate::support::project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The floors, the highest first. `ARCHITECTURE.md` says what is in them.
const FLOORS: [&[&str]; 14] = [
    &["lib"],
    &["repair"],
    &["any"],
    &["idx", "rawarray", "idv", "b2nd", "npy"],
    &["room", "walk"],
    &["envelope"],
    &["blosc2"],
    &["options"],
    &["arrays"],
    &["bytes"],
    &["error"],
    &["findings"],
    &["format"],
    &["types"],
];

/// A module: its path inside the crate, without `crate`.
type Module = Vec<String>;

/// The paths that a module names, each from the root of the crate.
type Imports = BTreeMap<Module, BTreeSet<Module>>;

fn modules(folder: &Path, around: &[String], found: &mut BTreeMap<Module, String>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let inside = |name: String| around.iter().cloned().chain([name]).collect::<Module>();
        if path.is_dir() {
            modules(&path, &inside(name), found);
        } else if name == "mod" {
            found.insert(around.to_vec(), fs::read_to_string(&path).unwrap());
        } else {
            found.insert(inside(name), fs::read_to_string(&path).unwrap());
        }
    }
}

/// The code without comments and unit tests.
fn code(source: &str) -> String {
    let source = source.split("#[cfg(test)]\nmod tests {").next().unwrap();
    source.lines().map(|line| line.split("//").next().unwrap()).collect::<Vec<_>>().join("\n")
}

/// All paths of a tree such as `a::{b, c::{d, e}}`.
fn expanded(tree: &str) -> Vec<String> {
    let Some(open) = tree.find('{') else { return vec![tree.trim().to_owned()] };
    let (head, mut rest) = (tree[..open].trim(), &tree[open + 1..tree.rfind('}').unwrap()]);
    let mut paths = Vec::new();
    while !rest.trim().is_empty() {
        let mut depth = 0;
        let end = rest.char_indices().find(|&(_, letter)| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            depth == 0 && letter == ','
        });
        let end = end.map_or(rest.len(), |(at, _)| at);
        paths.extend(expanded(&rest[..end]).iter().map(|path| format!("{head}{path}")));
        rest = rest.get(end + 1..).unwrap_or_default();
    }
    paths
}

/// Every path that begins with `crate` or `super` in the code of a module.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::").chain(code.match_indices("super::")) {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        if before.is_alphanumeric() || before == '_' || before == ':' || before == '$' {
            continue;
        }
        let mut depth = 0;
        let end = code[at..].find(|letter: char| {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            let is_part = letter.is_alphanumeric() || matches!(letter, '_' | ':' | '{' | '}');
            depth < 0 || (depth == 0 && !is_part) || letter == ';'
        });
        let tree = &code[at..end.map_or(code.len(), |end| at + end)];
        found.extend(expanded(tree));
    }
    found
}

fn imports() -> Imports {
    let mut sources = BTreeMap::new();
    modules(&project().join("src"), &[], &mut sources);
    let known: BTreeSet<&Module> = sources.keys().collect();
    let mut imports = Imports::new();
    for (module, source) in &sources {
        let named = paths(&code(source)).into_iter().map(|path| {
            let mut steps: Vec<&str> = path.split("::").map(str::trim).filter(|step| !step.is_empty()).collect();
            let mut from = module.clone();
            if steps[0] == "crate" {
                (from, steps) = (Vec::new(), steps[1..].to_vec());
            }
            while steps.first() == Some(&"super") {
                from.pop();
                steps.remove(0);
            }
            from.extend(steps.into_iter().map(str::to_owned));
            // The module that the path leads to; what is left of the path stands in it.
            let whole = from.clone();
            while !from.is_empty() && !known.contains(&from) {
                from.pop();
            }
            if from.is_empty() { [vec!["lib".to_owned()], whole].concat() } else { from }
        });
        imports.insert(module.clone(), named.filter(|named| named != module).collect());
    }
    imports
}

fn floor(module: &[String]) -> usize {
    let room = &module[0];
    FLOORS.iter().position(|rooms| rooms.contains(&room.as_str())).unwrap_or_else(|| panic!("{room} has no floor"))
}

#[test]
fn no_module_imports_upwards_sideways_or_through_the_root() {
    let mut wrong = Vec::new();
    for (module, named) in imports() {
        for other in named.iter().filter(|other| other[0] != module[0] && floor(other) <= floor(&module)) {
            wrong.push(format!("{} -> {}", module.join("::"), other.join("::")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn no_circle_leads_through_the_files() {
    let imports = imports();
    // A module is below another one if a way leads to it; a folder's `mod.rs` and its files are one place for that, but for
    // what a file takes from another file.
    let mut reached: Imports = imports.clone();
    loop {
        let before: usize = reached.values().map(BTreeSet::len).sum();
        for module in imports.keys() {
            let further: BTreeSet<Module> =
                reached[module].iter().filter_map(|other| reached.get(other)).flatten().cloned().collect();
            reached.get_mut(module).unwrap().extend(further);
        }
        if reached.values().map(BTreeSet::len).sum::<usize>() == before {
            break;
        }
    }
    let circles: Vec<String> = reached
        .iter()
        .filter(|(module, others)| others.contains(*module))
        .map(|(module, _)| module.join("::"))
        .collect();
    assert!(circles.is_empty(), "{circles:#?}");
}

/// The system may refuse threads. rayon would panic then, where nobody has asked for them before.
#[test]
fn work_is_shared_among_threads_that_were_asked_for() {
    let (root, mut modules_of_all) = (project(), BTreeMap::new());
    for folder in [
        "src",
        "crates/compare/src",
        "crates/forge/src",
        "crates/arrow/src",
        "crates/convert/src",
        "crates/cli/src",
        "crates/page/src",
    ] {
        modules(&root.join(folder), &[folder.to_owned()], &mut modules_of_all);
    }
    let shares = |source: &str| {
        let code = code(source);
        code.contains("rayon::") && !["threads::ready()", "threads::number()"].iter().any(|ask| code.contains(ask))
    };
    let wrong: Vec<_> = modules_of_all.iter().filter(|(_, source)| shares(source)).map(|(module, _)| module).collect();
    assert_eq!(wrong, [&["src", "bytes", "threads"].map(str::to_owned).to_vec()], "this one alone makes them");
}
