//! Keys that identify the elements of a list across versions of a file, even if indices shift.

use crate::nodes::{Children, Index, Node};
use crate::value::{Value, is_text};
use std::collections::HashMap;

/// An element with a longer name is identified by its index.
const LONGEST: usize = 64;

/// The keys of list elements at one level of a map.
///
/// ```
/// use everybyte::keys::keys;
/// use everybyte::{Format, explain, layout};
///
/// #[layout]
/// struct Prices {
///     #[br(parse_with = everybyte::list::filling(u64::MAX))]
///     prices: Vec<Price>,
/// }
///
/// #[layout]
/// struct Price {
///     #[layout(key)]
///     article: u8,
///     euros: u8,
/// }
/// # impl Format for Prices { const NAME: &'static str = "prices"; }
///
/// let explained = explain::<Prices>(&[7, 10, 9, 20]);
/// let prices = explained.spaces[0].nodes.iter().next().unwrap();
/// let found = keys(prices.children(), usize::MAX);
/// let all: Vec<Option<&str>> = prices.children().map(|price| found.of(price)).collect();
/// assert_eq!(all, [Some("7"), Some("9")]);
/// ```
#[derive(Default)]
pub struct Keys<'n>(HashMap<(&'n str, u64), String>);

impl Keys<'_> {
    /// The key of a list element; `None` if its index identifies it, and for any other node.
    pub fn of<'k>(&'k self, node: Node<'k>) -> Option<&'k str> {
        let Some(Index::One(index)) = node.index() else { return None };
        self.0.get(&(node.name(), index)).map(String::as_str)
    }
}

/// The keys of the elements among these nodes, and of everything that belongs to such an element, such as the lookup
/// table of a column, which has the same name and index as the column. Only the first `most` nodes are checked.
pub fn keys(nodes: Children<'_>, most: usize) -> Keys<'_> {
    let mut named: HashMap<(&str, u64), String> = HashMap::new();
    let nodes = nodes.take(most);
    let lists = nodes.clone().filter(|node| node.index().is_none());
    let within = lists.flat_map(|list| list.children().filter(move |element| element.name() == list.name()));
    let mut elements: Vec<(Node<'_>, u64)> = nodes.chain(within).filter_map(element).collect();
    // If several elements share a key, the last one keeps it, and the others get a suffix.
    elements.sort_by_key(|(node, index)| (node.name(), std::cmp::Reverse(*index)));
    let mut seen: HashMap<(&str, String), u64> = HashMap::new();
    for (node, index) in elements {
        if named.contains_key(&(node.name(), index)) {
            continue;
        }
        let Some(key) = node.own_key() else { continue };
        let before = seen.entry((node.name(), key.clone())).or_default();
        let unique = if *before == 0 { key } else { format!("{key}~{before}") };
        *before += 1;
        named.insert((node.name(), index), unique);
    }
    Keys(named)
}

fn element(node: Node<'_>) -> Option<(Node<'_>, u64)> {
    match node.index() {
        Some(Index::One(index)) => Some((node, index)),
        _ => None,
    }
}

/// Converts a string to a key; `None` if it is too long.
pub fn of_text(text: &str) -> Option<String> {
    (text.len() <= LONGEST).then(|| format!("{text:?}"))
}

impl Node<'_> {
    /// The key of an element: the assigned key, or else the value of its key field.
    pub fn own_key(self) -> Option<String> {
        self.key().map(str::to_owned).or_else(|| match &self.children().find(|child| child.is_key())?.value() {
            Value::Text(text) => of_text(text),
            Value::Bytes(bytes, length) if is_text(bytes) && bytes.len() as u64 == *length => {
                of_text(&String::from_utf8_lossy(bytes))
            }
            value @ (Value::Uint(_) | Value::Int(_)) => Some(value.to_string()),
            _ => None,
        })
    }
}
