//! Roles that a specification states.

use super::kind::Kind;
use super::resolver::{Resolver, name};
use crate::declared::{self, Meaning};
use crate::expression::Word;
use crate::nearest::nearest;
use crate::place::{At, LocatedError};
use everybyte::role::Role;
use everybyte::role::{Affine, Origin, Target};

/// The number of warnings after which there are no more suggestions for unknown names.
const MOST_ADVISED: usize = 10;

impl Resolver<'_> {
    /// Returns the role that `-role` assigns to a number; `None` if it assigns none. A role that refers to a
    /// nonexistent field is ignored, with a suggestion.
    pub(super) fn role(&self, number: usize, field: &declared::Field, kind: &Kind) -> Option<Role> {
        let stated = field.role.as_ref()?;
        let at = stated.at;
        let is_number = matches!(kind, Kind::Int | Kind::Enum(_) | Kind::Any);
        let needs_number =
            matches!(stated.meaning, Meaning::Extent(_) | Meaning::Counts(_) | Meaning::Place(..) | Meaning::Index(_));
        if needs_number && !is_number {
            self.advise_on_role(at, &format!("it needs an integer, not {}", self.shown(kind)));
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

    /// Returns the field that a path names. It begins with a field of this type, with a field of a type that may
    /// enclose it, or with the name of such a type.
    fn target(&self, number: usize, path: &Word, at: At) -> Option<Target> {
        let mut is_beside = true;
        for end in path.split("..") {
            // A run of elements that ends at the number's own element names no second field.
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

    /// Returns whether a field or a type has this name; suggests another name if none does.
    fn is_known(&self, name: &str, at: At) -> bool {
        let is_known = self.names().contains(name);
        if !is_known {
            // Every name is compared, so many wrong roles would take time proportional to the product of both numbers.
            let is_few = self.warnings.borrow().len() < MOST_ADVISED;
            let near = is_few.then(|| nearest(name, self.names().iter().copied())).flatten();
            let advice = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            self.advise_on_role(at, &format!("no field or type is called `{name}`{advice}"));
        }
        is_known
    }

    fn advise_on_role(&self, at: At, why: &str) {
        self.warnings.borrow_mut().push(LocatedError { at, message: format!("the role has no effect: {why}") });
    }
}
