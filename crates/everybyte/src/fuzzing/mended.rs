//! The parts of a file that is made up which follow from others, and which its writer does not compute.

use crate::forge::{Grammar, Of, Recipe, Repair, Roles, Setting, Step, replay, set_right};
use crate::format::{Format, explain};
use crate::generator::Join;
use crate::links::Links;
use crate::map::{Nodes, Space, each_field};
use crate::nodes::Node;
use crate::passes::Moved;
use crate::reference::Book;
use crate::role::{Affine, Role};
use crate::source::Source;
use binrw::Endian;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::Range;

/// The file with numbers that lead to the structures which stand elsewhere than the value states, as far as they have roles.
pub fn placed<F: Format>(file: Vec<u8>, moved: Vec<Moved>) -> Vec<u8> {
    if moved.is_empty() {
        return file;
    }
    let mut places: BTreeMap<&str, Vec<Range<u64>>> = BTreeMap::new();
    for Moved { name, places: of_name } in moved {
        places.entry(name).or_default().extend(of_name);
    }
    // As long as they are wrong, structures may stand where the numbers are: these are looked for in order first.
    let file = led(&InOrder(Of::<F>::new()), file, &mut places);
    led(&Of::<F>::new(), file, &mut places)
}

/// The file with the numbers that the map of a grammar has. Places that were led to are taken out.
fn led<G: Grammar>(grammar: &G, file: Vec<u8>, places: &mut BTreeMap<&str, Vec<Range<u64>>>) -> Vec<u8> {
    let mut recipe = Recipe { steps: vec![Step::Repair(Repair::Nothing)], ..Recipe::default() };
    let spaces = grammar.map(&file);
    let links = Links::new(&spaces);
    places.retain(|name, places| {
        let all = numbers(&spaces, &links, name).into_iter().filter(|numbers| numbers.len() == places.len());
        let steps: Vec<Step> =
            all.flatten().zip(places.iter().cycle()).filter_map(|(it, place)| it.step(place)).collect();
        let is_left = steps.is_empty();
        recipe.steps.extend(steps);
        is_left
    });
    replay(grammar, &file, &recipe).unwrap_or(file)
}

/// The grammar of a format without its structures at offsets.
struct InOrder<F>(Of<F>);

impl<F: Format> Grammar for InOrder<F> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn books(&self) -> &[Book] {
        self.0.books()
    }

    fn byte_order(&self, file: &[u8]) -> Endian {
        self.0.byte_order(file)
    }

    fn map(&self, file: &[u8]) -> Vec<Space> {
        let length = file.len() as u64;
        let mut nodes = Nodes::new();
        let trace = || nodes.trace::<F>(Source::new(file), F::byte_order(file), ());
        let (_, root) = F::limits().bounded(length, trace);
        nodes.add(root);
        let read_at = |buffer: &mut [u8], offset: u64| {
            buffer.copy_from_slice(&file[offset as usize..][..buffer.len()]);
            Ok::<(), Infallible>(())
        };
        let Ok(space) = Space::new(0, "file", length, nodes.into_parts(), read_at);
        vec![space]
    }
}

/// A number about a structure.
struct Number {
    path: String,
    affine: Affine,
    /// The offset from which a place counts; `None` of an extent.
    base: Option<u64>,
}

impl Number {
    /// The step that gives it the value which is right for a structure there.
    fn step(self, place: &Range<u64>) -> Option<Step> {
        let said = match self.base {
            Some(base) => place.start.checked_sub(base)?,
            None => place.end - place.start,
        };
        let value = Setting::Integer(self.affine.invert(said.into())?);
        Some(Step::Set { key: self.path, value })
    }
}

/// The places and the extents of the structures of this name, in file order.
fn numbers(spaces: &[Space], links: &Links<'_>, name: &str) -> [Vec<Number>; 2] {
    let mut found = [Vec::new(), Vec::new()];
    let mut number = 0;
    each_field(&spaces[..spaces.len().min(1)], |path, _, node| {
        let own = number;
        number += 1;
        let Some(role) = node.role().filter(|_| node.is_leaf()) else { return };
        let Some(target) = role.target().filter(|target| target.path.rsplit('.').next() == Some(name)) else { return };
        let affine = target.affine;
        match role {
            Role::Place { .. } => {
                let lead = links.leads_to(own).zip(links.link(own).and_then(|link| link.value));
                let base = lead.and_then(|((_, to), value)| u64::try_from(i128::from(to) - affine.apply(value)?).ok());
                found[0].push(Number { path: path.to_owned(), affine, base: Some(base.unwrap_or(0)) });
            }
            Role::Extent { .. } => found[1].push(Number { path: path.to_owned(), affine, base: None }),
            _ => {}
        }
    });
    found
}

/// The file with the sums and the lengths right that do not stand beside what they are about.
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

/// The file with packed contents in their pieces. The first piece has all bytes; lengths and sums follow.
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
