//! The names of elements of lists, such as those of columns.

use crate::text::cut;
use ndbytes::Span;
use ndbytes::everybyte::Value;
use std::collections::HashMap;

/// The longest name of an element that is shown beside its path.
const WIDEST_NAME: usize = 30;

/// The names that elements of lists have, by their paths.
pub fn names_of(spans: &[Span<'_>]) -> HashMap<String, String> {
    let named = spans.iter().filter_map(|span| match &span.node.value() {
        Value::Text(name) => Some((span.path.strip_suffix(".name")?.to_owned(), cut(name, WIDEST_NAME))),
        _ => None,
    });
    named.filter(|(path, _)| path.ends_with(']')).collect()
}
