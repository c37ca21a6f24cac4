//! Roles of numbers, out of the expressions that use them: a size, a count, a place.

use crate::expression::Binary;
use crate::resolve::{Content, Formula, Plan, Property, Repeat, Size, Term, Type};
use everybyte::Role;
use everybyte::role::{Affine, Origin, Target};
use std::collections::HashMap;

/// The roles of slots, by the number of their type.
pub type Roles = HashMap<(usize, usize), Role>;

/// The number that an expression is about, and how: `number × times + plus`.
struct Solved {
    /// The type and the slot of the number.
    number: (usize, usize),
    affine: Affine,
    /// True if it is a field of the structure that has the expression.
    is_own: bool,
}

/// The roles of all numbers: those that are stated, and others out of expressions. Where several fields use a number, the
/// first one gives it its role.
pub fn of(plan: &Plan) -> Roles {
    let mut roles = stated(plan);
    for (number, own) in plan.types.iter().enumerate() {
        for (place, field) in own.fields.iter().enumerate() {
            let slot = own.params.len() + place;
            if let Some(check) = &field.check {
                let [first, last] = [check.first, check.last].map(|slot| own.node_name(slot - own.params.len()));
                let run = if first == last { first.clone() } else { format!("{first}..{last}").into() };
                roles.insert((number, slot), Role::CheckOf { target: Target::to(run, true) });
            }
            let mut note = |formula: &Formula, role: fn(Target) -> Role| {
                let Some(solved) = solved(plan, &formula.term) else { return };
                let target = Target::to(field.name.clone(), solved.is_own);
                roles.entry(solved.number).or_insert(role(target.with(solved.affine)));
            };
            // A size of each element says nothing of the list.
            if let (Size::Of(size), Repeat::Once) = (&field.size, &field.repeat) {
                note(size, |target| Role::Extent { target });
            }
            if let Repeat::Count(count) = &field.repeat {
                note(count, |target| Role::Counts { target });
            }
            // The file's own structure reads from its beginning, and so does whoever reads from the root's stream.
            let is_from_start = field.io.as_ref().map_or(number == 0, |io| is_root_stream(&io.term));
            if let Some(pos) = field.pos.as_ref().filter(|_| is_from_start) {
                note(pos, |target| Role::Place { target, origin: Origin::Space });
            }
        }
    }
    roles
}

/// The roles that the specification states.
fn stated(plan: &Plan) -> Roles {
    let of_type = |(number, own): (usize, &Type)| {
        let slots = own.fields.iter().enumerate().map(|(place, field)| (own.params.len() + place, field.role.clone()));
        slots.filter_map(|(slot, role)| Some(((number, slot), role?))).collect::<Vec<_>>()
    };
    plan.types.iter().enumerate().flat_map(of_type).collect()
}

fn is_root_stream(term: &Term) -> bool {
    match term {
        Term::Property(of, Property::Io) => matches!(**of, Term::Property(_, Property::Root)),
        _ => false,
    }
}

/// The number that an expression of a type can be solved for.
fn solved(plan: &Plan, term: &Term) -> Option<Solved> {
    match term {
        Term::Slot { of, number: owner, slot } => {
            let field = plan.types[*owner].field(*slot)?;
            match &field.value {
                // A value that is made of a number is about it, too.
                Some(value) if matches!(**of, Term::Own) => solved(plan, &value.term),
                Some(_) => None,
                None if matches!(field.content, Content::Int { .. }) && matches!(field.repeat, Repeat::Once) => {
                    let affine = Affine::default();
                    Some(Solved { number: (*owner, *slot), affine, is_own: matches!(**of, Term::Own) })
                }
                None => None,
            }
        }
        Term::Binary(by, left, right) => match (by, &**left, &**right) {
            (Binary::Add, of, Term::Int(plus)) | (Binary::Add, Term::Int(plus), of) => {
                moved(solved(plan, of)?, 1, *plus)
            }
            (Binary::Subtract, of, Term::Int(minus)) => moved(solved(plan, of)?, 1, minus.checked_neg()?),
            (Binary::Multiply, of, Term::Int(times)) | (Binary::Multiply, Term::Int(times), of) if *times > 0 => {
                moved(solved(plan, of)?, *times, 0)
            }
            (Binary::ShiftLeft, of, Term::Int(by @ 0..=62)) => moved(solved(plan, of)?, 1 << by, 0),
            _ => None,
        },
        _ => None,
    }
}

/// The same number, after a product and a sum.
fn moved(solved: Solved, times: i128, plus: i128) -> Option<Solved> {
    let times_of = i128::from(solved.affine.times).checked_mul(times)?;
    let plus_of = i128::from(solved.affine.plus).checked_mul(times)?.checked_add(plus)?;
    let affine = Affine { times: u16::try_from(times_of).ok()?, plus: i16::try_from(plus_of).ok()? };
    Some(Solved { affine, ..solved })
}
