//! Generates files from a declaration. The reader reads a file from a source that generates its bytes on demand.
//!
//! The reader itself decides what comes next, so counts, conditions, arguments and alternatives are consistent. A code
//! field gets a defined code, and a field with an assertion or rule gets a number from that assertion or rule.
//! Anything that cannot be read is generated again.
//!
//! Purely random bytes would fail at the first magic. Before a field is read, [`prepare`](Making::prepare) writes bytes
//! that its declaration suggests. Everything is bounded: the attempts per field, the fields per file and the length of a
//! file. If no attempt satisfies the declaration, no file is produced, but generation always ends.

use crate::digits::Digits;
use crate::label::Label;
use crate::mode::{self, MADE_UP};
use crate::name::Name;
use crate::recorder;
use crate::reference::{Bits, Book, FieldDoc, Layout, TypeKind};
use crate::role::Role;
use crate::terms::{Form, Term};
use binrw::io::{self, Read, Seek, SeekFrom};
use binrw::{BinResult, Endian};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The maximum number of attempts to generate one field.
const ATTEMPTS: u32 = 12;

/// The maximum number of fields that are generated for one file, including rejected ones.
const MOST_FIELDS: u32 = 1 << 11;

/// The sizes of generated structures with their own size.
const SIZES: [u64; 4] = [16, 32, 64, 256];

/// The sizes of generated structures at offsets.
const SIZES_ELSEWHERE: [u64; 4] = [32, 64, 256, 1 << 10];

/// The sizes of generated files.
const FILE_SIZES: [u64; 4] = [64, 256, 1 << 10, 1 << 13];

thread_local! {
    static MAKING: RefCell<Option<Making>> = const { RefCell::new(None) };
}

/// The parts of a declaration that matter for generating values.
#[derive(Default)]
pub struct Facts {
    /// The codes of each type.
    codes: HashMap<Name, Vec<u64>>,
    /// The bit fields of each type.
    bits: HashMap<Name, Vec<Bits>>,
    /// The fields that other fields depend on.
    steering: HashSet<&'static str>,
    /// The literals in guards and conditions.
    numbers: Vec<u64>,
    texts: Vec<&'static [u8]>,
}

/// A file that is being generated.
struct Making {
    facts: Rc<Facts>,
    bytes: Vec<u8>,
    random: u64,
    /// The maximum length of the file.
    limit: u64,
    fields: u32,
    /// True while text is being read.
    is_text: bool,
    /// The number that a rule requires of the next field.
    wanted: Option<u64>,
    /// The numbers that rules require of its bit fields.
    wanted_runs: Vec<(&'static str, u64)>,
    /// Fields before this offset keep their bytes. They are the readable part of a structure that failed later.
    kept: u64,
    /// Contents to be stored in pieces.
    joins: Vec<Join>,
}

/// Packed bytes, and the paths of the fields that contain them, piece by piece.
pub struct Join {
    pub paths: Vec<String>,
    pub packed: Vec<u8>,
}

impl Facts {
    pub fn of(book: &Book) -> Self {
        let mut facts = Facts::default();
        for page in &book.types {
            match &page.kind {
                TypeKind::Codes(codes) => {
                    facts.codes.insert(page.name.clone(), codes.iter().map(|code| code.code as u64).collect());
                }
                TypeKind::Structure(fields) => fields.iter().for_each(|field| facts.add(field)),
                TypeKind::Choice(variants) => {
                    for variant in variants {
                        facts.gather(&variant.condition.term);
                        variant.fields.iter().for_each(|field| facts.add(field));
                    }
                }
                TypeKind::Bits(runs) => {
                    facts.bits.insert(page.name.clone(), runs.clone());
                }
            }
        }
        facts
    }

    fn add(&mut self, field: &FieldDoc) {
        let arguments = field.arguments.iter().map(|argument| &argument.value);
        for expression in field.count.iter().chain(&field.condition).chain(arguments).chain(&field.parser) {
            self.steering.extend(expression.term.names());
            self.steering.extend(expression.term.members());
        }
        if let Some(parser) = &field.parser {
            self.gather(&parser.term);
        }
        if let Some(condition) = &field.condition {
            self.gather(&condition.term);
        }
    }

    /// Collects the literals of a condition.
    fn gather(&mut self, term: &Term) {
        match term {
            Term::Number(number) => self.numbers.extend(u64::try_from(*number)),
            Term::Bytes(bytes) => self.texts.push(bytes),
            Term::Field(base, _) | Term::Unary(_, base) | Term::Closure(_, base) => self.gather(base),
            Term::Method(base, _, all) => {
                self.gather(base);
                all.iter().for_each(|term| self.gather(term));
            }
            Term::Call(_, all) => all.iter().for_each(|term| self.gather(term)),
            Term::Binary(_, left, right) => {
                self.gather(left);
                self.gather(right);
            }
            Term::If(condition, yes, no) => [condition, yes, no].into_iter().for_each(|term| self.gather(term)),
            Term::Name(_) | Term::Bool(_) | Term::Other => {}
        }
    }
}

impl Making {
    fn next(&mut self) -> u64 {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        self.random
    }

    /// Generates bytes up to an offset. If `is_cut` is true, also discards the bytes after it.
    fn reach(&mut self, end: u64, is_cut: bool) {
        let end = usize::try_from(end).unwrap_or(usize::MAX);
        while self.bytes.len() < end {
            let byte = (self.next() >> 24) as u8;
            self.bytes.push(if self.is_text { b'a' + byte % 26 } else { byte });
        }
        if is_cut {
            self.bytes.truncate(end);
        }
    }

    fn one_of<T: Copy>(&mut self, all: &[T]) -> Option<T> {
        let place = self.next() >> 11;
        all.get((place % all.len().max(1) as u64) as usize).copied()
    }

    /// Generates the bytes of a field before its reader reads them, if the declaration determines them.
    fn prepare<V: Layout>(&mut self, start: u64, label: &Label, endian: Endian) {
        if start < self.kept {
            return;
        }
        self.reach(start.min(self.limit), true);
        self.is_text = V::MAY_BE_FLAWED;
        let wanted = self.wanted.take().filter(|_| self.next() >> 36 & 15 > 0);
        let runs = std::mem::take(&mut self.wanted_runs);
        if let Form::Digits(digits) = V::form() {
            return self.digits(digits, label, wanted, &runs);
        }
        let Some(size) = V::SIZE.and_then(|size| usize::try_from(size).ok()).filter(|&size| size <= 16) else { return };
        let number = match self.facts.codes.get(V::type_name().as_str()).cloned() {
            _ if wanted.is_some() => wanted,
            Some(codes) => self.one_of(&codes),
            None if self.facts.bits.contains_key(V::type_name().as_str()) => self.bits(&V::type_name(), &runs),
            None if V::IS_NUMBER => self.number(label, size),
            None => {
                let fit: Vec<_> = self.facts.texts.iter().filter(|text| text.len() == size).copied().collect();
                let text = self.one_of(&fit).filter(|_| self.facts.steering.contains(label.name));
                self.bytes.extend_from_slice(text.unwrap_or_default());
                return;
            }
        };
        let Some(number) = number else { return };
        match endian {
            Endian::Little => self.bytes.extend((0..size).map(|place| shifted(number, place))),
            Endian::Big => self.bytes.extend((0..size).rev().map(|place| shifted(number, place))),
        }
    }

    /// Generates the text of a number.
    fn digits(&mut self, digits: Digits, label: &Label, wanted: Option<u64>, runs: &[(&'static str, u64)]) {
        // A rule may require the number itself or its `value()`.
        let asked = runs.iter().find(|(name, _)| *name == "value").map(|(_, number)| *number);
        let number = wanted.or(asked).or_else(|| self.number(label, size_of::<i64>()));
        let number = number.unwrap_or_else(|| self.next() >> 32 & 0xFFF) as i64;
        let (least, most) = digits.range();
        let number = i128::from(number).clamp(least, most) as i64;
        self.bytes.extend(digits.write(number).unwrap_or_default());
    }

    /// Generates an integer whose bit fields satisfy the rules and contain defined codes.
    fn bits(&mut self, type_name: &str, wanted: &[(&'static str, u64)]) -> Option<u64> {
        let runs = self.facts.bits.get(type_name)?.clone();
        let mut number = 0;
        for run in runs {
            let most = u64::MAX >> (64 - run.width.clamp(1, 64));
            let asked = wanted.iter().find(|(name, _)| run.name == **name).map(|(_, number)| *number);
            let codes = self.facts.codes.get(&run.type_name).cloned();
            let value = match (asked, codes) {
                (Some(asked), _) if self.next() >> 36 & 15 > 0 => asked,
                (_, Some(codes)) => self.one_of(&codes)?,
                _ => match self.next() >> 40 & 3 {
                    0 => 0,
                    1 => self.next() >> 32 & 7,
                    _ => self.next() >> 8,
                },
            };
            number |= (value & most) << run.first;
        }
        Some(number)
    }

    /// Generates a number for a field; `None` if any number is suitable.
    fn number(&mut self, label: &Label, size: usize) -> Option<u64> {
        let small = self.next() >> 32 & 7;
        let is_small = matches!(label.role, Some(Role::Extent { .. } | Role::Counts { .. } | Role::Place { .. }));
        match self.next() >> 40 & 7 {
            0 if label.hints.is_empty() || small == 0 => Some(small),
            1 if !label.hints.is_empty() && self.facts.steering.contains(label.name) => Some(small),
            _ if !label.hints.is_empty() => self.one_of(label.hints),
            1..=4 if self.facts.steering.contains(label.name) && !is_small => {
                let numbers = self.facts.numbers.clone();
                self.one_of(&numbers).or(Some(small))
            }
            _ if is_small || self.facts.steering.contains(label.name) => Some(small),
            1 | 2 => Some(small),
            3 | 4 => Some(1 << ((self.next() >> 32) % (8 * size.clamp(1, 8)) as u64)),
            _ => None,
        }
    }
}

/// Returns a byte of a number, counted from the lowest byte.
fn shifted(number: u64, place: usize) -> u8 {
    if place < 8 { (number >> (8 * place)) as u8 } else { 0 }
}

/// Returns whether a file is being generated.
pub fn is_on() -> bool {
    mode::has(MADE_UP)
}

/// A number below `count` for the file that is being generated; `None` if no file is being generated.
pub fn choice(count: u64) -> Option<u64> {
    if !is_on() {
        return None;
    }
    MAKING.with_borrow_mut(|making| making.as_mut().map(|making| (making.next() >> 20) % count))
}

/// A size for a structure, regardless of the number that was generated for it; `None` if no file is being generated.
pub fn size() -> Option<u64> {
    choice(SIZES.len() as u64).map(|place| SIZES[place as usize])
}

/// Records the number that a rule requires of the next field.
pub fn want(number: u64) {
    MAKING.with_borrow_mut(|making| {
        if let Some(making) = making {
            making.wanted = Some(number);
        }
    });
}

/// Records the number that a rule requires of a bit field of the next field.
pub fn want_run(run: &'static str, number: u64) {
    MAKING.with_borrow_mut(|making| {
        if let Some(making) = making {
            making.wanted_runs.push((run, number));
        }
    });
}

/// Reads a structure at an offset from separately generated bytes, which are moved to their offset when the file is written.
pub fn elsewhere<T>(read: impl FnOnce(&mut Source) -> BinResult<T>) -> BinResult<T> {
    let outer = MAKING.with_borrow_mut(|making| {
        let making = making.as_mut()?;
        let limit = making.one_of(&SIZES_ELSEWHERE).unwrap_or_default();
        let outer = (std::mem::take(&mut making.bytes), making.limit, making.is_text, making.kept);
        (making.limit, making.is_text, making.kept) = (limit, false, 0);
        Some(outer)
    });
    let value = read(&mut Source { position: 0 });
    MAKING.with_borrow_mut(|making| {
        if let (Some(making), Some(outer)) = (making, outer) {
            (making.bytes, making.limit, making.is_text, making.kept) = outer;
        }
    });
    value
}

/// Reads a field from generated bytes, which are generated again until the field can be read.
pub fn field<V: Layout, R: Seek>(
    reader: &mut R,
    (label, endian): (&Label, Endian),
    is_last: bool,
    read: impl FnOnce(&mut R) -> BinResult<V>,
) -> BinResult<Option<V>> {
    let start = reader.stream_position()?;
    let goes_on = MAKING.with_borrow_mut(|making| {
        let Some(making) = making else { return false };
        making.fields += 1;
        making.prepare::<V>(start, label, endian);
        making.fields < MOST_FIELDS
    });
    let value = read(reader);
    let is_sound = |value: &V| !V::MAY_BE_FLAWED || value.flaw().is_none();
    match value {
        Ok(value) if is_last || is_sound(&value) => Ok(Some(value)),
        Err(error) if is_last || !goes_on => Err(error),
        _ => {
            reader.seek(SeekFrom::Start(start))?;
            shorten(start);
            Ok(None)
        }
    }
}

/// Generates something again and again until it can be read.
pub fn again<V>(mut make: impl FnMut(bool) -> BinResult<Option<V>>) -> BinResult<V> {
    for _ in 1..ATTEMPTS {
        if let Some(value) = make(false)? {
            return Ok(value);
        }
    }
    make(true)?.ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData).into())
}

/// Discards some of the bytes of a field that cannot be read, and all of them every second time.
fn shorten(start: u64) {
    MAKING.with_borrow_mut(|making| {
        let Some(making) = making else { return };
        let made = (making.bytes.len() as u64).saturating_sub(start);
        let kept = making.next() >> 24 & 1;
        making.kept = start + kept * (making.next() >> 24) % (made + 1);
        making.reach(making.kept.min(making.limit), true);
    });
}

/// Discards the bytes after an offset, so that they are generated again.
pub fn forget(start: u64) {
    MAKING.with_borrow_mut(|making| {
        if let Some(making) = making {
            making.reach(start.min(making.limit), true);
        }
    });
}

/// Writes a string of a few letters and its terminating byte at an offset. Does nothing if no file is being generated.
pub fn put_text(start: u64, end: u8) {
    let Some(length) = choice(12) else { return };
    let letters = (0..length).map(|_| b'a' + choice(26).unwrap_or_default() as u8);
    put(start, &letters.chain([end]).collect::<Vec<u8>>());
}

/// A function that returns a random number below its argument.
type Choose<'c> = dyn FnMut(u64) -> u64 + 'c;

/// Writes text at an offset: an example of this length or generated text. Does nothing if there is no such text, if
/// the file has no room for it, or if no file is being generated.
pub fn put_text_of(
    start: u64,
    (examples, length): (&[&str], usize),
    make: impl FnOnce(&mut Choose<'_>) -> Option<Vec<u8>>,
) {
    if !is_on() {
        return;
    }
    let has_room = MAKING.with_borrow(|making| {
        let limit = making.as_ref().map_or(0, |making| making.limit);
        start.checked_add(length as u64).is_some_and(|end| end <= limit)
    });
    if !has_room {
        return;
    }
    let fit: Vec<&str> = examples.iter().filter(|text| text.len() == length).copied().collect();
    if !fit.is_empty()
        && let Some(place) = choice(fit.len() as u64)
    {
        put(start, fit[place as usize].as_bytes());
    } else if let Some(text) = make(&mut |count| choice(count).unwrap_or_default()) {
        put(start, &text);
    }
}

/// Writes bytes at an offset, instead of generated ones.
pub fn put(start: u64, bytes: &[u8]) {
    forget(start);
    MAKING.with_borrow_mut(|making| {
        if let Some(making) = making {
            making.bytes.extend_from_slice(bytes);
        }
    });
}

/// Records packed bytes to be stored in these fields when the file is written.
pub fn join(paths: impl Iterator<Item = String>, packed: Vec<u8>) {
    let paths: Vec<String> = paths.filter(|path| !path.is_empty()).collect();
    MAKING.with_borrow_mut(|making| {
        if let Some(making) = making.as_mut().filter(|_| !paths.is_empty()) {
            making.joins.push(Join { paths, packed });
        }
    });
}

/// The source that a file is read from while it is generated.
pub struct Source {
    position: u64,
}

impl Read for Source {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let wanted = buffer.len() as u64;
        MAKING.with_borrow_mut(|making| {
            let Some(making) = making.as_mut().filter(|making| self.position + wanted <= making.limit) else {
                return Err(io::ErrorKind::UnexpectedEof.into());
            };
            making.reach(self.position + wanted, false);
            let end = (self.position + wanted) as usize;
            buffer.copy_from_slice(&making.bytes[self.position as usize..end]);
            self.position += wanted;
            Ok(buffer.len())
        })
    }
}

impl Seek for Source {
    fn seek(&mut self, target: SeekFrom) -> io::Result<u64> {
        let limit = MAKING.with_borrow(|making| making.as_ref().map_or(0, |making| making.limit));
        let position = match target {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(by) => self.position.checked_add_signed(by),
            SeekFrom::End(by) => limit.checked_add_signed(by),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

/// A generated file.
pub struct Made<T> {
    pub value: BinResult<T>,
    /// The bytes that were read.
    pub bytes: Vec<u8>,
    pub joins: Vec<Join>,
    /// The number of generated fields, including the fields of rejected alternatives.
    pub fields: u32,
    /// The next random number.
    pub next: u64,
}

/// Runs a reader on bytes that are generated for it from a random number.
pub fn made<T>(facts: &Rc<Facts>, random: u64, read: impl FnOnce(&mut Source) -> BinResult<T>) -> Made<T> {
    let (bytes, joins) = (Vec::new(), Vec::new());
    let mut making = Making {
        facts: Rc::clone(facts),
        bytes,
        random,
        limit: 0,
        fields: 0,
        is_text: false,
        wanted: None,
        wanted_runs: Vec::new(),
        kept: 0,
        joins,
    };
    making.limit = making.one_of(&FILE_SIZES).unwrap_or_default();
    let outer = MAKING.replace(Some(making));
    let mut source = Source { position: 0 };
    let before = mode::only(MADE_UP);
    let value = recorder::recorded(|| read(&mut source));
    drop(before);
    let made = MAKING.replace(outer);
    let Some(mut made) = made else {
        return Made { value, bytes: Vec::new(), joins: Vec::new(), fields: 0, next: random };
    };
    made.reach(source.position.min(made.limit), true);
    let next = made.next();
    Made { value, bytes: made.bytes, joins: made.joins, fields: made.fields, next }
}
