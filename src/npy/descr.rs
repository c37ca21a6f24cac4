//! Derives the type of the items from the literal in the header.

use super::names::{Type, Why, named};
use crate::types::dtype::{Dtype, ElementKind};
use crate::types::item_type::leniency::Leniency;
use crate::types::item_type::{Field, ItemType, Literal, Structure, Value, read_as, shaped};
use everybyte::Endian;

/// The maximum number of parts of a field.
const MOST_PARTS: usize = 3;

const FIELD: &str = "a field: a tuple of a name, a type and perhaps a shape";

fn expected(what: &str) -> Why {
    Why::Unknown(format!("expected {what}"))
}

const METADATA: &str = "a type has metadata, as NumPy up to 1.26 saves that of fields";
const NAME: &str = "the type is one of ml_dtypes, by a name that NumPy does not load";
const TEXT: &str = "the type of the items is spelled as a text in quotes";

/// The names of ml_dtypes' types, and their sizes in bytes. ml_dtypes saves float8 as `<f1`.
const ML_TYPES: [(&str, u64); 12] = [
    ("bfloat16", 2),
    ("f1", 1),
    ("float8_e3m4", 1),
    ("float8_e4m3", 1),
    ("float8_e4m3b11fnuz", 1),
    ("float8_e4m3fn", 1),
    ("float8_e4m3fnuz", 1),
    ("float8_e5m2", 1),
    ("float8_e5m2fnuz", 1),
    ("float8_e8m0fnu", 1),
    ("int4", 1),
    ("uint4", 1),
];

/// The type that NumPy derives from a literal. The depth of the literal is bounded.
pub fn described(literal: &Literal) -> Result<Type, Why> {
    described_as(literal, &mut Leniency::strict())
}

/// Like `described`, but accepts additional spellings.
pub fn described_as(literal: &Literal, leniency: &mut Leniency) -> Result<Type, Why> {
    match &literal.value {
        Value::Text(name) => named(name).or_else(|why| other_name(name, leniency).ok_or(why)),
        Value::Tuple(parts) => match &parts[..] {
            [item, Literal { value: Value::Dictionary(_), .. }] if leniency.takes(METADATA) => {
                described_as(item, leniency)
            }
            // NumPy uses only the first two elements.
            [item, shape, rest @ ..] => {
                let repeated = repeated(described_as(item, leniency)?, item, shape, leniency)?;
                Ok(Type { is_as_written: repeated.is_as_written && rest.is_empty(), ..repeated })
            }
            _ => Err(expected("a tuple of a type and a shape")),
        },
        Value::List(fields) => structure(fields, leniency),
        _ => Err(expected("a type: a text, a list of fields, or a tuple of a type and a shape")),
    }
}

/// Returns the type for a string that NumPy does not recognise as a name: a type of ml_dtypes, or a literal in quotes. To NumPy,
/// items of ml_dtypes are raw bytes.
fn other_name(text: &str, leniency: &mut Leniency) -> Option<Type> {
    let name = text.trim_start_matches(['<', '|', '=']);
    if let Some((_, size)) = ML_TYPES.iter().find(|(known, _)| *known == name) {
        let item_type = Dtype::new(ElementKind::Record(*size), Endian::Little).into();
        return leniency.takes(NAME).then_some(Type { item_type, is_as_written: false });
    }
    if !text.starts_with(['[', '(']) || !leniency.takes(TEXT) {
        return None;
    }
    let literal = read_as(text, false, leniency).ok()?.0;
    // A string within a string is neither of these.
    if matches!(literal.value, Value::Text(_)) { None } else { described(&literal).ok() }
}

/// Adds a shape to the items. Instead of a shape, NumPy also accepts another type of the same size, which is then another view of
/// the same bytes.
fn repeated(item: Type, literal: &Literal, shape: &Literal, leniency: &mut Leniency) -> Result<Type, Why> {
    let is_unsized = item.item_type.size() == 0;
    let other = match &shape.value {
        Value::Text(name) if name.is_empty() && !is_unsized => return Ok(Type { is_as_written: false, ..item }),
        Value::Text(name) => named(name)?.item_type,
        Value::List(fields) if fields.is_empty() => structure(fields, leniency)?.item_type,
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

/// Returns the characters of a string, which Python treats like a list of strings.
fn letters(text: &str, position: usize) -> Vec<Literal> {
    let letter = |letter: char| Literal { position, value: Value::Text(letter.into()) };
    text.chars().take(MOST_PARTS + 1).map(letter).collect()
}

/// Returns a structure of consecutive fields. Unnamed raw bytes and subarrays are gaps between them.
fn structure(list: &[Literal], leniency: &mut Leniency) -> Result<Type, Why> {
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
        let described = described_as(format, leniency)?;
        let Type { item_type, is_as_written: is_format_as_written } = match shape {
            Some(shape) => repeated(described, format, shape, leniency)?,
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

/// Returns whether an unnamed field of this type is a gap.
fn is_gap(item_type: &ItemType) -> bool {
    matches!(item_type, ItemType::Plain(Dtype { kind: ElementKind::Record(_), .. }) | ItemType::Subarray(_))
}
