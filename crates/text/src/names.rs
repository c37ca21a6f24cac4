//! The names of elements of lists, such as columns.

use crate::text::cut;
use ndbytes::Span;
use ndbytes::everybyte::map::Value;
use std::collections::HashMap;

/// The length at which the name of an element is cut when it is shown with its path.
const WIDEST_NAME: usize = 30;

/// Returns the names of elements of lists, by their paths.
pub fn names_of(spans: &[Span<'_>]) -> HashMap<String, String> {
    let named = spans.iter().filter_map(|span| match &span.node.value() {
        Value::Text(name) => Some((span.path.strip_suffix(".name")?.to_owned(), cut(name, WIDEST_NAME))),
        _ => None,
    });
    named.filter(|(path, _)| path.ends_with(']')).collect()
}
