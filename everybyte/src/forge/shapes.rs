//! The shapes of leaves, according to the field references.
//!
//! A map shows the value of a field, but not how its bytes encode it: the width, the byte order and the encoding. The
//! field reference contains the form of each type. The byte order may come from an outer field, so it is passed down
//! with [`Around`]. A shape is trusted only if it decodes the bytes to the value that the map shows, in this byte
//! order or the opposite one. Otherwise the leaf is plain bytes.

use super::number::{Body, Shape};
use crate::coding::Coding;
use crate::hash::NumberedMap;
use crate::name::Name;
use crate::nodes::Node;
use crate::reference::{Book, CodeDoc, FieldDoc, TypeDoc, TypeKind};
use crate::terms::{Form, TextForm};
use crate::value::Value;
use binrw::Endian;
use std::cell::RefCell;

/// The descriptions of leaves in the field references.
#[derive(Debug)]
pub struct Shapes<'g> {
    pages: NumberedMap<&'g str, &'g TypeDoc>,
    /// The number of each kind of field, by the number of the enclosing kind and the name.
    kinds: RefCell<NumberedMap<(usize, Name), usize>>,
    /// The form of each field type and of each field by its name and type.
    types: NumberedMap<&'g str, &'g Form>,
    named: NumberedMap<(&'g str, &'g str), &'g Form>,
}

/// The context of a field.
#[derive(Debug, Clone, Copy)]
pub struct Around<'g> {
    /// The byte order.
    pub order: Endian,
    /// The type of the structure.
    pub page: Option<&'g TypeDoc>,
    /// The form of the elements, for a list.
    pub element: Option<&'g Form>,
}

impl<'g> Shapes<'g> {
    pub fn new(books: &'g [Book]) -> Self {
        let mut shapes = Shapes {
            pages: NumberedMap::default(),
            kinds: RefCell::default(),
            types: NumberedMap::default(),
            named: NumberedMap::default(),
        };
        for page in books.iter().flat_map(|book| &book.types) {
            shapes.pages.entry(&page.name).or_insert(page);
            for field in fields(page).filter(|field| field.form != Form::Calculated) {
                shapes.named.entry((&field.name, &field.type_name)).or_insert(&field.form);
                // A fixed value applies only to this field, not to all fields of its type.
                if matches!(field.form, Form::Constant(..) | Form::Fixed(_)) {
                    continue;
                }
                shapes.types.entry(&field.type_name).or_insert(&field.form);
                if let Form::List(form) | Form::Array(_, form) = &field.form {
                    let element = field.type_name.trim_start_matches('[').trim_end_matches(']');
                    shapes.types.entry(element).or_insert(form);
                }
            }
        }
        shapes
    }

    /// The type of a structure.
    pub fn structure(&self, page: &str) -> Option<&'g TypeDoc> {
        self.pages.get(page).copied()
    }

    /// The number of a kind of field.
    pub fn kind(&self, around: usize, name: &Name) -> usize {
        let mut kinds = self.kinds.borrow_mut();
        let next = kinds.len();
        *kinds.entry((around, name.clone())).or_insert(next)
    }

    /// The codes of a type.
    pub fn codes(&self, page: &str) -> &'g [CodeDoc] {
        match self.pages.get(page).map(|page| &page.kind) {
            Some(TypeKind::Codes(codes)) => codes,
            _ => &[],
        }
    }

    /// The context of the parts of a field.
    pub fn inside(&self, node: Node<'_>, around: Around<'g>) -> Around<'g> {
        let page = self.pages.get(node.type_name()).copied();
        let form = self.form(node, around);
        let own = match form {
            Some(Form::Ordered(order, _)) => Some(*order),
            _ => None,
        };
        let order = page.and_then(|page| page.endian).or(own).unwrap_or(around.order);
        let element = match form {
            Some(Form::List(element) | Form::Array(_, element)) => Some(&**element),
            _ => None,
        };
        Around { order, page, element }
    }

    /// The declared form of a field.
    fn form(&self, node: Node<'_>, around: Around<'g>) -> Option<&'g Form> {
        let declared = || fields(around.page?).find(|field| field.name == node.name()).map(|field| &field.form);
        let form = match (node.index(), around.element) {
            (Some(_), Some(element)) => Some(element),
            (Some(_), None) => declared().map(|form| match form {
                Form::List(element) | Form::Array(_, element) => element,
                form => form,
            }),
            (None, _) => declared(),
        };
        let named = || self.named.get(&(node.name(), node.type_name())).copied();
        form.or_else(named).or_else(|| self.types.get(node.type_name()).copied())
    }

    /// Determines the shape of a leaf. If the declared shape does not produce the value in the map, the opposite byte
    /// order is tried. If that fails too, the leaf is plain bytes.
    pub fn of(&self, node: Node<'_>, around: Around<'g>) -> Shape<'g> {
        let length = node.length();
        let form = self.form(node, around);
        let order = self.pages.get(node.type_name()).and_then(|page| page.endian).unwrap_or(around.order);
        let (form, codes) = match form {
            Some(Form::Coded(number, page)) => (Some(&**number), self.codes(page)),
            form => (form, &[][..]),
        };
        let mut shape = match form {
            // The field that selects the form is not known here, because the map only shows the selected type.
            None | Some(Form::Opaque(None)) => self.primitive(node.type_name(), order),
            Some(form) => self.shape(form, order),
        };
        if let Body::Integer { codes: of_number, .. } = &mut shape.body
            && !codes.is_empty()
        {
            *of_number = codes;
        }
        // If elements share a node, the shape describes each of them. A number in text has already been read by the map.
        let is_read = matches!(shape.body, Body::Digits(_)) && matches!(node.value(), Value::Int(_));
        if node.each().is_some() || is_read {
            return shape;
        }
        let is_whole = length <= node.first_bytes().len() as u64 && node.is_complete();
        if !shape.is_number() {
            return shape;
        }
        if !is_whole {
            return Shape { order, ..Shape::BYTES };
        }
        let other = Shape { order: if shape.order == Endian::Big { Endian::Little } else { Endian::Big }, ..shape };
        let fits = |shape: &Shape<'g>| states(shape, node);
        [shape, other].into_iter().find(fits).unwrap_or(Shape { order, ..Shape::BYTES })
    }

    /// The shape of a type that is a code or has named bits.
    fn page(&self, name: &str, order: Endian) -> Shape<'g> {
        let Some(page) = self.pages.get(name).copied() else { return Shape { order, ..Shape::BYTES } };
        let order = page.endian.unwrap_or(order);
        let body = match &page.kind {
            TypeKind::Codes(codes) => {
                let is_signed = codes.iter().any(|code| code.code < 0);
                Body::Integer { is_signed, codes, bits: &[] }
            }
            TypeKind::Bits(bits) => Body::Integer { is_signed: false, codes: &[], bits },
            _ => Shape::BYTES.body,
        };
        Shape { body, order, is_marked: false }
    }

    fn primitive(&self, name: &str, order: Endian) -> Shape<'g> {
        let integer = |is_signed| Body::Integer { is_signed, codes: &[], bits: &[] };
        let body = match name {
            "u8" | "u16" | "u32" | "u64" | "u128" => integer(false),
            "i8" | "i16" | "i32" | "i64" | "i128" => integer(true),
            "f32" | "f64" => Body::Float,
            "NulString" => Body::NulString,
            name => match Coding::ALL.into_iter().find(|coding| coding.name() == name) {
                Some(coding) => Body::Varint(coding),
                None => return self.page(name, order),
            },
        };
        Shape { body, order, is_marked: false }
    }

    fn shape(&self, form: &'g Form, order: Endian) -> Shape<'g> {
        let body = match form {
            Form::Integer { is_signed, .. } => Body::Integer { is_signed: *is_signed, codes: &[], bits: &[] },
            Form::Float { .. } => Body::Float,
            Form::Ordered(order, form) => return self.shape(form, *order),
            Form::Constant(..) => Body::Constant,
            Form::Fixed(_) => Body::Fixed,
            Form::Marked(_, form) => return Shape { is_marked: true, ..self.shape(form, order) },
            Form::Page(name, _) => return self.page(name, order),
            Form::Sized(content) => Body::Bytes { content: Some(*content), is_fixed: false },
            Form::Rest | Form::List(_) | Form::Numbers | Form::Opaque(None) => {
                Body::Bytes { content: None, is_fixed: false }
            }
            Form::Counted(length, mask, _) => Body::Counted(length, *mask),
            Form::Varint(coding) => Body::Varint(*coding),
            Form::Digits(digits) => Body::Digits(*digits),
            Form::NulString | Form::Text(TextForm { size: None, end: Some(0), is_ended: true, .. }) => Body::NulString,
            Form::Text(TextForm { size: None, is_ended: false, .. }) => Body::Bytes { content: None, is_fixed: false },
            _ => Shape::BYTES.body,
        };
        Shape { body, order, is_marked: false }
    }
}

/// Returns whether the bytes decode to the value in the map.
fn states(shape: &Shape<'_>, node: Node<'_>) -> bool {
    use super::number::Number;
    let bytes = node.first_bytes().get(..(node.length()) as usize);
    let Some(number) = bytes.and_then(|bytes| shape.read(bytes)) else { return false };
    match (&node.value(), number) {
        (Value::Uint(value), Number::Integer(number)) => i128::try_from(*value) == Ok(number),
        (Value::Int(value), Number::Integer(number)) => *value == number,
        (Value::Flags(value), Number::Integer(number)) => i128::from(*value) == number,
        (Value::Single(value), Number::Float(number)) => value.is_nan() || f64::from(*value) == number,
        (Value::Float(value), Number::Float(number)) => value.is_nan() || *value == number,
        // A code is shown by name, and elements that share a node are shown without a value.
        _ => true,
    }
}

/// Returns the fields of a structure or of all alternatives.
fn fields(page: &TypeDoc) -> impl Iterator<Item = &FieldDoc> {
    let (fields, variants) = match &page.kind {
        TypeKind::Structure(fields) => (&**fields, &[][..]),
        TypeKind::Choice(variants) => (&[][..], &**variants),
        _ => (&[][..], &[][..]),
    };
    fields.iter().chain(variants.iter().flat_map(|variant| &variant.fields))
}
