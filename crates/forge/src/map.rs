//! The maps and the field references that the forge works along.

use everybyte::Book;
use everybyte::map::Space;
use ndbytes::{Checker, Input, LayoutReference, Limits, layouts};
use std::sync::LazyLock;

/// The maximum memory that the map of one file takes: a mutation of a bomb stays cheap.
const MEMORY: u64 = 64 << 20;

/// The limits within which the forge looks at files.
pub(super) fn limits() -> Limits {
    Limits::default().memory(MEMORY)
}

/// The byte map of a file; empty if there is no memory for it.
pub(super) fn map(file: &[u8]) -> Vec<Space> {
    let checker = Checker::new().limits(limits());
    checker.byte_map(Input::from_slice(file, limits())).map(|map| map.spaces).unwrap_or_default()
}

/// The field references of a kind, by its name.
pub(super) fn books(name: &str) -> &'static [Book] {
    static LAYOUTS: LazyLock<Vec<LayoutReference>> = LazyLock::new(|| layouts().collect());
    LAYOUTS.iter().find(|reference| reference.name == name).map_or(&[], |reference| &reference.books)
}

/// The path of a field with `[*]` in the place of each index and each key.
pub(super) fn of_any_element(path: &str) -> String {
    let mut pattern = String::new();
    let mut depth = 0;
    for letter in path.chars() {
        let was_inside = depth > 0;
        depth += i32::from(letter == '[');
        depth -= i32::from(letter == ']');
        match (was_inside, depth > 0) {
            (false, true) => pattern.push_str("[*"),
            (true, true) => {}
            _ => pattern.push(letter),
        }
    }
    pattern
}
