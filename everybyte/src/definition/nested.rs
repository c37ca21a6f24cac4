//! Fields of structures that were read before, including optional fields and lists.

use super::expression::{Known, Scope};
use crate::reference::FieldDoc;
use crate::terms::{Form, Term};

impl<'b> Scope<'_, 'b> {
    /// Returns a field that may be absent: its name, and the condition under which it is present.
    pub(super) fn optional(&self, term: &Term) -> Option<(String, String)> {
        match borrowed(term) {
            Term::Name(name) => match self.find(name)? {
                Known::Field(field, Some(present)) => Some((field.name.to_string(), present.clone())),
                Known::Inner(_, name, Some(present)) => Some((name.clone(), present.clone())),
                _ => None,
            },
            term @ Term::Field(base, _) => {
                let condition = &self.field_of_structure(term)?.condition.as_ref()?.term;
                Some((self.translate(term)?, self.inside(base)?.translate(condition)?))
            }
            _ => None,
        }
    }

    /// Translates a method call on a field that may be absent.
    pub(super) fn of_optional(&self, receiver: &Term, name: &str, arguments: &[Term]) -> Option<String> {
        let (field, present) = self.optional(receiver)?;
        Some(match (name, arguments) {
            ("is_some", []) => present,
            ("is_some_and", [Term::Closure(name, body)]) => {
                format!("({present} {} {})", self.language.and, self.translate_as(name, &field, body)?)
            }
            ("map_or", [fallback, Term::Closure(name, body)]) => {
                let (body, fallback) = (self.translate_as(name, &field, body)?, self.translate(fallback)?);
                format!("({present} ? {body} : {fallback})")
            }
            ("unwrap_or", [fallback]) => format!("({present} ? {field} : {})", self.translate(fallback)?),
            _ => return None,
        })
    }

    /// The names that expressions inside a structure may use, as seen from the enclosing structure.
    fn inside(&self, structure: &Term) -> Option<Scope<'_, 'b>> {
        let (base, declared) = (self.translate(structure)?, self.declared(structure)?);
        let mut scope = Scope { language: self.language, pages: self.pages, names: Vec::new(), element: None };
        for argument in &declared.arguments {
            let form = self.form(&argument.value.term).cloned().unwrap_or(Form::Integer { size: 8, is_signed: true });
            let given = self.translate(&argument.value.term)?;
            scope.names.push((argument.name, Known::Parameter(given, form)));
        }
        for field in self.fields_of(&declared.form) {
            let present = field.condition.as_ref().and_then(|condition| scope.translate(&condition.term));
            scope.names.push((&field.name, Known::Inner(field, format!("{base}.{}", field.name), present)));
        }
        Some(scope)
    }

    /// Returns the declared field that an expression refers to.
    fn declared(&self, term: &Term) -> Option<&'b FieldDoc> {
        match term {
            Term::Name(name) => match self.find(name)? {
                Known::Field(field, _) | Known::Inner(field, ..) => Some(field),
                _ => None,
            },
            term => self.field_of_structure(term),
        }
    }

    /// Returns the list with the positions of a field's elements.
    pub(super) fn list_of(&self, field: &FieldDoc) -> Option<List<'b>> {
        let (_, list) = field.place.as_ref()?.each.as_ref()?;
        self.list(&list.term)
    }

    /// Returns a list, which is an earlier field or a field of an earlier structure that may be absent.
    pub(super) fn list(&self, term: &Term) -> Option<List<'b>> {
        let fields = |field: &FieldDoc| match &field.form {
            Form::List(element) => self.fields_of(element),
            _ => &[],
        };
        match term {
            // `table.as_ref().map_or(&[][..], Table::entries)`
            Term::Method(receiver, "map_or", arguments) => {
                let (name, present) = self.optional(receiver)?;
                let [_, Term::Name(function)] = arguments.as_slice() else { return None };
                let member = function.rsplit("::").next()?;
                let field = self
                    .fields_of(&self.declared(borrowed(receiver))?.form)
                    .iter()
                    .find(|field| field.name == *member)?;
                Some(List { text: format!("{name}.{member}"), present: Some(present), fields: fields(field) })
            }
            Term::Name(_) | Term::Field(..) => {
                let field = self.declared(term)?;
                Some(List { text: self.translate(term)?, present: None, fields: fields(field) })
            }
            _ => None,
        }
    }
}

/// Returns the value that `as_ref` refers to.
fn borrowed(term: &Term) -> &Term {
    match term {
        Term::Method(receiver, "as_ref", _) => borrowed(receiver),
        term => term,
    }
}

/// A list whose elements describe the elements of another list.
pub(super) struct List<'b> {
    /// Its name.
    pub text: String,
    /// The condition under which it is present, if it is optional.
    pub present: Option<String>,
    /// The fields of its elements.
    pub fields: &'b [FieldDoc],
}
