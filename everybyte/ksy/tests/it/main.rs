//! Specifications as input: their meaning, their errors, the cost of files, the forge and the tool.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod causes;
mod compare;
mod edit;
mod errors;
mod exports;
mod forge;
mod generate;
mod guide;
mod kaitai;
mod language;
mod limits;
mod map;
mod overlay;
mod places;
mod roles;
mod tool;

use everybyte_ksy::Spec;

/// Loads a specification, which must be valid.
fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Returns the findings of a file, one per line.
fn findings(spec: &Spec, file: &[u8]) -> Vec<String> {
    spec.check(file).iter().map(ToString::to_string).collect()
}

/// Returns the values of expressions, one per line, with errors as messages.
fn values(text: &str, file: &[u8], expressions: &[&str]) -> String {
    let found = spec(text).values(file, expressions).unwrap_or_else(|error| panic!("{error}"));
    let shown = found.iter().map(|value| match value {
        Ok(value) => value.to_string(),
        Err(message) => format!("error: {message}"),
    });
    shown.collect::<Vec<_>>().join("\n")
}
