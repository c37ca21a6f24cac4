//! How many elements or bytes a field has, and which elements a definition can read.

use super::expression::{Element, Known, Scope};
use crate::reference::FieldDoc;
use crate::terms::{Expression, Form, Term, TextForm};

/// How to read the elements of a list whose length the file does not state.
#[derive(Default)]
pub struct Elements<'b> {
    /// The bytes that the elements fill. If nothing else is known, they extend to the end.
    pub filled: Option<String>,
    /// The condition that holds for the last element.
    pub until: Option<String>,
    /// The number of elements and the argument that each is read with.
    pub each: Option<(String, Element<'b>)>,
}

/// The number of elements or bytes of a field.
pub(super) enum Amount {
    /// Determined by its type.
    Own,
    /// An expression.
    Of(String),
    /// Everything to the end.
    ToEnd,
}

/// Requests a parameter in place of an expression, given its name, whether it is a boolean, and its description.
pub(super) type Ask<'a> = dyn FnMut(&str, bool, String) -> String + 'a;

pub fn is_each(field: &FieldDoc) -> bool {
    field.place.as_ref().is_some_and(|place| place.each.is_some())
}

pub fn is_chain(field: &FieldDoc) -> bool {
    field.place.as_ref().is_some_and(|place| place.chain.is_some())
}

/// Splits `each` into the number of elements and the scope in which the arguments of the elements are translated.
pub fn repeated<'s, 'b>(each: Option<(String, Element<'b>)>, scope: &Scope<'s, 'b>) -> (Option<String>, Scope<'s, 'b>) {
    let (count, element) = each.unzip();
    let element = element.or_else(|| scope.element.clone());
    (count, Scope { element, names: scope.names.clone(), ..*scope })
}

/// Returns whether a definition can read the elements of a form, if it has any.
pub fn is_readable(form: &Form) -> bool {
    match form {
        Form::List(element) | Form::Array(_, element) => is_element(element),
        _ => true,
    }
}

/// Returns whether a definition can read one value of this form after another.
pub fn is_element(form: &Form) -> bool {
    match form {
        Form::Array(_, element) => !has_page(element) && is_element(element),
        Form::Text(text) => text.size.is_some() || text.is_ended,
        Form::Sized(_) | Form::List(_) | Form::Numbers | Form::Opaque(None) | Form::Constant(..) => false,
        _ => true,
    }
}

/// Returns whether elements are of a declared type: no helper type contains them.
fn has_page(form: &Form) -> bool {
    match form {
        Form::Array(_, element) | Form::Ordered(_, element) => has_page(element),
        form => matches!(form, Form::Page(..)),
    }
}

/// Returns whether the number of a list's elements depends on nothing but constants and the elements.
pub fn is_own(field: &FieldDoc) -> bool {
    let is_outer = |term: &Term, own: &str| term.names().iter().any(|name| *name != own && !name.contains("::"));
    let is_until = |parser: &Term| match parser {
        Term::Call(_, arguments) => match &arguments[..] {
            [Term::Closure(own, body)] => !is_outer(body, own),
            [_] => true,
            _ => false,
        },
        _ => true,
    };
    field.parser.iter().all(|parser| is_until(&parser.term)) && !field.count.iter().any(|it| is_outer(&it.term, ""))
}

/// Returns the words for bytes that a definition cannot read otherwise.
pub fn parsed(field: &FieldDoc) -> String {
    let parser = field.parser.as_ref();
    parser.map_or("the bytes of its elements".to_owned(), |parser| format!("the bytes that `{}` reads", parser.text))
}

/// Returns an argument of a field.
pub fn argument<'b>(field: &'b FieldDoc, name: &str) -> Option<&'b Expression> {
    field.arguments.iter().find(|argument| argument.name == name).map(|it| &it.value)
}

/// Returns the number of elements or bytes of a field that its type reads. `has_number` is true if the type of its numbers is known.
pub fn counted(
    (field, is_end, has_number): (&FieldDoc, bool, bool),
    scope: &Scope<'_, '_>,
    ask: &mut Ask<'_>,
    inexact: &mut Vec<String>,
) -> Amount {
    let mut amount = |expression: Option<&Expression>, name: &str| match expression {
        Some(expression) => match scope.translate(&expression.term) {
            _ if is_end_of_space(expression, scope) => {
                inexact.extend(taken(expression, scope));
                Amount::ToEnd
            }
            Some(amount) => {
                inexact.extend(taken(expression, scope));
                Amount::Of(amount)
            }
            None if is_end && matches!(field.form, Form::Sized(_)) => {
                inexact.push(format!("its length is `{}`; here it extends to the end", expression.text));
                Amount::ToEnd
            }
            None => Amount::Of(ask(name, false, format!("`{}`", expression.text))),
        },
        None => Amount::Of(ask(name, false, format!("the {name}, which a reader of its own knows"))),
    };
    match &field.form {
        Form::Sized(_) => amount(argument(field, "length"), "length"),
        // For a chain, a definition states the offset of the first element.
        Form::List(_) if is_chain(field) => Amount::Of("1".to_owned()),
        Form::List(_) if is_each(field) => Amount::Own,
        Form::List(_) | Form::Text(TextForm { size: None, is_ended: false, .. }) => {
            amount(field.count.as_ref().or_else(|| argument(field, "count")), "count")
        }
        Form::Numbers if has_number => amount(argument(field, "count"), "count"),
        Form::Numbers => Amount::Of(ask("length", false, "the bytes of the numbers".to_owned())),
        Form::Opaque(None) => amount(None, "length"),
        Form::Rest => Amount::ToEnd,
        _ => Amount::Own,
    }
}

fn is_end_of_space(expression: &Expression, scope: &Scope<'_, '_>) -> bool {
    let term = match &expression.term {
        Term::Name(name) => match scope.names.iter().rev().find(|(known, _)| known == name) {
            Some((_, Known::Bound(value))) => value,
            _ => &expression.term,
        },
        term => term,
    };
    matches!(term, Term::Name("u64::MAX"))
}

/// Returns the parameters of an expression that have no other value.
fn taken(expression: &Expression, scope: &Scope<'_, '_>) -> Vec<String> {
    let words = |(name, value): (&str, &Term)| {
        let value = if let Term::Name(value) = value { (*value).to_owned() } else { format!("{value:?}") };
        format!("`{name}` is taken for {value} in `{}`", expression.text)
    };
    scope.bound(&expression.term).into_iter().map(words).collect()
}
