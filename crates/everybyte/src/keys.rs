//! Keys: they identify the elements of lists where indices do not.

use crate::nodes::{Children, Index, Node};
use crate::value::{Value, is_text};
use std::collections::HashMap;

/// Names that are longer do not identify an element: its index does.
const LONGEST: usize = 64;

/// The keys of the elements of lists on one level of a map.
#[derive(Default)]
pub struct Keys<'n>(HashMap<(&'n str, u64), String>);

impl Keys<'_> {
    /// The key of an element; `None` if its index identifies it, or if it is no element.
    pub fn of<'k>(&'k self, node: Node<'k>) -> Option<&'k str> {
        let Some(Index::One(index)) = node.index() else { return None };
        self.0.get(&(node.name(), index)).map(String::as_str)
    }
}

/// The keys of the elements among these nodes, and of what belongs to such an element. The lookup table of a column
/// stands under the same name and index as the column itself. Of many, the first `most` are looked at.
pub fn keys(nodes: Children<'_>, most: usize) -> Keys<'_> {
    let mut named: HashMap<(&str, u64), String> = HashMap::new();
    let nodes = nodes.take(most);
    let lists = nodes.clone().filter(|node| node.index().is_none());
    let within = lists.flat_map(|list| list.children().filter(move |element| element.name() == list.name()));
    let mut elements: Vec<(Node<'_>, u64)> = nodes.chain(within).filter_map(element).collect();
    // Of several elements of one name, the last one has it.
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

/// A text as a key; `None` if it is too long for one.
pub fn of_text(text: &str) -> Option<String> {
    (text.len() <= LONGEST).then(|| format!("{text:?}"))
}

impl Node<'_> {
    /// The key of an element: the one that it was given, or that of its field that is a key.
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
