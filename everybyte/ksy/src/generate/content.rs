//! Converts the contents of fields to Rust types.
//!
//! A field becomes the most specific type that reads the same bytes: an array for a small fixed size, `Text` with an encoding and
//! padding, or a code for an enumeration that its integer can hold. Anything for which everybyte has no type is refused.

use super::bits::{integer_of, order_of};
use super::code::{Code, Is};
use super::model::{Capture, Model, Up, structures};
use super::names;
use super::recursion::LEVEL;
use super::terms::{Scope, parameter};
use super::text::Item;
use crate::resolve::{Content, Delimiter, Field, Formula, Parent, Repeat, Size, Term};
use crate::text::Encoding;

/// The maximum number of bytes of fixed size that become an array.
const LONGEST_ARRAY: i128 = 256;

impl Model<'_> {
    /// Returns a field, or an element of it, without its name; `None` if it was refused. Required types are added.
    pub fn content(&self, scope: Scope<'_>, field: &Field, items: &mut Vec<String>) -> Option<Item> {
        let refuse = |message: String| {
            self.refuse(field.at, message);
            None
        };
        if let Some(process) = &field.process {
            return refuse(format!("`{}` is unpacked by the process `{}`", field.name, process.name));
        }
        if !matches!(field.parent, Parent::Around) {
            return refuse(format!("`{}` states its parent", field.name));
        }
        match &field.content {
            Content::Bytes if field.contents.is_some() => {
                let length = field.contents.as_ref().map_or(0, |bytes| bytes.len());
                Some(Item { ty: format!("[u8; {length}]"), ..Item::default() })
            }
            Content::Bytes => self.bytes(scope, field),
            Content::Text(encoding) => self.text(scope, field, encoding),
            Content::Int { .. } | Content::Float { .. } | Content::Bits { .. } => self.number(field, &field.content),
            Content::Structure { .. } | Content::Switch { .. } => self.bounded(scope, field, items),
            Content::Opaque(name) => refuse(format!("the type `{name}` is not declared")),
            Content::Nothing => refuse(format!("`{}` has no bytes", field.name)),
        }
    }

    pub fn number(&self, field: &Field, content: &Content) -> Option<Item> {
        let order = order_of(content);
        if let Content::Float { size, .. } = content {
            return Some(Item { ty: format!("f{}", size * 8), order, ..Item::default() });
        }
        let Some(integer) = integer_of(content) else {
            self.refuse(field.at, format!("the bits of `{}` end inside a byte", field.name));
            return None;
        };
        let is_wide = integer.starts_with("everybyte");
        let code = field.enumeration.filter(|_| !is_wide).map(|number| self.code(number, integer));
        match (field.enumeration, code) {
            (None, _) => Some(Item { ty: integer.to_owned(), order, ..Item::default() }),
            (_, Some(Some(code))) => Some(Item { ty: code, order, ..Item::default() }),
            _ => {
                self.refuse(field.at, format!("no value of the enumeration fits the integer of `{}`", field.name));
                None
            }
        }
    }

    fn bytes(&self, scope: Scope<'_>, field: &Field) -> Option<Item> {
        if field.delimiter.is_some() || field.pad.is_some() {
            self.refuse(field.at, format!("the bytes of `{}` have a terminator or padding", field.name));
            return None;
        }
        let item = |ty: &str, br: Vec<String>| Item { ty: ty.into(), br, ..Item::default() };
        Some(match &field.size {
            Size::Of(Formula { term: Term::Int(size @ 1..=LONGEST_ARRAY), .. }) => {
                item(&format!("[u8; {size}]"), Vec::new())
            }
            Size::Of(size) => item("Vec<u8>", vec![self.count(scope, size)?]),
            Size::ToEnd | Size::Own => item("Vec<u8>", vec!["parse_with = everybyte::list::rest".into()]),
        })
    }

    /// Returns the directive for a number of elements. If the number is another field, the reader recognises its role.
    pub fn count(&self, scope: Scope<'_>, formula: &Formula) -> Option<String> {
        Some(format!("count = {}", self.counted(scope, formula)?))
    }

    /// Returns a count or a size. A field of the same structure is used as it is, so that its role is known.
    fn counted(&self, scope: Scope<'_>, formula: &Formula) -> Option<String> {
        let code = self.formula(scope, formula, Is::Int)?;
        let own = code.text.strip_prefix("i128::from(").and_then(|text| text.strip_suffix(')'));
        let is_name = |text: &&str| text.bytes().all(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        Some(own.filter(is_name).filter(|_| code.is_natural).map_or(code.text.clone(), str::to_owned))
    }

    pub fn text(&self, scope: Scope<'_>, field: &Field, encoding: &Encoding) -> Option<Item> {
        let refuse = |message: String| {
            self.refuse(field.at, message);
            None
        };
        let Some(encoding) = encoding_of(encoding) else {
            let known = "UTF-8, UTF-16, ASCII and ISO-8859-1";
            return refuse(format!("the encoding of `{}` is not one of {known}", field.name));
        };
        let end = match &field.delimiter {
            None => None,
            Some(Delimiter { bytes, include: false, consume: true, is_needed: true }) if bytes.len() == 1 => {
                Some(bytes[0])
            }
            Some(_) => {
                return refuse(format!(
                    "the terminator of `{}` is part of it, not consumed, optional or long",
                    field.name
                ));
            }
        };
        let padding = match (end, field.pad) {
            (Some(end), None) => format!("Closed<{end}>"),
            (Some(end), Some(pad)) if end == pad => format!("Closed<{end}>"),
            (Some(_), Some(_)) => return refuse(format!("`{}` has a terminator and other padding", field.name)),
            (None, Some(pad)) => format!("Filled<{pad}>"),
            (None, None) => String::new(),
        };
        let (padding, br) = match (&field.size, end) {
            (Size::Own, Some(end)) => (format!("Ended<{end}>"), Vec::new()),
            (Size::Of(Formula { term: Term::Int(size @ 1..=LONGEST_ARRAY), .. }), Some(end)) => {
                (format!("ClosedIn<{size}, {end}>"), Vec::new())
            }
            (Size::Of(Formula { term: Term::Int(size @ 1..=LONGEST_ARRAY), .. }), None) if field.pad.is_some() => {
                (format!("Padded<{size}, {}>", field.pad.unwrap_or_default()), Vec::new())
            }
            (Size::Of(size), _) => (padding, vec![self.count(scope, size)?]),
            (Size::ToEnd | Size::Own, _) => (padding, vec!["parse_with = everybyte::list::rest".into()]),
        };
        let ty = match (encoding, padding.is_empty()) {
            ("everybyte::text::Utf8", true) => "everybyte::text::Text".to_owned(),
            (_, true) => format!("everybyte::text::Text<{encoding}>"),
            (_, false) => format!("everybyte::text::Text<{encoding}, everybyte::text::{padding}>"),
        };
        Some(Item { ty, br, ..Item::default() })
    }

    /// Returns a structure, or one of several, and the maximum number of bytes for it.
    fn bounded(&self, scope: Scope<'_>, field: &Field, items: &mut Vec<String>) -> Option<Item> {
        if (field.delimiter.is_some() && !structures(&field.content).is_empty()) || field.pad.is_some() {
            self.refuse(field.at, format!("the structure `{}` has a terminator or padding", field.name));
            return None;
        }
        let own = &self.plan.types[scope.number];
        let is_last = scope.place + 1 == own.sequence && matches!(field.repeat, Repeat::Once);
        if matches!(field.size, Size::ToEnd) && !is_last {
            self.refuse(field.at, format!("`{}` takes all remaining bytes, but is not last", field.name));
            return None;
        }
        let mut item = match &field.content {
            Content::Structure { number, arguments } => {
                let arguments = self.arguments(scope, field, *number, arguments)?;
                let arguments: Vec<String> = arguments.into_iter().map(|code| code.text).collect();
                let br = if arguments.is_empty() { vec![] } else { vec![format!("args({})", arguments.join(", "))] };
                let is_list = !matches!(field.repeat, Repeat::Once);
                let (ty, parameters) = (self.held(scope.number, *number, is_list), self.parameters(*number)?);
                Item { ty, br, parameters, ..Item::default() }
            }
            _ => self.choice(scope, field, items)?,
        };
        if let Size::Of(size) = &field.size
            && !is_split(field)
        {
            item.size = Some((self.counted(scope, size)?, self.formula(scope, size, Is::Int)?.text));
        }
        Some(item)
    }

    /// Returns the arguments of a structure: its parameters, then its captures from enclosing structures.
    pub fn arguments(&self, scope: Scope<'_>, field: &Field, number: usize, stated: &[Formula]) -> Option<Vec<Code>> {
        let (own, mut all) = (&self.plan.types[number], Vec::new());
        for (param, argument) in own.params.iter().zip(stated) {
            let is = parameter(&param.kind);
            let is = is.map_err(|why| self.refuse(argument.at, format!("`{}`: {why}", param.name))).ok()?;
            all.push(self.formula(scope, argument, is)?);
        }
        for capture in &self.captures[&number] {
            let code = match capture.up {
                Up::Root if scope.number == 0 => self.local(scope, &capture.path),
                Up::Root => self.captured(scope, capture),
                Up::Parents(1) if capture.path.first().is_some_and(|&(of, _)| of == scope.number) => {
                    self.local(scope, &capture.path)
                }
                Up::Parents(1) => Err("an enclosing structure does not always have the same type".into()),
                Up::Parents(count) => {
                    self.captured(scope, &Capture { up: Up::Parents(count - 1), path: capture.path.clone() })
                }
            };
            match code {
                Ok(code) => all.push(code),
                Err(why) => {
                    let name = self.capture_name(number, capture);
                    self.refuse(field.at, format!("`{}` takes `{name}` from an enclosing structure: {why}", own.name));
                    return None;
                }
            }
        }
        if self.circles.contains_key(&number) {
            let level = if self.is_circle(scope.number, number) { format!("{LEVEL} + 1") } else { "0".to_owned() };
            all.push(Code::whole(level, Is::Int));
        }
        Some(all)
    }

    /// Returns the parameters of a structure.
    pub fn parameters(&self, number: usize) -> Option<Vec<String>> {
        let (own, mut all) = (&self.plan.types[number], Vec::new());
        let typed = |is: Is| if is == Is::Bool { "bool" } else { "i128" };
        for param in &own.params {
            match parameter(&param.kind) {
                Ok(is) => all.push(format!("{}: {}", names::field(&param.name), typed(is))),
                Err(why) => {
                    self.refuse(own.at, format!("`{}`: {why}", param.name));
                    return None;
                }
            }
        }
        for capture in &self.captures[&number] {
            let is = self.kind_of_path(&capture.path).unwrap_or(Is::Int);
            all.push(format!("{}: {}", self.capture_name(number, capture), typed(is)));
        }
        all.extend(self.circles.contains_key(&number).then(|| format!("{LEVEL}: i128")));
        Some(all)
    }
}

/// Returns whether the parts of a choice have separate sizes: a number has its own size, and a structure has the size of the field.
pub fn is_split(field: &Field) -> bool {
    let Content::Switch { cases, default, .. } = &field.content else { return false };
    let mut all = cases.iter().map(|(_, case)| case).chain([&**default]);
    matches!(field.size, Size::Of(_)) && all.any(|it| matches!(it, Content::Int { .. } | Content::Float { .. }))
}

/// Returns everybyte's name for the encoding.
fn encoding_of(encoding: &Encoding) -> Option<&'static str> {
    Some(match encoding {
        Encoding::Ascii => "everybyte::text::Ascii",
        Encoding::Latin1 => "everybyte::text::Latin1",
        encoding if encoding.is_utf8() => "everybyte::text::Utf8",
        Encoding::Wide { size: 2, is_little: true } => "everybyte::text::Utf16Le",
        Encoding::Wide { size: 2, is_little: false } => "everybyte::text::Utf16Be",
        _ => return None,
    })
}
