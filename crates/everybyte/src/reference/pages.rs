//! The pages of a field reference, one a type.

use crate::name::Name;
use crate::role::{Origin, Role};
use crate::terms::{ArgumentDoc, Expression, Form, ParameterDoc};
use binrw::Endian;
use std::borrow::Cow;

/// A run of bits inside an integer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    /// The name of the run.
    pub name: Name,
    /// Its lowest bit, counted from the integer's lowest.
    pub first: u32,
    /// Its width in bits.
    pub width: u32,
    /// Its value; 0 in a field reference.
    pub value: u64,
    /// The name of its value, if it is a code; else empty.
    pub meaning: Name,
    /// The name of its type, if it is a code; else empty.
    pub type_name: Name,
    /// The purpose of the run.
    pub doc: Name,
}

/// One type's page in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct TypeDoc {
    /// The type's name.
    pub name: Name,
    /// The purpose of the type.
    pub doc: Name,
    /// The byte order, if the declaration states one; else it is that of the structure around it.
    pub endian: Option<Endian>,
    /// The parameters that a reader needs.
    pub parameters: Vec<ParameterDoc>,
    /// Its parts.
    pub kind: TypeKind,
}

/// The parts of a declared type.
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TypeKind {
    /// Fields, in file order.
    Structure(Vec<FieldDoc>),
    /// Alternatives, tried in order.
    Choice(Vec<VariantDoc>),
    /// A code whose values have names.
    Codes(Vec<CodeDoc>),
    /// An integer whose bits have names.
    Bits(Vec<Bits>),
}

/// The content that a field unpacks into.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentDoc {
    /// The name of the packing.
    pub packing: &'static str,
    /// The type with which the content begins.
    pub content: String,
    /// True if the packed bytes stand in pieces inside the field.
    pub is_joined: bool,
}

impl ContentDoc {
    /// Words about the field, for a content of this name: `its bytes are zlib, and unpack into Rows`.
    pub(crate) fn words(&self, content: &str) -> String {
        match self.is_joined {
            true => format!("the pieces in it are {}, and unpack together into `{content}`", self.packing),
            false => format!("its bytes are {}, and unpack into `{content}`", self.packing),
        }
    }
}

/// One field in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct FieldDoc {
    /// The field's name.
    pub name: Name,
    /// The name of its type.
    pub type_name: String,
    /// Its size, where it is fixed.
    pub size: Option<u64>,
    /// How its bytes are made.
    pub form: Form,
    /// The expression that counts its elements.
    pub count: Option<Expression>,
    /// The condition under which it is present.
    pub condition: Option<Expression>,
    /// The arguments that its type is read with.
    pub arguments: Vec<ArgumentDoc>,
    /// The function that reads it in place of its type, as declared.
    pub parser: Option<Expression>,
    /// The number of bytes that it may take.
    pub space: Option<Expression>,
    /// Its place, if it does not stand after the field before it.
    pub place: Option<PlaceDoc>,
    /// The content that its bytes unpack into.
    pub opens: Option<ContentDoc>,
    /// The type with which the content begins of which its bytes are a piece.
    pub piece: Option<String>,
    /// The role of its number, if one is declared.
    pub role: Option<Role>,
    /// True if its value identifies the element of a list that it is in.
    pub is_key: bool,
    /// True if it is a number, or a list of numbers.
    pub is_number: bool,
    /// The value that its bytes mean, or that is calculated.
    pub value: Option<Expression>,
    /// True if its value is shown in base 16.
    pub is_hex: bool,
    /// The purpose of the field.
    pub doc: Name,
}

impl FieldDoc {
    /// A field that is always there, of no fixed size, and of which the declaration says no more than its type.
    pub fn new(name: Name, type_name: String, form: Form) -> Self {
        FieldDoc {
            name,
            type_name,
            size: None,
            form,
            count: None,
            condition: None,
            arguments: Vec::new(),
            parser: None,
            space: None,
            place: None,
            opens: None,
            piece: None,
            role: None,
            is_key: false,
            is_number: false,
            value: None,
            is_hex: false,
            doc: Name::new(""),
        }
    }

    /// The purpose of the field, and its role: `Bytes of the text. (extent of text)`.
    pub fn purpose(&self) -> String {
        let role = self.role.as_ref().map(Role::to_string);
        let place = self.place.as_ref().map(PlaceDoc::words);
        let opens = self.opens.as_ref().map(|ContentDoc { packing, content, is_joined }| match is_joined {
            true => format!("joins the {packing} of {content}"),
            false => format!("{packing} of {content}"),
        });
        let piece = self.piece.as_ref().map(|content| format!("piece of {content}"));
        let key = self.is_key.then(|| "key".to_owned());
        let value = self.value.as_ref().map(|value| format!("= {value}"));
        let notes: Vec<String> =
            role.into_iter().chain(place).chain(opens).chain(piece).chain(key).chain(value).collect();
        match (notes.is_empty(), self.doc.is_empty()) {
            (true, _) => self.doc.as_str().to_owned(),
            (false, true) => format!("({})", notes.join(", ")),
            (false, false) => format!("{} ({})", self.doc, notes.join(", ")),
        }
    }
}

/// The place of a field in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct PlaceDoc {
    /// The offset.
    pub at: Expression,
    /// The origin of the offset.
    pub origin: Origin,
    /// The variable in `at`, and the list of whose elements it is one, if each element of the field has an offset.
    pub each: Option<(&'static str, Expression)>,
}

impl PlaceDoc {
    /// The place in words: `at pointer from the start of Page, for each pointer in pointers`.
    pub fn words(&self) -> String {
        let origin = match &self.origin {
            Origin::Space => String::new(),
            Origin::Structure(name) => format!(" from the start of {name}"),
            Origin::After(field) => format!(" from the end of {field}"),
        };
        let each = self
            .each
            .as_ref()
            .map_or_else(String::new, |(variable, list)| format!(", for each {variable} in {}", list.text));
        format!("at {}{origin}{each}", self.at.text)
    }
}

/// One alternative in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct VariantDoc {
    /// The name of the alternative.
    pub name: Name,
    /// The case in which it is taken.
    pub doc: Name,
    /// The condition under which it is tried.
    pub condition: Expression,
    /// Its fields, in file order.
    pub fields: Vec<FieldDoc>,
}

/// One code in the field reference.
#[derive(Debug, PartialEq, Eq)]
pub struct CodeDoc {
    /// The code as it stands in the file.
    pub code: i128,
    /// The name of its constant in the declaration; empty if it has none.
    pub constant: Name,
    /// Its name, for people.
    pub name: Name,
    /// Its meaning.
    pub doc: Name,
    /// The numbers that it stands for, each with a name.
    pub numbers: Vec<(Name, u64)>,
}

impl CodeDoc {
    /// The code as people read it: `0x0a`, or `-1`.
    pub fn number(&self) -> String {
        if self.code < 0 { self.code.to_string() } else { format!("{:#04x}", self.code) }
    }

    /// Its meaning, and the numbers that it stands for.
    pub fn purpose(&self) -> String {
        let numbers = self.numbers.iter().map(|(name, number)| format!("{name} = {number}"));
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let parts = [self.doc.to_string(), if numbers.is_empty() { numbers } else { format!("({numbers})") }];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Places runs of bits one after the other.
pub fn place_bits(mut runs: Vec<Bits>) -> Vec<Bits> {
    let mut first = 0;
    for run in &mut runs {
        run.first = first;
        first += run.width;
    }
    runs
}

/// The runs that are not zero, in words.
pub fn set_bits(bits: &[Bits]) -> Cow<'static, str> {
    let set = bits.iter().filter(|bits| bits.value != 0).map(|bits| match (bits.width, bits.meaning.as_str()) {
        (1, "") => bits.name.as_str().to_owned(),
        (_, "") => format!("{} = {:#x}", bits.name, bits.value),
        (_, meaning) => format!("{} = {meaning}", bits.name),
    });
    set.collect::<Vec<_>>().join(", ").into()
}
