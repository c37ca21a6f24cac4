//! Element parsers that definitions support: `rest`, `filling`, `until` and `each`.

use super::elements::Elements;
use super::expression::{Element, Scope};
use super::nested::List;
use super::plan::Planner;
use crate::reference::{FieldDoc, TypeKind};
use crate::terms::{Expression, Term};

impl<'b> Planner<'_, 'b> {
    /// Returns how the elements of a field are read by a parser that definitions support; `None` for any other parser.
    pub(super) fn elements(
        &self,
        field: &'b FieldDoc,
        parser: &'b Expression,
        scope: &Scope<'_, 'b>,
    ) -> Option<Elements<'b>> {
        let known = |name: &str, known: &str| name.rsplit("::").next() == Some(known);
        match &parser.term {
            Term::Name(name) if known(name, "rest") => Some(Elements::default()),
            Term::Call(name, arguments) if known(name, "filling") => match &arguments[..] {
                [Term::Name("u64::MAX")] => Some(Elements::default()),
                [length] if self.language.has_elements => {
                    Some(Elements { filled: Some(scope.translate(length)?), ..Elements::default() })
                }
                _ => None,
            },
            Term::Call(name, arguments) if known(name, "until") && self.language.has_elements => {
                let [Term::Closure(name, body)] = &arguments[..] else { return None };
                let TypeKind::Structure(fields) = &self.target(&field.form)?.kind else { return None };
                let names = scope.names.clone();
                let scope = Scope { names, element: Some(Element { name, fields, text: "_".to_owned() }), ..*scope };
                Some(Elements { until: Some(scope.translate(body)?), ..Elements::default() })
            }
            Term::Call(name, arguments) if known(name, "each") && self.language.has_elements => {
                let [items, Term::Closure(name, _)] = &arguments[..] else { return None };
                Some(Elements { each: Some(self.each(name, items, scope)?), ..Elements::default() })
            }
            _ => None,
        }
    }

    /// The length of a range or list and the argument that each element is read with.
    fn each(&self, name: &'b str, items: &'b Term, scope: &Scope<'_, 'b>) -> Option<(String, Element<'b>)> {
        let (count, text, fields) = match items {
            Term::Binary(limits @ (".." | "..="), start, end) => {
                let (start, end) = (scope.translate(start)?, scope.translate(end)?);
                let further = if *limits == "..=" { " + 1" } else { "" };
                (format!("({end} - {start}{further})"), format!("(_index + {start})"), &[][..])
            }
            list => {
                let List { text, fields, .. } = scope.list(list)?;
                (format!("{text}.size"), (self.language.element)(&text), fields)
            }
        };
        Some((count, Element { name, fields, text }))
    }
}
