//! The words of a dictionary, including those from a field reference.

use everybyte::{
    BinWrite, Endian, Layout,
    reference::{Book, CodeDoc, Form, TypeDoc, TypeKind},
    write,
};
use std::collections::BTreeMap;

/// Byte strings and their names. If a byte string has several names, the first one is used.
#[derive(Default)]
pub(super) struct Dictionary {
    entries: Vec<(String, Vec<u8>)>,
}

impl Dictionary {
    /// The maximum number of bytes in an entry that the fuzzer accepts.
    const LONGEST: usize = 64;

    /// Adds a word, unless it is already included or too long.
    pub fn add(&mut self, name: String, bytes: Vec<u8>) {
        let fits = (1..=Self::LONGEST).contains(&bytes.len());
        if fits && self.entries.iter().all(|(_, known)| *known != bytes) {
            self.entries.push((name, bytes));
        }
    }

    /// Adds the words from the field reference of a layout.
    pub fn layout<T: Layout>(&mut self, endians: &[Endian]) {
        let book = Book::of::<T>();
        let widths: BTreeMap<&str, usize> = book.types.iter().flat_map(fields).collect();
        let pages = || book.types.iter().flat_map(|page| endians.iter().map(move |&endian| (page, endian)));
        for (page, endian) in pages() {
            let name = |part: &str| {
                let name = format!("{}_{part}_{}", page.name, suffix(endian)).to_lowercase();
                name.replace(|letter: char| !letter.is_ascii_alphanumeric(), "_")
            };
            match &page.kind {
                TypeKind::Structure(_) | TypeKind::Choice(_) => {}
                // Some codes occur only in bit fields.
                TypeKind::Codes(codes) => {
                    let Some(&width) = widths.get(&*page.name) else { continue };
                    codes.iter().for_each(|code| self.add(name(&code.name), word(code.code as u64, width, endian)));
                }
                TypeKind::Bits(runs) => {
                    let width = runs.iter().map(|run| run.first + run.width).max().unwrap_or(0) as usize / 8;
                    for run in runs {
                        let ones = (u64::MAX >> (64 - run.width)) << run.first;
                        self.add(name(&run.name), word(ones, width, endian));
                        for code in codes_of(&book, &run.type_name) {
                            let name = name(&format!("{}_{}", run.name, code.name));
                            self.add(name, word((code.code as u64) << run.first, width, endian));
                        }
                    }
                }
                _ => {}
            }
        }
        for (page, endian) in pages() {
            for (type_name, width) in fields(page).filter(|(type_name, _)| is_integer(type_name)) {
                self.words(type_name, width, endian);
            }
        }
    }

    /// Adds integers of a width that code is likely to use in comparisons.
    fn words(&mut self, type_name: &str, width: usize, endian: Endian) {
        let most = u64::MAX >> (64 - 8 * width);
        let half = most / 2 + 1;
        let root = 1 << (4 * width);
        for number in [0, 1, 2, 3, 4, 5, 8, 16, 64, root - 1, root, half - 1, half, most - 1, most] {
            self.add(format!("{type_name}_{number}_{}", suffix(endian)), word(number, width, endian));
        }
    }

    /// Adds the magic at the beginning of a structure.
    pub fn magic<T: Layout>(&mut self, endian: Endian) {
        let book = Book::of::<T>();
        let Some(TypeDoc { name, kind: TypeKind::Structure(fields), .. }) = book.types.first() else { return };
        let bytes = match fields.first().map(|field| &field.form) {
            Some(Form::Fixed(bytes)) => bytes.clone(),
            Some(Form::Constant(size, value)) => word(*value as u64, *size as usize, endian),
            _ => return,
        };
        self.add(format!("{name}_magic_{}", suffix(endian)).to_lowercase(), bytes);
    }

    /// Adds a complete structure.
    pub fn written<T: for<'a> BinWrite<Args<'a> = ()>>(&mut self, name: &str, value: &T, endian: Endian) {
        self.add(name.to_owned(), write(value, endian).unwrap_or_default());
    }

    /// Returns the dictionary, in the syntax of AFL++ and libFuzzer.
    pub fn text(&self) -> String {
        let mut text = String::from("# Generated from the layouts by `ndbytes forge --dictionary`.\n");
        for (name, bytes) in &self.entries {
            text.push_str(&format!("{name}=\""));
            bytes.iter().for_each(|byte| text.push_str(&format!("\\x{byte:02x}")));
            text.push_str("\"\n");
        }
        text
    }
}

/// Returns the codes of a type, which may be none.
fn codes_of<'b>(book: &'b Book, type_name: &str) -> &'b [CodeDoc] {
    let page = book.types.iter().find(|page| page.name == type_name);
    match page.map(|page| &page.kind) {
        Some(TypeKind::Codes(codes)) => codes,
        _ => &[],
    }
}

/// Returns the type of each field, and the length of its values in bytes if it is fixed. Lists count as their elements.
fn fields(page: &TypeDoc) -> impl Iterator<Item = (&str, usize)> {
    let fields = match &page.kind {
        TypeKind::Structure(fields) => fields.as_slice(),
        _ => &[],
    };
    fields.iter().filter_map(|field| {
        let type_name = field.type_name.trim_matches(['[', ']']);
        let integer = is_integer(type_name).then(|| type_name[1..].parse::<usize>().unwrap() / 8);
        Some((type_name, field.size.map(|size| size as usize).or(integer)?))
    })
}

fn is_integer(type_name: &str) -> bool {
    matches!(type_name, "u8" | "u16" | "u32" | "u64" | "i16" | "i32" | "i64")
}

fn word(number: u64, width: usize, endian: Endian) -> Vec<u8> {
    match endian {
        Endian::Big => number.to_be_bytes()[8 - width..].to_vec(),
        Endian::Little => number.to_le_bytes()[..width].to_vec(),
    }
}

/// Returns the suffix for a byte order in the name of a word.
pub(super) fn suffix(endian: Endian) -> &'static str {
    match endian {
        Endian::Big => "be",
        Endian::Little => "le",
    }
}
