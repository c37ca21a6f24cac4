//! The entries of a field reference, one per type.

use crate::name::Name;
use crate::role::{Origin, Role};
use crate::terms::{ArgumentDoc, Expression, Form, ParameterDoc};
use binrw::Endian;
use std::borrow::Cow;

/// A bit field inside an integer.
///
/// ```
/// use everybyte::bits::*;
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// /// How a file is stored.
/// #[layout(bits = 8)]
/// struct Flags {
///     /// Whether it is compressed.
///     packed: bool,
///     /// The version.
///     version: B7,
/// }
///
/// let book = Book::of::<Flags>();
/// let TypeKind::Bits(bits) = &book.types[0].kind else { panic!("not an integer with named bits") };
/// assert_eq!((bits[1].name.as_str(), bits[1].first, bits[1].width), ("version", 1, 7));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bits {
    /// Its name.
    pub name: Name,
    /// Its lowest bit, counted from the lowest bit of the integer.
    pub first: u32,
    /// Its width in bits.
    pub width: u32,
    /// Its value; 0 in a field reference.
    pub value: u64,
    /// The name of its value, if it is a code; otherwise empty.
    pub meaning: Name,
    /// The name of its type, if it is a code; otherwise empty.
    pub type_name: Name,
    /// Its purpose.
    pub doc: Name,
}

/// A type's entry in the field reference.
///
/// ```
/// use everybyte::{Endian, layout, reference::Book};
///
/// /// A point.
/// #[layout]
/// #[brw(big)]
/// struct Point {
///     x: u16,
///     y: u16,
/// }
///
/// let book = Book::of::<Point>();
/// let point = &book.types[0];
/// assert_eq!((point.name.as_str(), point.doc.as_str(), point.endian), ("Point", "A point.", Some(Endian::Big)));
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct TypeDoc {
    /// The type's name.
    pub name: Name,
    /// The purpose of the type.
    pub doc: Name,
    /// The byte order, if the declaration states one; otherwise, the byte order of the enclosing structure applies.
    pub endian: Option<Endian>,
    /// The parameters that a reader needs.
    pub parameters: Vec<ParameterDoc>,
    /// True if it is a code, and a file with a code that has no name cannot be read.
    pub is_closed: bool,
    /// Its parts.
    pub kind: TypeKind,
}

/// The parts of a declared type.
///
/// ```
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// /// A note.
/// #[layout]
/// struct Note {
///     /// Bytes of the text.
///     length: u8,
///     /// The text.
///     #[br(count = length)]
///     text: Vec<u8>,
/// }
///
/// let book = Book::of::<Note>();
/// let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("not a structure") };
/// let names: Vec<&str> = fields.iter().map(|field| field.name.as_str()).collect();
/// assert_eq!(names, ["length", "text"]);
/// ```
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
///
/// ```
/// use everybyte::{layout, list::rest, packing::Zlib, reference::{Book, TypeKind}};
///
/// #[layout]
/// struct File {
///     #[br(parse_with = rest)]
///     #[layout(opens(Zlib as Rows))]
///     packed: Vec<u8>,
/// }
///
/// #[layout]
/// struct Rows {
///     count: u8,
/// }
///
/// let book = Book::of::<File>();
/// let TypeKind::Structure(fields) = &book.page("File").unwrap().kind else { panic!("not a structure") };
/// let opens = fields[0].opens.as_ref().unwrap();
/// assert_eq!((opens.packing, opens.content.as_str()), ("zlib", "Rows"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContentDoc {
    /// The name of the packing.
    pub packing: &'static str,
    /// The first type of the content.
    pub content: String,
    /// True if the packed bytes are stored in several pieces inside the field.
    pub is_joined: bool,
}

impl ContentDoc {
    /// Describes the field, for content with this name: `its bytes are zlib, and unpack into Rows`.
    pub(crate) fn words(&self, content: &str) -> String {
        match self.is_joined {
            true => format!("the pieces in it are {}, and unpack together into `{content}`", self.packing),
            false => format!("its bytes are {}, and unpack into `{content}`", self.packing),
        }
    }
}

/// One field in the field reference.
///
/// ```
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// /// A note.
/// #[layout]
/// struct Note {
///     /// Bytes of the text.
///     length: u8,
///     /// The text.
///     #[br(count = length)]
///     text: Vec<u8>,
/// }
///
/// let book = Book::of::<Note>();
/// let TypeKind::Structure(fields) = &book.types[0].kind else { panic!("not a structure") };
/// assert_eq!(fields[0].purpose(), "Bytes of the text. (counts text)");
/// assert_eq!((fields[0].size, fields[1].size), (Some(1), None));
/// assert_eq!(fields[1].count.as_ref().unwrap().text, "length");
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct FieldDoc {
    /// The field's name.
    pub name: Name,
    /// The name of its type.
    pub type_name: String,
    /// Its size, if it is fixed.
    pub size: Option<u64>,
    /// How its bytes are computed.
    pub form: Form,
    /// The expression that counts its elements.
    pub count: Option<Expression>,
    /// The condition under which it is present.
    pub condition: Option<Expression>,
    /// The arguments that its type is read with.
    pub arguments: Vec<ArgumentDoc>,
    /// The function that reads it instead of its type, as declared.
    pub parser: Option<Expression>,
    /// The maximum number of bytes that it may take.
    pub space: Option<Expression>,
    /// Its position, if it does not follow the previous field.
    pub place: Option<PlaceDoc>,
    /// The content that its bytes unpack into.
    pub opens: Option<ContentDoc>,
    /// The first type of the content that its bytes are a piece of.
    pub piece: Option<String>,
    /// The role of its number, if one is declared.
    pub role: Option<Role>,
    /// True if its value identifies an element of the enclosing list.
    pub is_key: bool,
    /// True if it is a number or a list of numbers.
    pub is_number: bool,
    /// The value that its bytes represent, or a calculated value.
    pub value: Option<Expression>,
    /// True if its value is shown in hexadecimal.
    pub is_hex: bool,
    /// The purpose of the field.
    pub doc: Name,
}

impl FieldDoc {
    /// Creates a field with only a type. The field is always present and of variable size.
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

    /// The purpose of the field, with its role: `Bytes of the text. (extent of text)`.
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

/// The position of a field in the field reference.
///
/// ```
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// #[layout]
/// struct Header {
///     offset: u32,
///     #[layout(at = offset)]
///     table: Table,
/// }
///
/// #[layout]
/// struct Table {
///     rows: u8,
/// }
///
/// let book = Book::of::<Header>();
/// let TypeKind::Structure(fields) = &book.page("Header").unwrap().kind else { panic!("not a structure") };
/// assert_eq!(fields[1].place.as_ref().unwrap().words(), "at offset");
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct PlaceDoc {
    /// The offset.
    pub at: Expression,
    /// The origin of the offset.
    pub origin: Origin,
    /// The variable in `at` and the list that it iterates over, if each element of the field has its own offset.
    pub each: Option<(&'static str, Expression)>,
    /// The variable for an element and the offset of the next element, if the field is a chain.
    pub chain: Option<(&'static str, Expression)>,
}

impl PlaceDoc {
    /// The position as text: `at pointer from the start of Page, for each pointer in pointers`.
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
        let chain = self
            .chain
            .as_ref()
            .map_or_else(String::new, |(variable, next)| format!(", and after each {variable} at {}", next.text));
        format!("at {}{origin}{each}{chain}", self.at.text)
    }
}

/// One alternative in the field reference.
///
/// ```
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// #[layout(match = kind)]
/// #[br(import(kind: u8))]
/// enum Value {
///     /// A whole number.
///     #[when(1)]
///     Number { number: u8 },
///     /// Two of them.
///     #[when(_)]
///     Pair { a: u8, b: u8 },
/// }
///
/// let book = Book::of::<Value>();
/// let TypeKind::Choice(variants) = &book.types[0].kind else { panic!("not a choice") };
/// assert_eq!((variants[0].doc.as_str(), variants[1].fields.len()), ("A whole number.", 2));
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct VariantDoc {
    /// The name of the alternative.
    pub name: Name,
    /// The case that it covers.
    pub doc: Name,
    /// The condition under which it is tried.
    pub condition: Expression,
    /// Its fields, in file order.
    pub fields: Vec<FieldDoc>,
}

/// One code in the field reference.
///
/// ```
/// use everybyte::{layout, reference::{Book, TypeKind}};
///
/// #[layout]
/// #[brw(repr = u8)]
/// enum Packing {
///     /// The bytes as they are.
///     Stored = 0,
///     Deflate = 8,
/// }
///
/// let book = Book::of::<Packing>();
/// let TypeKind::Codes(codes) = &book.types[0].kind else { panic!("not a code") };
/// assert_eq!((codes[1].number(), codes[1].name.as_str()), ("0x08".to_owned(), "deflate"));
/// assert_eq!(codes[0].purpose(), "The bytes as they are.");
/// ```
#[derive(Debug, PartialEq, Eq)]
pub struct CodeDoc {
    /// The code in the file.
    pub code: i128,
    /// The name of its constant in the declaration; empty if it has none.
    pub constant: Name,
    /// Its human-readable name.
    pub name: Name,
    /// Its meaning.
    pub doc: Name,
    /// Named numbers that belong to the code.
    pub numbers: Vec<(Name, u64)>,
}

impl CodeDoc {
    /// The code as shown to users: `0x0a` or `-1`.
    pub fn number(&self) -> String {
        if self.code < 0 { self.code.to_string() } else { format!("{:#04x}", self.code) }
    }

    /// Its meaning, with the numbers of the code.
    pub fn purpose(&self) -> String {
        let numbers = self.numbers.iter().map(|(name, number)| format!("{name} = {number}"));
        let numbers = numbers.collect::<Vec<_>>().join(", ");
        let parts = [self.doc.to_string(), if numbers.is_empty() { numbers } else { format!("({numbers})") }];
        parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
    }
}

/// Positions bit fields one after another.
pub fn place_bits(mut runs: Vec<Bits>) -> Vec<Bits> {
    let mut first = 0;
    for run in &mut runs {
        run.first = first;
        first += run.width;
    }
    runs
}

/// The nonzero bit fields as text.
pub fn set_bits(bits: &[Bits]) -> Cow<'static, str> {
    let set = bits.iter().filter(|bits| bits.value != 0).map(|bits| match (bits.width, bits.meaning.as_str()) {
        (1, "") => bits.name.as_str().to_owned(),
        (_, "") => format!("{} = {:#x}", bits.name, bits.value),
        (_, meaning) => format!("{} = {meaning}", bits.name),
    });
    set.collect::<Vec<_>>().join(", ").into()
}
