//! Computes the parts of a generated file that follow from other parts but that its writer does not compute.

use crate::forge::{Of, Recipe, Repair, Roles, Setting, Step, replay, set_right};
use crate::format::{Format, explain};
use crate::generator::Join;
use crate::nodes::Node;
use crate::role::Role;

/// Returns the file with the checksums and lengths of distant fields recomputed.
pub fn summed<F: Format>(file: Vec<u8>) -> Vec<u8> {
    let is_number = |node: Node<'_>| node.sum().is_some() || matches!(node.role(), Some(Role::Extent { .. }));
    match explain::<F>(&file).spaces.iter().any(|space| space.nodes.all().any(is_number)) {
        true => {
            let roles = Roles { check_of: true, extent: true, ..Roles::default() };
            set_right(&Of::<F>::new(), &file, Repair::Only(roles))
        }
        false => file,
    }
}

/// Returns the file with packed contents written to their pieces. The first piece gets all bytes, and lengths and
/// checksums are recomputed.
pub fn joined<F: Format>(file: Vec<u8>, joins: &[Join]) -> Option<Vec<u8>> {
    if joins.is_empty() {
        return Some(file);
    }
    let mut recipe = Recipe::default();
    for Join { paths, packed } in joins {
        let pieces = std::iter::once(packed.clone()).chain(std::iter::repeat_with(Vec::new));
        recipe.steps.extend(
            paths.iter().zip(pieces).map(|(key, bytes)| Step::Set { key: key.clone(), value: Setting::Bytes(bytes) }),
        );
    }
    replay(&Of::<F>::new(), &file, &recipe).ok()
}
