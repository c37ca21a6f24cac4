//! Checksums of bytes elsewhere: over structures at offsets, and over whole files.
//!
//! The reader of such a field cannot verify it: the bytes that it covers may not have been read yet, and the reader
//! does not know where they are. The map does know, so these checksums are verified once it is complete, with the same
//! limit on the number of summed bytes.

use crate::finding::{Finding, Severity};
use crate::links::{Links, Subject};
use crate::map::{Space, each_field};
use crate::role::Role;
use crate::sums::Summed;
use crate::violation::{TOO_MANY_SUMMED, most_summed};

/// Returns a finding for each wrong checksum over bytes of the file.
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
        let Some(Subject { start, end, space: of, .. }) = link.subject else { return };
        let stated = |sum: &Summed| match sum {
            Summed::Number(number) => link.value == Some((*number).into()),
            Summed::Bytes(sum) => file.get(node.start() as usize..node.end() as usize) == Some(sum.as_slice()),
        };
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
        if !stated(&expected) {
            push("checksum", sum.told(&expected, length, node.place()));
        }
    });
    found
}
