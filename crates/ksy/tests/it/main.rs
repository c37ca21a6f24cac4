//! Specifications as input: what they say, what is wrong with them, what files cost, the forge and the tool.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod compare;
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

/// A specification that loads.
fn spec(text: &str) -> Spec {
    text.parse().unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// The findings of a file, one on a line.
fn findings(spec: &Spec, file: &[u8]) -> Vec<String> {
    spec.check(file).iter().map(ToString::to_string).collect()
}

/// The values of expressions, one on a line; an error as its sentence.
fn values(text: &str, file: &[u8], expressions: &[&str]) -> String {
    let found = spec(text).values(file, expressions).unwrap_or_else(|error| panic!("{error}"));
    let shown = found.iter().map(|value| match value {
        Ok(value) => value.to_string(),
        Err(message) => format!("error: {message}"),
    });
    shown.collect::<Vec<_>>().join("\n")
}
