//! Checksums of bytes that do not stand beside them: those of structures at offsets, and of whole files.

use crate::finding::{Finding, Severity};
use crate::flaw::{TOO_MANY_SUMMED, most_summed};
use crate::links::{Links, Subject};
use crate::map::{Space, each_field};
use crate::role::Role;

/// The sums of bytes of the file that are wrong.
pub fn wrong_sums(file: &[u8], spaces: &[Space]) -> Vec<Finding> {
    let Some(first) = spaces.first() else { return Vec::new() };
    if !first.nodes.declarations().iter().any(|facts| facts.sum.is_some_and(|sum| sum.is_elsewhere())) {
        return Vec::new();
    }
    let links = Links::new(spaces);
    let mut found = Vec::new();
    let (mut number, mut left) = (0, most_summed(file.len() as u64));
    let mut is_spent = false;
    each_field(std::slice::from_ref(first), |path, space, node| {
        let link = links.link(number);
        number += 1;
        let sum = node.sum().filter(|sum| sum.is_elsewhere());
        let (Some(sum), Some(link)) = (sum, link.filter(|link| matches!(link.role, Role::CheckOf { .. }))) else {
            return;
        };
        let (Some(Subject { start, end, space: of, .. }), Some(stated)) = (link.subject, link.value) else { return };
        let Some(bytes) = file.get(start as usize..end as usize).filter(|_| of == space) else { return };
        let mut push = |rule: &'static str, message: String| {
            found.push(Finding::new(rule, Severity::Error, path.to_owned(), space, node.place(), message));
        };
        let length = end - start;
        if length > left || is_spent {
            if !std::mem::replace(&mut is_spent, true) {
                push("limit", TOO_MANY_SUMMED.to_owned());
            }
            return;
        }
        left -= length;
        let expected = sum.of(&sum.bytes(bytes, start..end, node.place()));
        if i128::from(expected) != stated {
            push("checksum", sum.told(expected, length, node.place()));
        }
    });
    found
}
