//! Helpers that the tests share.

use everybyte::map::Node;
use std::ops::Range;

/// Returns the leaves of a tree, each with its path.
pub fn leaves(root: Node<'_>) -> Vec<(String, Node<'_>)> {
    fn collect<'a>(node: Node<'a>, path: &str, leaves: &mut Vec<(String, Node<'a>)>) {
        for child in node.children() {
            let mut path = path.to_owned();
            child.step(&mut path);
            match child.is_leaf() {
                true => leaves.push((path, child)),
                false => collect(child, &path, leaves),
            }
        }
    }
    let mut leaves = Vec::new();
    collect(root, "", &mut leaves);
    leaves
}

/// Returns a part of a node, by index.
pub fn part(node: Node<'_>, place: usize) -> Node<'_> {
    node.children().nth(place).expect("the node has as many parts")
}

/// Returns a line for every leaf: path, bytes, type and value.
pub fn outline(root: Node<'_>) -> Vec<String> {
    let line = |(path, node): (String, Node<'_>)| {
        format!("{path} {}..{} {} = {}", node.start(), node.end(), node.type_name(), node.value())
    };
    leaves(root).into_iter().map(line).collect()
}

/// Returns the path of the unfinished nodes.
pub fn path_of(root: Node<'_>) -> String {
    let (mut path, mut node) = (String::new(), root);
    while let Some(broken) = node.children().find(|child| !child.is_complete()) {
        broken.step(&mut path);
        node = broken;
    }
    path
}

/// Asserts that the parts of every structure are consecutive and fill it.
pub fn assert_tiled(root: Node<'_>, range: Range<u64>) {
    assert_eq!(root.place(), range, "{} stands elsewhere", root.name());
    let mut position = range.start;
    for child in root.children() {
        assert_eq!(child.start(), position, "{} of {}", child.name(), root.name());
        assert_tiled(child, child.place());
        position = child.end();
    }
    assert!(root.is_leaf() || position == range.end, "{} does not fill {range:?}", root.name());
}
