//! Allocations of a claimed size. Clippy refuses the methods in `clippy.toml`, but `vec![value; number]` is not a
//! method. So for all crates that read third-party files, the files that allocate in this way are listed here, each
//! with the bound on the number.

use super::crates::read;
use ndbytes_testkit::project;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// The crates above the library that read third-party files and specifications. The library itself has budgets.
const CRATES: [&str; 5] = ["crates/convert", "crates/arrow", "everybyte/ksy", "crates/cli", "crates/stores"];

/// The files, the number of such allocations in each, and the bound.
const PLACES: [(&str, usize, &str); 15] = [
    ("crates/arrow/src/idv/categories.rs", 1, "the rows of a batch that is in memory"),
    ("crates/arrow/src/idv/items.rs", 1, "the rows of a batch that is in memory"),
    ("crates/arrow/src/idv/values.rs", 3, "the rows of a batch that is in memory"),
    ("crates/arrow/src/input.rs", 1, "the length of the file, and the limit on what is read"),
    ("crates/arrow/src/table/plan.rs", 3, "the rows of a block, which are debited"),
    ("crates/arrow/src/table/spread.rs", 4, "the rows of a block, which are debited"),
    ("crates/convert/src/containers/zarr.rs", 2, "the bytes of an item, and the axes of an array"),
    ("crates/convert/src/tables/source.rs", 1, "the length of the file, which is debited"),
    ("crates/convert/src/zarr/codecs/blosc.rs", 1, "a block of a chunk that is written"),
    ("crates/convert/src/zarr/encode.rs", 2, "a chunk that is written, and that is in memory"),
    ("crates/convert/src/zarr/fill.rs", 3, "the bytes of an item, of which there are 1,048,576 at most"),
    ("crates/convert/src/zarr/grid.rs", 2, "the axes of an array, of which there are 64 at most"),
    ("everybyte/ksy/src/generate/recursion.rs", 3, "the types of a specification, which is bounded"),
    ("everybyte/ksy/src/resolve/field.rs", 1, "the bytes of a character"),
    ("everybyte/ksy/src/roles.rs", 1, "the types of a specification, which is bounded"),
];

/// The Rust files below a directory.
fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => sources(&path, found),
            false if path.extension().is_some_and(|it| it == "rs") => found.push(path),
            false => {}
        }
    }
}

/// Returns whether a number is a literal or a constant.
fn is_constant(number: &str) -> bool {
    !number.is_empty() && number.chars().all(|sign| sign.is_ascii_digit() || sign.is_ascii_uppercase() || sign == '_')
}

/// The lengths in `vec![value; length]` expressions.
fn numbers(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("vec![").filter_map(|(start, mark)| {
        let rest = &code[start + mark.len()..];
        let mut depth = 0;
        let end = rest.find(|sign: char| {
            depth += match sign {
                '[' | '(' => 1,
                ']' | ')' => -1,
                _ => 0,
            };
            depth < 0
        })?;
        rest[..end].rsplit_once("; ").map(|(_, number)| number)
    })
}

#[test]
fn lists_of_a_claimed_length_are_known_with_what_bounds_them() {
    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    let root = project();
    for name in CRATES {
        let mut files = Vec::new();
        sources(&root.join(name).join("src"), &mut files);
        for path in files {
            let text = read(&path);
            // Tests are at the end of a file, or in a separate one.
            let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
            let count = numbers(code).filter(|number| !is_constant(number)).count();
            let is_test = path.ends_with("tests.rs") || path.ends_with("read/costs.rs");
            if count > 0 && !is_test {
                found.insert(path.strip_prefix(&root).unwrap().display().to_string(), count);
            }
        }
    }
    let known: BTreeMap<String, usize> = PLACES.into_iter().map(|(path, count, _)| (path.to_owned(), count)).collect();
    assert_eq!(found, known, "what bounds the number?");
}
