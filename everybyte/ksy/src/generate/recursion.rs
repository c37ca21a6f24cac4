//! Types that contain themselves: a layout reads them up to a maximum depth.
//!
//! Two kinds of cycles matter. Types that contain each other in any way count their depth with a parameter, since a file could nest
//! them until the stack overflows. Types that do so without a list in between are also boxed, or Rust could not lay them out in
//! memory. Both are strongly connected components, found by Tarjan's algorithm without recursion.

use super::model::{Model, structures};
use crate::resolve::{Field, Repeat};
use std::collections::HashMap;

/// The maximum depth of types that contain themselves, which is limited by a reader's stack.
pub const LEVELS: u32 = 64;

/// The parameter that counts the depth.
pub const LEVEL: &str = "nesting_level";

/// A type while its nested types are visited.
struct Open {
    number: usize,
    inner: Vec<usize>,
    /// The number of nested types that were visited.
    seen: usize,
}

/// Returns the types that contain each other, as a number for each type that contains itself.
pub fn circles(count: usize, begins: &[usize], inner: impl Fn(usize) -> Vec<usize>) -> HashMap<usize, usize> {
    // Tarjan's algorithm, with an explicit stack.
    let (mut order, mut lowest) = (vec![None; count], vec![0; count]);
    let (mut path, mut is_on_path) = (Vec::new(), vec![false; count]);
    let (mut next, mut found) = (0, HashMap::new());
    let mut open: Vec<Open> = Vec::new();
    let mut begin = |number: usize, path: &mut Vec<usize>, order: &mut Vec<Option<usize>>, lowest: &mut Vec<usize>| {
        (order[number], lowest[number]) = (Some(next), next);
        next += 1;
        path.push(number);
        Open { number, inner: inner(number), seen: 0 }
    };
    let mut begins = begins.iter();
    loop {
        if open.is_empty() {
            let Some(&first) = begins.find(|&&it| order[it].is_none()) else { return found };
            is_on_path[first] = true;
            open.push(begin(first, &mut path, &mut order, &mut lowest));
        }
        let Some(Open { number, inner, seen }) = open.last_mut() else { continue };
        let number = *number;
        if let Some(&target) = inner.get(*seen) {
            *seen += 1;
            match order[target] {
                None => {
                    is_on_path[target] = true;
                    open.push(begin(target, &mut path, &mut order, &mut lowest));
                }
                Some(place) if is_on_path[target] => lowest[number] = lowest[number].min(place),
                Some(_) => {}
            }
            continue;
        }
        let contains_itself = inner.contains(&number);
        open.pop();
        if let Some(around) = open.last() {
            lowest[around.number] = lowest[around.number].min(lowest[number]);
        }
        if Some(lowest[number]) == order[number] {
            let begin = path.iter().rposition(|&it| it == number).unwrap_or_default();
            let circle = path.split_off(begin);
            circle.iter().for_each(|&it| is_on_path[it] = false);
            if circle.len() > 1 || contains_itself {
                found.extend(circle.into_iter().map(|it| (it, number)));
            }
        }
    }
}

impl Model<'_> {
    /// Returns the types inside a type, with or without the types of its lists.
    fn inner(&self, number: usize, has_lists: bool) -> Vec<usize> {
        let own = &self.plan.types[number];
        let is_chosen = |field: &&Field| has_lists || matches!(field.repeat, Repeat::Once);
        let fields = own.fields.iter().take(own.sequence).filter(is_chosen);
        fields.flat_map(|field| structures(&field.content)).map(|(inner, _)| inner).collect()
    }

    /// Finds the types that contain themselves.
    pub fn find_circles(&mut self) {
        self.circles = circles(self.plan.types.len(), &[0], |number| self.inner(number, true));
        self.direct_circles = circles(self.plan.types.len(), &self.reached, |number| self.inner(number, false));
        let captures_root = |number: &usize| self.captures[number].iter().any(|it| it.up == super::model::Up::Root);
        if self.circles.contains_key(&0) && self.reached.iter().any(captures_root) {
            self.refuse(self.plan.types[0].at, "the top-level type contains itself, and types use values of `_root`");
        }
    }

    /// Returns whether one type is read inside the other, and the other inside it.
    pub fn is_circle(&self, number: usize, inner: usize) -> bool {
        self.circles.get(&number).is_some_and(|circle| self.circles.get(&inner) == Some(circle))
    }

    /// Returns whether a type is boxed where it is a field of another one, since it may contain that one.
    pub fn is_boxed(&self, number: usize, inner: usize) -> bool {
        self.direct_circles.get(&number).is_some_and(|circle| self.direct_circles.get(&inner) == Some(circle))
    }

    /// Returns the name of a type where it is a field.
    pub fn held(&self, number: usize, inner: usize, is_list: bool) -> String {
        let name = &self.type_names[&inner];
        if self.is_boxed(number, inner) && !is_list { format!("Box<{name}>") } else { name.clone() }
    }
}
