//! The byte maps and field references that the forge uses.

use everybyte::map::Space;
use everybyte::reference::Book;
use ndbytes::{Checker, Input, LayoutReference, Limits, layouts};
use std::sync::LazyLock;

/// The maximum memory for the map of a file, so that mutating a decompression bomb stays cheap.
const MEMORY: u64 = 64 << 20;

/// Returns the limits within which the forge reads files.
pub(super) fn limits() -> Limits {
    Limits::default().memory(MEMORY)
}

/// Returns the byte map of a file, which is empty if it exceeds the memory limit.
pub(super) fn map(file: &[u8]) -> Vec<Space> {
    let checker = Checker::new().limits(limits());
    checker.byte_map(Input::from_slice(file, limits())).map(|map| map.spaces).unwrap_or_default()
}

/// Returns the field references of a kind, by its name.
pub(super) fn books(name: &str) -> &'static [Book] {
    static LAYOUTS: LazyLock<Vec<LayoutReference>> = LazyLock::new(|| layouts().collect());
    LAYOUTS.iter().find(|reference| reference.name == name).map_or(&[], |reference| &reference.books)
}

/// Returns the path of a field with `[*]` in place of each index and each key.
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
