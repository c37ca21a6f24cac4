//! Rust names for the names of a specification.

use std::collections::{HashMap, HashSet};

/// The words that cannot be field names: Rust keywords, and names that the layout macro uses.
const TAKEN_FIELDS: &[&str] = &[
    "abstract", "args", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "endian", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop",
    "macro", "match", "mod", "move", "mut", "new", "on", "override", "priv", "pub", "raw", "reader", "ref", "return",
    "self", "static", "struct", "super", "trait", "true", "try", "type", "typeof", "union", "unsafe", "unsized", "use",
    "virtual", "where", "while", "writer", "yield",
];

/// The names of types that the generated code uses with their original meaning.
const TAKEN_TYPES: &[&str] = &[
    "Box", "Clone", "Default", "Err", "None", "Ok", "Option", "Result", "Self", "Send", "Some", "String", "Sync", "Vec",
];

/// The names in use.
#[derive(Default)]
pub struct Names {
    given: HashSet<String>,
    /// The last number that was appended to each requested name.
    tried: HashMap<String, usize>,
    /// The names of the codes, by enumeration and integer type.
    pub codes: HashMap<(usize, String), String>,
}

impl Names {
    /// Returns a name that no other type has.
    pub fn fresh(&mut self, wanted: &str) -> String {
        let mut name = wanted.to_owned();
        // If many equal names are requested, each search begins where the last one ended.
        let number = self.tried.entry(wanted.to_owned()).or_insert(1);
        while TAKEN_TYPES.contains(&name.as_str()) || self.given.contains(&name) {
            *number += 1;
            name = format!("{wanted}{number}");
        }
        self.given.insert(name.clone());
        name
    }
}

/// Returns the name of a type: `ihdr_chunk` is `IhdrChunk`.
pub fn camel(name: &str) -> String {
    let mut camel = String::new();
    for word in name.split('_').filter(|word| !word.is_empty()) {
        let mut letters = word.chars();
        // Digits of separate words stay separate.
        if camel.ends_with(|last: char| last.is_ascii_digit()) && word.starts_with(|first: char| first.is_ascii_digit())
        {
            camel.push('_');
        }
        camel.extend(letters.next().map(|first| first.to_ascii_uppercase()));
        camel.push_str(letters.as_str());
    }
    if camel.starts_with(|first: char| first.is_ascii_uppercase()) { camel } else { format!("T{camel}") }
}

/// Returns the name of a constant.
pub fn constant(name: &str) -> String {
    let name = name.to_ascii_uppercase();
    if name == "ALL" { "ALL_".into() } else { name }
}

/// Returns the name of a field.
pub fn field(name: &str) -> String {
    if TAKEN_FIELDS.contains(&name) { format!("{name}_") } else { name.to_owned() }
}
