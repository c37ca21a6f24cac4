//! The type of the items, out of the literal that the header has for it.

use super::names::{Type, Why, named};
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::{Field, ItemType, Literal, Structure, Value, shaped};

/// The maximum number of parts of a field.
const MOST_PARTS: usize = 3;

const FIELD: &str = "a field: a tuple of a name, a type and perhaps a shape";

fn expected(what: &str) -> Why {
    Why::Unknown(format!("expected {what}"))
}

/// The type that NumPy makes of a literal. The depth of the literal is bounded.
pub fn described(literal: &Literal) -> Result<Type, Why> {
    match &literal.value {
        Value::Text(name) => named(name),
        // NumPy takes the first two.
        Value::Tuple(parts) => match &parts[..] {
            [item, shape, rest @ ..] => {
                let repeated = repeated(described(item)?, item, shape)?;
                Ok(Type { is_as_written: repeated.is_as_written && rest.is_empty(), ..repeated })
            }
            _ => Err(expected("a tuple of a type and a shape")),
        },
        Value::List(fields) => structure(fields),
        _ => Err(expected("a type: a text, a list of fields, or a tuple of a type and a shape")),
    }
}

/// Items of a shape. In its place, NumPy takes another type of the same size too, as another view of the bytes.
fn repeated(item: Type, literal: &Literal, shape: &Literal) -> Result<Type, Why> {
    let is_unsized = item.item_type.size() == 0;
    let other = match &shape.value {
        Value::Text(name) if name.is_empty() && !is_unsized => return Ok(Type { is_as_written: false, ..item }),
        Value::Text(name) => named(name)?.item_type,
        Value::List(fields) if fields.is_empty() => structure(fields)?.item_type,
        _ => return Ok(Type { item_type: shaped(item.item_type, literal, shape)?, ..item }),
    };
    let size = other.size();
    let item_type = match (item.item_type, other) {
        (unsized_type, ItemType::Structure(_)) if unsized_type.size() != size && !is_unsized => {
            return Err(expected("a type of the same size"));
        }
        (_, structure @ ItemType::Structure(_)) => structure,
        (ItemType::Plain(Dtype { kind: ElementKind::Bytes(0), endian }), _) => {
            Dtype::new(ElementKind::Bytes(size), endian).into()
        }
        (ItemType::Plain(Dtype { kind: ElementKind::Str(0), endian }), _) => {
            Dtype::new(ElementKind::Str(size / 4), endian).into()
        }
        (ItemType::Plain(Dtype { kind: ElementKind::Record(0), endian }), _) => {
            Dtype::new(ElementKind::Record(size), endian).into()
        }
        (subarray @ ItemType::Subarray(_), _) if is_unsized => subarray,
        (item_type, _) if item_type.size() == size => item_type,
        _ => return Err(expected("a type of the same size")),
    };
    Ok(Type { item_type, is_as_written: false })
}

/// The letters of a text, as Python takes it for a list of texts.
fn letters(text: &str, position: usize) -> Vec<Literal> {
    let letter = |letter: char| Literal { position, value: Value::Text(letter.into()) };
    text.chars().take(MOST_PARTS + 1).map(letter).collect()
}

/// Fields one after the other. Raw bytes and subarrays without a name are gaps between them.
fn structure(list: &[Literal]) -> Result<Type, Why> {
    let (mut end, mut is_as_written) = (0_u64, true);
    let mut fields = Vec::new();
    for entry in list {
        let of_text;
        let parts = match &entry.value {
            Value::Tuple(parts) | Value::List(parts) => parts,
            Value::Text(text) => {
                is_as_written = false;
                of_text = letters(text, entry.position);
                &of_text
            }
            _ => return Err(expected(FIELD)),
        };
        let (name, format, shape) = match &parts[..] {
            [name, format] => (name, format, None),
            [name, format, shape] => (name, format, Some(shape)),
            _ => return Err(expected(FIELD)),
        };
        let (title, name) = match &name.value {
            Value::Text(name) => (None, name),
            Value::Tuple(both) => match &both[..] {
                [Literal { value: Value::Text(title), .. }, Literal { value: Value::Text(name), .. }] => {
                    (Some(title), name)
                }
                [Literal { value: Value::None, .. }, Literal { value: Value::Text(name), .. }] => (None, name),
                _ => return Err(expected("a tuple of a title and a name")),
            },
            _ => return Err(expected("a name")),
        };
        let described = described(format)?;
        let Type { item_type, is_as_written: is_format_as_written } = match shape {
            Some(shape) => repeated(described, format, shape)?,
            None => described,
        };
        is_as_written &= is_format_as_written;
        let (offset, size) = (end, item_type.size());
        end = end.saturating_add(size);
        if !(name.is_empty() && title.is_none() && is_gap(&item_type)) {
            fields.push(Field { name: name.clone(), title: title.cloned(), offset, item_type });
        }
    }
    let item_type = ItemType::Structure(Structure::new(fields, end, false)?);
    Ok(Type { item_type, is_as_written })
}

/// Returns whether a field of this type is a gap if it has no name.
fn is_gap(item_type: &ItemType) -> bool {
    matches!(item_type, ItemType::Plain(Dtype { kind: ElementKind::Record(_), .. }) | ItemType::Subarray(_))
}
