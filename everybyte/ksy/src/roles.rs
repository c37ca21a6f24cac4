//! Roles of numbers, such as length, count or position, found in the expressions that use them.
//!
//! `size: length - 8` says that `length` is the extent of the field, plus 8. Such an expression is solved for its
//! number, if it is a product or a sum with constants. From then on, differences and the forge treat the number as they
//! do in declared formats, although specifications say nothing about roles. Roles that the specification does state
//! (`-role`) take precedence.

use crate::expression::Binary;
use crate::resolve::{Content, Formula, Plan, Property, Repeat, Size, Term, Type};
use everybyte::role::Role;
use everybyte::role::{Affine, Origin, Target};
use std::collections::HashMap;

/// The roles of slots, by the number of their type.
pub type Roles = HashMap<(usize, usize), Role>;

/// The number that an expression refers to, as `number × times + plus`.
struct Solved {
    /// The type and the slot of the number.
    number: (usize, usize),
    affine: Affine,
    /// Whether it is a field of the structure that contains the expression.
    is_own: bool,
    /// Whether a condition chooses between it and another number.
    is_chosen: bool,
}

/// Returns the roles of all numbers: the stated ones, and others derived from expressions. If several fields use a
/// number, the first one determines its role.
pub fn of(plan: &Plan) -> Roles {
    let mut roles = stated(plan);
    let is_whole = whole(plan);
    // The selector of a condition assigns a role to numbers that have none.
    let mut chosen = Vec::new();
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
                let role = role(target.with(solved.affine));
                match solved.is_chosen {
                    true => chosen.push((solved.number, role)),
                    false => _ = roles.entry(solved.number).or_insert(role),
                }
            };
            match (&field.size, &field.repeat) {
                (Size::Of(size), Repeat::Once) => note(size, |target| Role::Extent { target }),
                // The size of each element says nothing about the list.
                (Size::Of(size), _) => note(size, |Target { path, is_beside, affine, .. }| Role::Extent {
                    target: Target::to(format!("{path}[]"), is_beside).with(affine),
                }),
                _ => {}
            }
            if let Repeat::Count(count) = &field.repeat {
                note(count, |target| Role::Counts { target });
            }
            // Offsets in a structure of the file's stream are relative to the file's first byte, as are those read
            // through the root's stream.
            let is_from_start = field.io.as_ref().map_or(is_whole[number], |io| is_root_stream(&io.term));
            if let Some(pos) = field.pos.as_ref().filter(|_| is_from_start) {
                note(pos, |target| Role::Place { target, origin: Origin::Space });
            }
        }
    }
    for (number, role) in chosen.into_iter().chain(deciding(plan)) {
        roles.entry(number).or_insert(role);
    }
    roles
}

/// Returns the types whose structures are all in the file's own stream.
fn whole(plan: &Plan) -> Vec<bool> {
    let mut whole = RootStreamTypes { is_whole: vec![true; plan.types.len()], left: Vec::new() };
    for field in plan.types.iter().flat_map(|own| &own.fields) {
        if !field.is_unbounded() || field.io.as_ref().is_some_and(|io| !is_root_stream(&io.term)) {
            whole.leave(&field.content);
        }
    }
    // The fields of a type in another stream are also in that stream.
    while let Some(number) = whole.left.pop() {
        plan.types[number]
            .fields
            .iter()
            .filter(|field| field.io.is_none())
            .for_each(|field| whole.leave(&field.content));
    }
    whole.is_whole
}

struct RootStreamTypes {
    is_whole: Vec<bool>,
    /// The types that were moved to other streams, and whose fields have not been visited since.
    left: Vec<usize>,
}

impl RootStreamTypes {
    /// Records that the structures of some content are not in the file's stream.
    fn leave(&mut self, content: &Content) {
        match content {
            Content::Structure { number, .. } if std::mem::replace(&mut self.is_whole[*number], false) => {
                self.left.push(*number);
            }
            Content::Switch { cases, default, .. } => {
                cases.iter().map(|(_, case)| case).chain([&**default]).for_each(|content| self.leave(content));
            }
            _ => {}
        }
    }
}

/// Returns the numbers that determine how other fields are read: byte orders, widths and indices.
fn deciding(plan: &Plan) -> Vec<((usize, usize), Role)> {
    let mut found = Vec::new();
    let mut note = |term: &Term, role: Role| found.extend(solved(plan, term).map(|solved| (solved.number, role)));
    for own in &plan.types {
        own.endian.iter().for_each(|endian| note(&endian.on.term, Role::Steady));
        for field in &own.fields {
            if let Content::Switch { on, cases, .. } = &field.content
                && cases.iter().all(|(_, case)| matches!(case, Content::Int { .. } | Content::Float { .. }))
            {
                note(&on.term, Role::Steady);
            }
            if let Some(Formula { term: Term::Element(of, index), .. }) = &field.value
                && let Term::Slot { number, slot, .. } = &**of
                && let Some(list) = plan.types[*number].field(*slot)
            {
                note(index, Role::IndexOf { target: Target::to(list.name.clone(), false) });
            }
        }
    }
    found
}

/// Returns the roles that the specification states.
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

/// Returns the number that an expression of a type can be solved for.
fn solved(plan: &Plan, term: &Term) -> Option<Solved> {
    match term {
        Term::Slot { of, number: owner, slot } => {
            let field = plan.types[*owner].field(*slot)?;
            match &field.value {
                // A value computed from a number also refers to it.
                Some(value) if matches!(**of, Term::Own) => solved(plan, &value.term),
                Some(_) => None,
                None if is_integer(&field.content) && matches!(field.repeat, Repeat::Once) => {
                    let affine = Affine::default();
                    Some(Solved {
                        number: (*owner, *slot),
                        affine,
                        is_own: matches!(**of, Term::Own),
                        is_chosen: false,
                    })
                }
                None => None,
            }
        }
        // The file determines which of the two is used; a number that does not agree with its field does not follow it.
        Term::If(_, one, other) => {
            let mut of = [one, other].into_iter().filter_map(|term| solved(plan, term));
            let first = of.next()?;
            let chosen = if first.is_own { first } else { of.find(|other| other.is_own).unwrap_or(first) };
            Some(Solved { is_chosen: true, ..chosen })
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

/// Returns whether some content is an integer of any width.
fn is_integer(content: &Content) -> bool {
    match content {
        Content::Int { .. } => true,
        Content::Switch { cases, default, .. } => {
            let default = matches!(**default, Content::Nothing | Content::Bytes) || is_integer(default);
            default && !cases.is_empty() && cases.iter().all(|(_, case)| is_integer(case))
        }
        _ => false,
    }
}

/// Returns the same number, after a product and a sum.
fn moved(solved: Solved, times: i128, plus: i128) -> Option<Solved> {
    let times_of = i128::from(solved.affine.times).checked_mul(times)?;
    let plus_of = i128::from(solved.affine.plus).checked_mul(times)?.checked_add(plus)?;
    let affine = Affine { times: u16::try_from(times_of).ok()?, plus: i16::try_from(plus_of).ok()? };
    Some(Solved { affine, ..solved })
}
