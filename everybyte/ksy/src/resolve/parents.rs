//! The structures that `_parent` may be: those with a field of the given type.
//!
//! A type that is used in one place has one parent, and `_parent.length` has a kind. A type that is used in several
//! places may have different parents. A field can name another parent with an expression, whose kind may depend on
//! parents again. So the search is repeated until nothing changes, but only a few times.

use super::kind::Kind;
use super::resolver::Resolver;
use crate::declared::{Content, Field, User};
use crate::expression::Form;
use std::collections::HashMap;

/// The number of times that parents are searched, since a parent may be found through another one.
const ROUNDS: usize = 8;

impl Resolver<'_> {
    /// Finds the parents of all types.
    pub(super) fn find_parents(&self) {
        for _ in 0..ROUNDS {
            let found = self.parents_now();
            // These answers were found through the parents of the previous round.
            self.kinds.borrow_mut().clear();
            if self.parents.replace(found.clone()) == found {
                break;
            }
        }
    }

    /// Returns the kind of the parent of a type.
    pub(super) fn parent_of(&self, number: usize) -> Kind {
        self.parents.borrow().get(&number).cloned().unwrap_or(Kind::AnyStructure)
    }

    fn parents_now(&self) -> HashMap<usize, Kind> {
        let mut kinds: HashMap<usize, Kind> = HashMap::new();
        for number in 0..self.declared.types.len() {
            let own = self.own(number);
            for field in own.seq.iter().chain(&own.instances).filter(|field| field.value.is_none()) {
                let Some(parent) = self.parent_of_field(number, field) else { continue };
                for user in users(&field.content) {
                    // A type of another specification has no parent.
                    let target = self.find_type(number, &user.path);
                    let Some(target) = target.filter(|&target| self.own(target).at.file == own.at.file) else {
                        continue;
                    };
                    let known = kinds.remove(&target);
                    kinds.insert(target, known.map_or(parent.clone(), |known| known.or(parent.clone())));
                }
            }
        }
        kinds
    }

    /// Returns the kind of the structure that is the parent of a field's structure; `None` if it has none.
    fn parent_of_field(&self, number: usize, field: &Field) -> Option<Kind> {
        match &field.parent {
            None => Some(Kind::Structure(number)),
            Some(code) if code.expr.form == Form::Bool(false) => None,
            Some(code) => Some(self.formula(number, code, None).map_or(Kind::AnyStructure, |(_, kind)| kind)),
        }
    }
}

/// Returns the types that some content uses.
fn users(content: &Content) -> Vec<&User> {
    match content {
        Content::User(user) => vec![user],
        Content::Switch(switch) => switch.cases.iter().flat_map(|(_, content)| users(content)).collect(),
        _ => Vec::new(),
    }
}
