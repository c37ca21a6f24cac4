//! The house: the rooms (modules) of each crate are on floors. No import leads upwards, sideways, or through the root.

mod crates;
mod imports;
mod memory;
mod prose;

use crates::{Module, crates, modules, read};
use imports::{Imports, imports};
use ndbytes::Format;
use ndbytes_testkit::project;
use std::collections::BTreeSet;

/// The floors, the highest first. `ARCHITECTURE.md` describes them.
const FLOORS: [&[&str]; 16] = [
    &["lib"],
    &["repair"],
    &["any"],
    &["idx", "rawarray", "idv", "b2nd", "npy", "safetensors", "gguf"],
    &["models"],
    &["format_driver", "walk"],
    &["envelope"],
    &["zip"],
    &["blosc2", "gzip", "tensors"],
    &["options"],
    &["arrays"],
    &["bytes"],
    &["error"],
    &["findings"],
    &["format"],
    &["types"],
];

fn floor(module: &[String]) -> usize {
    let room = &module[0];
    FLOORS.iter().position(|rooms| rooms.contains(&room.as_str())).unwrap_or_else(|| panic!("{room} has no floor"))
}

#[test]
fn no_module_imports_upwards_sideways_or_through_the_root() {
    let mut wrong = Vec::new();
    for (module, named) in imports(&modules(&project().join("src"))) {
        for other in named.iter().filter(|other| other[0] != module[0] && floor(other) <= floor(&module)) {
            wrong.push(format!("{} -> {}", module.join("::"), other.join("::")));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The imports in cycles, or on a path from one cycle to another. They are what remains after repeatedly removing
/// modules that import nothing, and modules that nothing imports.
fn circles(imports: &Imports) -> Vec<String> {
    let mut left = imports.clone();
    loop {
        let imported: BTreeSet<Module> = left.values().flatten().cloned().collect();
        let before = left.len();
        left.retain(|module, named| !named.is_empty() && imported.contains(module));
        let modules: BTreeSet<Module> = left.keys().cloned().collect();
        left.values_mut().for_each(|named| named.retain(|other| modules.contains(other)));
        if left.len() == before {
            break;
        }
    }
    let of_one = |(module, named): (&Module, &BTreeSet<Module>)| {
        let arrow = |other: &Module| format!("{} -> {}", module.join("::"), other.join("::"));
        named.iter().map(arrow).collect::<Vec<_>>()
    };
    left.iter().flat_map(of_one).collect()
}

/// The imports of the rooms of a crate, which are the modules directly below its root, each with everything in it.
fn of_rooms(imports: &Imports) -> Imports {
    let mut rooms = Imports::new();
    for (module, named) in imports {
        let others = named.iter().map(|other| other[..1].to_vec()).filter(|other| other[0] != module[0]);
        rooms.entry(module[..1].to_vec()).or_default().extend(others);
    }
    rooms
}

#[test]
fn no_circle_leads_through_the_files_or_rooms_of_a_crate() {
    let mut wrong = Vec::new();
    for folder in crates() {
        let mut imports = imports(&modules(&project().join(&folder).join("src")));
        if [".", "crates/compare", "crates/forge"].contains(&&*folder) {
            // A directory's `mod.rs` and its files count as one module, except for imports between two of the files.
            imports.iter_mut().for_each(|(module, named)| named.retain(|other| !other.starts_with(module)));
        }
        let found = circles(&imports).into_iter().chain(circles(&of_rooms(&imports)));
        wrong.extend(found.map(|arrow| format!("{folder}: {arrow}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// Clippy counts the lines of functions only if the root of a crate denies longer ones.
#[test]
fn functions_are_denied_over_50_lines_in_the_crates_of_the_product() {
    let is_of_product = |folder: &String| {
        ["crates/", "everybyte"].iter().any(|products| folder.starts_with(products)) && !folder.contains("/tests/")
            || [".", "schemas"].contains(&folder.as_str())
    };
    let mut wrong = Vec::new();
    for folder in crates().into_iter().filter(is_of_product) {
        let source = project().join(&folder).join("src");
        let roots = ["lib.rs", "main.rs", "bin/everybyte/main.rs"]
            .map(|root| source.join(root))
            .into_iter()
            .filter(|root| root.is_file());
        wrong
            .extend(roots.filter(|root| !read(root).contains("#![cfg_attr(not(test), deny(clippy::too_many_lines))]")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(read(&project().join("clippy.toml")).contains("\ntoo-many-lines-threshold = 50\n"));
}

/// The system may refuse threads. rayon would then panic, unless threads were requested before.
#[test]
fn work_is_shared_among_threads_that_were_asked_for() {
    let shares = |code: &str| {
        code.contains("rayon::") && !["threads::ready()", "threads::number()"].iter().any(|ask| code.contains(ask))
    };
    let mut wrong = Vec::new();
    let folders = ["compare", "forge", "arrow", "convert", "cli", "page", "pictures", "text", "web"]
        .map(|name| format!("crates/{name}"));
    for folder in folders.iter().map(String::as_str).chain(["."]) {
        let modules = modules(&project().join(folder).join("src"));
        let sharing = modules.iter().filter(|(_, code)| shares(code));
        wrong.extend(sharing.map(|(module, _)| format!("{folder}: {}", module.join("::"))));
    }
    assert_eq!(wrong, [".: bytes::threads"], "this one alone makes them");
}

/// The files that name most of the formats, and why.
const LISTS: [(&str, &str); 12] = [
    ("benches/fuzzers/src/readers.rs", "readers of others, and the kind of file that each reads"),
    ("crates/convert/src/arrays/fit.rs", "the element types that each kind of file can hold"),
    ("crates/convert/src/arrays/write.rs", "the writer of each kind of file"),
    ("crates/convert/src/kind.rs", "the kinds of files that are written"),
    ("crates/convert/src/merge/write.rs", "the writer of each format, as a file of it was written"),
    ("crates/python/src/memory.rs", "the arrays whose elements NumPy sees in place"),
    ("crates/python/src/save.rs", "the writer of each format"),
    ("crates/testkit/src/values.rs", "the public reader of each format, which tests ask"),
    ("src/findings/rule.rs", "the reaction of each of these readers"),
    ("src/repair/mod.rs", "the ways of mending, which most formats have"),
    ("src/zip/contents.rs", "what archives of each format hold, and which are read in spite of a flaw"),
    ("src/zip/rules.rs", "the reader of archives of each format"),
];

/// A new format must be added only to these files, since everything else uses the registers.
#[test]
fn formats_are_listed_in_the_registers_and_by_writers_alone() {
    let names = Format::ALL.map(|format| format!("::{format:?}"));
    let mut found = Vec::new();
    for folder in crates().iter().filter(|folder| !folder.contains("tests") && *folder != "fuzz") {
        let source = project().join(folder).join("src");
        for (module, code) in modules(&source) {
            let names_it = |name: &&String| {
                code.match_indices(&***name).any(|(at, _)| !code[at + name.len()..].starts_with(char::is_alphanumeric))
            };
            if names.iter().filter(names_it).count() >= 3 {
                found.push(format!("{folder}: {}", module.join("::")));
            }
        }
    }
    let path = |(path, _): &(&str, &str)| {
        let (folder, module) = path.split_once("src/").unwrap();
        let folder = if folder.is_empty() { "." } else { folder.trim_end_matches('/') };
        let module = module.trim_end_matches(".rs").trim_end_matches("/mod").replace('/', "::");
        format!("{folder}: {module}")
    };
    let mut known: Vec<String> = LISTS.iter().map(path).collect();
    found.sort();
    known.sort();
    assert_eq!(found, known);
}
