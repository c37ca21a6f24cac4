//! Roles that a specification states.

use super::kind::Kind;
use super::resolver::{Resolver, name};
use crate::declared::{self, Meaning, StatedRole};
use crate::expression::Word;
use crate::nearest::nearest;
use crate::place::{At, Sound, flaw};
use everybyte::Role;
use everybyte::role::{Affine, Origin, Target};

impl Resolver<'_> {
    /// The role that `-role` gives to a number.
    pub(super) fn role(&self, number: usize, stated: &StatedRole, kind: &Kind) -> Sound<Role> {
        let at = stated.at;
        let is_number = matches!(kind, Kind::Int | Kind::Enum(_) | Kind::Any);
        let needs_number = !matches!(stated.meaning, Meaning::Writer | Meaning::Fact | Meaning::Payload);
        if needs_number && !is_number {
            return flaw(at, format!("a role about another field is that of an integer, not of {}", self.shown(kind)));
        }
        let affine = Affine { times: stated.times, plus: stated.plus };
        let target = |path: &Word| Ok(self.target(number, path, at)?.with(affine));
        Ok(match &stated.meaning {
            Meaning::Extent(of) => Role::Extent { target: target(of)? },
            Meaning::Counts(of) => Role::Counts { target: target(of)? },
            Meaning::Copy(of) => Role::CopyOf { target: target(of)? },
            Meaning::Place(of, origin) => Role::Place { target: target(of)?, origin: self.origin(number, origin, at)? },
            Meaning::Writer => Role::Writer,
            Meaning::Fact => Role::Fact,
            Meaning::Payload => Role::Payload,
        })
    }

    /// The field that a path leads to. It begins with a field of this type, with one of a type that may stand around it, or
    /// with such a type.
    fn target(&self, number: usize, path: &Word, at: At) -> Sound<Target> {
        let is_own = |name: &str| self.own(number).slots.contains_key(name);
        let firsts = path.split("..").map(|end| end.split('.').next().unwrap_or(end));
        let mut is_beside = true;
        for first in firsts {
            is_beside &= is_own(first);
            if !self.names().contains(first) {
                let near = nearest(first, self.names().iter().copied());
                let advice = near.map_or_else(String::new, |near| format!("; there is `{near}`"));
                return flaw(at, format!("no type has a field `{first}`{advice}"));
            }
        }
        let path = name(path, at)?;
        Ok(if is_beside { Target::beside(path) } else { Target::new(path) })
    }

    fn origin(&self, number: usize, origin: &declared::Origin, at: At) -> Sound<Origin> {
        Ok(match origin {
            declared::Origin::Space => Origin::Space,
            declared::Origin::Structure(of) => {
                if !self.names().contains(&**of) {
                    return flaw(at, format!("there is no type `{of}`"));
                }
                Origin::Structure(name(of, at)?)
            }
            declared::Origin::After(field) => {
                if !self.own(number).slots.contains_key(field) {
                    return flaw(at, format!("`{}` has no field `{field}`", self.own(number).name));
                }
                Origin::After(name(field, at)?)
            }
        })
    }
}
