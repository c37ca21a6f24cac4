//! Helpers that the tests share.

#![allow(dead_code, reason = "every test binary compiles its own copy and uses the part it needs")]

use everybyte::Node;
use std::ops::Range;

/// The leaves of a tree, each with its path.
pub fn leaves(root: &Node) -> Vec<(String, &Node)> {
    fn collect<'a>(node: &'a Node, path: &str, leaves: &mut Vec<(String, &'a Node)>) {
        for child in &node.children {
            let mut path = path.to_owned();
            child.step(&mut path);
            match child.children.is_empty() {
                true => leaves.push((path, child)),
                false => collect(child, &path, leaves),
            }
        }
    }
    let mut leaves = Vec::new();
    collect(root, "", &mut leaves);
    leaves
}

/// A line for every leaf: path, bytes, type, value.
pub fn outline(root: &Node) -> Vec<String> {
    let line = |(path, node): (String, &Node)| {
        format!("{path} {}..{} {} = {}", node.start, node.end, node.type_name, node.value)
    };
    leaves(root).into_iter().map(line).collect()
}

/// The path of the unfinished nodes.
pub fn path_of(root: &Node) -> String {
    let (mut path, mut node) = (String::new(), root);
    while let Some(broken) = node.children.iter().find(|child| !child.complete) {
        broken.step(&mut path);
        node = broken;
    }
    path
}

/// Every structure's parts stand one after the other and fill it.
pub fn assert_tiled(root: &Node, range: Range<u64>) {
    assert_eq!(root.start..root.end, range, "{} stands elsewhere", root.name);
    let mut position = range.start;
    for child in &root.children {
        assert_eq!(child.start, position, "{} of {}", child.name, root.name);
        assert_tiled(child, child.start..child.end);
        position = child.end;
    }
    assert!(root.children.is_empty() || position == range.end, "{} does not fill {range:?}", root.name);
}
