//! A small corpus of valid files that has every feature.

use super::forged::Forged;
use super::kind::Kind;
use super::map;
use super::seeded::Forge;
use everybyte::map::spans;
use everybyte::{Node, Value};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The number of files out of which the seeds are chosen.
const CANDIDATES: usize = 2_000;

/// Valid files of a kind that have, together, all features that thousands of them have; the smallest that do. A feature is a
/// field that is there, with its code or the magnitude of its number. `size` is the approximate maximum size in bytes of a file.
pub fn seeds(kind: Kind, seed: u64, size: Option<usize>) -> Vec<Forged> {
    let mut forge = Forge::new(seed);
    if let Some(size) = size {
        forge = forge.size(size);
    }
    let mut files: Vec<Forged> = (0..CANDIDATES).map(|_| forge.valid(kind)).collect();
    // What is small is kept first, and what is larger only if it has more.
    files.sort_by(|one, other| (one.bytes.len(), &one.bytes).cmp(&(other.bytes.len(), &other.bytes)));
    let mut known = BTreeSet::new();
    files.retain(|file| {
        let before = known.len();
        known.extend(features(&file.bytes));
        known.len() > before
    });
    files
}

fn features(file: &[u8]) -> BTreeSet<String> {
    let spaces = map::map(file);
    spans(&spaces).iter().map(|span| feature(&span.path, span.node)).collect()
}

/// The path of a field without indices, and the code or the magnitude of its value.
fn feature(path: &str, node: &Node) -> String {
    let mut feature = String::new();
    let mut depth = 0;
    for letter in path.chars() {
        depth += i32::from(letter == '[');
        if depth == 0 {
            feature.push(letter);
        }
        depth -= i32::from(letter == ']');
    }
    let magnitude = |number: u128| u128::BITS - number.leading_zeros();
    let written = match &node.value {
        Value::Name(name) => write!(feature, "={name}"),
        Value::Flags(bits) => write!(feature, "={bits:#x}"),
        Value::Uint(number) if node.meaning.is_empty() => write!(feature, "~{}", magnitude(*number)),
        Value::Int(number) if node.meaning.is_empty() => write!(feature, "~{}", magnitude(number.unsigned_abs())),
        // A number with a meaning is a code.
        Value::Uint(number) => write!(feature, "={number}"),
        Value::Int(number) => write!(feature, "={number}"),
        _ => Ok(()),
    };
    written.expect("writing to a string does not fail");
    feature
}
