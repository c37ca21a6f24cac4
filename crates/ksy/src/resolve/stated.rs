//! Roles that a specification states.

use super::kind::Kind;
use super::resolver::{Resolver, name};
use crate::declared::{self, Meaning};
use crate::expression::Word;
use crate::nearest::nearest;
use crate::place::{At, Flaw};
use everybyte::Role;
use everybyte::role::{Affine, Origin, Target};

/// The warnings after which wrong names get no advice any more.
const MOST_ADVISED: usize = 10;

impl Resolver<'_> {
    /// The role that `-role` gives to a number; `None` if it gives none. A role about a field that no type has is none, with
    /// advice.
    pub(super) fn role(&self, number: usize, field: &declared::Field, kind: &Kind) -> Option<Role> {
        let stated = field.role.as_ref()?;
        let at = stated.at;
        let is_number = matches!(kind, Kind::Int | Kind::Enum(_) | Kind::Any);
        let needs_number =
            matches!(stated.meaning, Meaning::Extent(_) | Meaning::Counts(_) | Meaning::Place(..) | Meaning::Index(_));
        if needs_number && !is_number {
            self.advise_on_role(at, &format!("it is that of an integer, not of {}", self.shown(kind)));
            return None;
        }
        let affine = Affine { times: stated.times, plus: stated.plus };
        let target = |path: &Word| self.target(number, path, at).map(|target| target.with(affine));
        match &stated.meaning {
            Meaning::Extent(of) => target(of).map(|target| Role::Extent { target }),
            Meaning::Counts(of) => target(of).map(|target| Role::Counts { target }),
            Meaning::Copy(of) => target(of).map(|target| Role::CopyOf { target }),
            Meaning::Index(of) => target(of).map(|target| Role::IndexOf { target }),
            Meaning::Check(_, of) => target(of).map(|target| Role::CheckOf { target }),
            Meaning::Place(of, origin) => {
                let (target, origin) = (target(of), self.origin(origin, at));
                target.zip(origin).map(|(target, origin)| Role::Place { target, origin })
            }
            Meaning::Writer => Some(Role::Writer),
            Meaning::Fact => Some(Role::Fact),
            Meaning::Payload => Some(Role::Payload),
            Meaning::Steady => Some(Role::Steady),
        }
    }

    /// The field that a path leads to. It begins with a field of this type, with one of a type that may stand around it, or
    /// with such a type.
    fn target(&self, number: usize, path: &Word, at: At) -> Option<Target> {
        let mut is_beside = true;
        for end in path.split("..") {
            // The elements up to the one around the number have no end of their own.
            if end.is_empty() {
                continue;
            }
            let first = end.split(['.', '!', '[']).next().unwrap_or(end);
            is_beside &= self.own(number).slots.contains_key(first);
            if !self.is_known(first, at) {
                return None;
            }
        }
        Some(Target::to(name(path), is_beside))
    }

    fn origin(&self, origin: &declared::Origin, at: At) -> Option<Origin> {
        let known = |word: &Word| self.is_known(word, at).then(|| name(word));
        match origin {
            declared::Origin::Space => Some(Origin::Space),
            declared::Origin::Structure(of) => known(of).map(Origin::Structure),
            declared::Origin::After(field) => known(field).map(Origin::After),
        }
    }

    /// Returns whether a field or a type has this name; advises if none has.
    fn is_known(&self, name: &str, at: At) -> bool {
        let is_known = self.names().contains(name);
        if !is_known {
            // All names are looked through: many wrong roles would take a time that is the product of both.
            let is_few = self.warnings.borrow().len() < MOST_ADVISED;
            let near = is_few.then(|| nearest(name, self.names().iter().copied())).flatten();
            let advice = near.map_or_else(String::new, |near| format!("; there is `{near}`"));
            self.advise_on_role(at, &format!("no field or type is called `{name}`{advice}"));
        }
        is_known
    }

    fn advise_on_role(&self, at: At, why: &str) {
        self.warnings.borrow_mut().push(Flaw { at, message: format!("the role has no effect: {why}") });
    }
}
