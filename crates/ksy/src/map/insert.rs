//! Fields put where their bytes are.

use everybyte::{Node, Value};

/// Puts a field inside the smallest structure that has all its bytes. A field that shares bytes with another one without
/// being inside it is left out: a byte has one place in a map.
pub fn insert(nodes: &mut Vec<Node>, node: Node) {
    let after = nodes.partition_point(|other| other.start <= node.start);
    // Structures that begin at the same byte: the last one before the field is the only one that can have it.
    if let Some(around) = after.checked_sub(1).map(|before| &mut nodes[before]).filter(|it| node.end <= it.end) {
        let is_open = !around.children.is_empty() || (around.value == Value::None && around.opens.is_none());
        if is_open {
            insert(&mut around.children, node);
        }
        return;
    }
    let ends_before = after.checked_sub(1).is_none_or(|before| nodes[before].end <= node.start);
    let begins_after = nodes.get(after).is_none_or(|next| node.end <= next.start);
    if ends_before && begins_after {
        nodes.insert(after, node);
    }
}
