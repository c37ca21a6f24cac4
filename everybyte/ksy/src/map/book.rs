//! The field reference of a specification.

use super::leaves::primitive_name;
use crate::resolve::{self, Content, Field, Formula, Order, Plan, Repeat, Size, Type};
use crate::roles::Roles;
use everybyte::{
    Endian,
    map::Name,
    reference::{Book, CodeDoc, Expression, FieldDoc, Form, Term, TypeDoc, TypeKind},
};

/// Returns the field reference of all types and enumerations.
pub fn of(plan: &Plan, roles: &Roles) -> Book {
    let structures = plan.types.iter().enumerate().map(|(number, own)| TypeDoc {
        name: own.name.clone(),
        doc: own.doc.clone(),
        endian: None,
        parameters: Vec::new(),
        is_closed: false,
        kind: TypeKind::Structure(fields(plan, roles, number, own)),
    });
    let enums = plan.enums.iter().map(|of| {
        let mut codes: Vec<CodeDoc> = of
            .labels
            .iter()
            .map(|(code, label)| CodeDoc {
                code: *code,
                constant: Name::default(),
                name: label.name.clone(),
                doc: label.doc.clone(),
                numbers: Vec::new(),
            })
            .collect();
        codes.sort_by_key(|code| code.code);
        TypeDoc {
            name: of.page.clone(),
            doc: Name::default(),
            endian: None,
            parameters: Vec::new(),
            is_closed: false,
            kind: TypeKind::Codes(codes),
        }
    });
    Book { types: structures.chain(enums).collect() }
}

fn fields(plan: &Plan, roles: &Roles, number: usize, own: &Type) -> Vec<FieldDoc> {
    let stored = own.fields.iter().enumerate().filter(|(_, field)| field.value.is_none());
    stored
        .map(|(place, field)| {
            let (element, type_name, size) = form(plan, field, &field.content);
            let element = match field.enumeration {
                Some(of) => Form::Coded(Box::new(element), plan.enums[of].page.clone()),
                None => element,
            };
            let form = if matches!(field.repeat, Repeat::Once) { element } else { Form::List(Box::new(element)) };
            let type_name = match (&field.repeat, field.enumeration) {
                (_, Some(of)) => format!("{type_name} ({})", plan.enums[of].page),
                _ => type_name,
            };
            let is_list = !matches!(field.repeat, Repeat::Once);
            let type_name = if is_list { format!("[{type_name}]") } else { type_name };
            FieldDoc {
                size: size.filter(|_| !is_list),
                count: match &field.repeat {
                    Repeat::Count(count) => Some(expression(count)),
                    Repeat::Until(until) => Some(shown(format!("until {}", until.text))),
                    Repeat::ToEnd => Some(shown("rest")),
                    Repeat::Once => None,
                },
                condition: field.when.as_ref().map(expression),
                space: match &field.size {
                    Size::Of(size) => Some(expression(size)),
                    _ => None,
                },
                role: roles.get(&(number, own.params.len() + place)).cloned(),
                is_number: matches!(field.content, Content::Int { .. } | Content::Float { .. }),
                doc: field.doc.clone(),
                ..FieldDoc::new(field.name.clone(), type_name, form)
            }
        })
        .collect()
}

/// Returns how the bytes of some content are encoded, the name of its type, and its size, if it is fixed.
fn form(plan: &Plan, field: &Field, content: &Content) -> (Form, String, Option<u64>) {
    let name = primitive_name(content).to_string();
    match content {
        Content::Int { size, is_signed, order } => {
            let size = u64::from(*size);
            (ordered(*order, Form::Integer { size, is_signed: *is_signed }), name, Some(size))
        }
        Content::Float { size, order } => {
            let size = u64::from(*size);
            (ordered(*order, Form::Float { size }), name, Some(size))
        }
        Content::Bytes if field.contents.is_some() => {
            let bytes = field.contents.as_ref().map_or_else(Vec::new, |bytes| bytes.to_vec());
            let size = bytes.len() as u64;
            (Form::Fixed(bytes), name, Some(size))
        }
        Content::Bytes | Content::Text(_) => {
            let text = if matches!(content, Content::Text(_)) {
                everybyte::reference::Content::Utf8
            } else {
                everybyte::reference::Content::Bytes
            };
            match (&field.size, &field.delimiter) {
                (Size::Of(size), _) => match size.term {
                    resolve::Term::Int(size) if size >= 0 => (Form::Bytes(size as u64), name, Some(size as u64)),
                    _ => (Form::Sized(text), name, None),
                },
                (Size::Own, Some(delimiter)) if delimiter.bytes == [0] && delimiter.consume => {
                    (Form::NulString, name, None)
                }
                _ => (Form::Rest, name, None),
            }
        }
        Content::Structure { number, .. } => {
            let of = &plan.types[*number].name;
            (Form::Page(of.clone(), None), of.to_string(), None)
        }
        // With any other width, the surrounding bits share the same bytes.
        Content::Bits { width, is_little } if width % 8 == 0 => {
            let (size, order) = (u64::from(*width) / 8, if *is_little { Order::Little } else { Order::Big });
            (ordered(order, Form::Integer { size, is_signed: false }), name, Some(size))
        }
        Content::Bits { .. } => (Form::Opaque(None), name, None),
        Content::Switch { cases, .. } => {
            let mut names: Vec<String> = cases.iter().map(|(_, case)| form(plan, field, case).1).collect();
            names.dedup();
            (Form::Opaque(None), names.join(" | "), None)
        }
        Content::Opaque(name) => (Form::Opaque(None), name.to_string(), None),
        Content::Nothing => (Form::Bytes(0), "nothing".into(), Some(0)),
    }
}

/// Returns the form of a number in a byte order.
fn ordered(order: Order, form: Form) -> Form {
    match order {
        Order::Big => Form::Ordered(Endian::Big, Box::new(form)),
        Order::Little => Form::Ordered(Endian::Little, Box::new(form)),
        Order::Chosen => form,
    }
}

fn expression(formula: &Formula) -> Expression {
    shown(formula.text.to_string())
}

fn shown(text: impl Into<Name>) -> Expression {
    Expression { text: text.into(), term: Term::Other }
}
