//! Statistics of the items of an array.

use super::long::Long;
use super::numbers::{Float, Floats, Integers, Meaning};
use super::real::Real;
use super::texts::Texts;
use super::{Series, Statistics};
use everybyte::Endian;
use half::{bf16, f16};
use ndbytes::{Array, Decoded, Dtype, ElementKind, ItemType, Items, LongDouble, Result};

/// The maximum number of series that are distinguished: further fields of a structure are left out.
pub const MOST_SERIES: usize = 256;

/// Bytes that are taken at a time.
const PIECE: usize = 1 << 18;

/// The statistics of an array: one series, or one for each field of its structures and part of its complex numbers.
///
/// # Errors
/// Those of reading the items.
pub fn array(array: &Array<'_>) -> Result<Vec<Series>> {
    if !array.is_fortran_order() {
        return items(&mut *array.items());
    }
    // The order does not matter, so that of the file is taken.
    let (item_type, bytes) = (array.item_type(), array.bytes()?);
    let shape = [bytes.len() / item_type.stride().max(1) as usize];
    items(&mut Decoded::new(&bytes, &item_type, &shape)?)
}

/// The statistics of items: one series, or one for each field of their structures and part of their complex numbers.
///
/// # Errors
/// Those of reading the items.
pub fn items(items: &mut dyn Items) -> Result<Vec<Series>> {
    let mut collector = Collector::new(items.item_type());
    let (count, piece) = (items.count(), items.piece());
    let mut start = 0;
    while start < count {
        let asked = piece.min(count - start);
        collector.add(items.read(start, asked)?);
        start += asked;
    }
    Ok(collector.finish())
}

/// Takes items piece by piece.
#[derive(Debug)]
pub struct Collector {
    item_type: ItemType,
    names: Vec<String>,
    tallies: Vec<Tally>,
}

impl Collector {
    /// A collector of items of this type.
    pub fn new(item_type: &ItemType) -> Self {
        let mut names = Vec::new();
        let mut tallies = Vec::new();
        // Tables of all values of 16 bits are worth their room for one series alone.
        let is_alone = matches!(item_type, ItemType::Plain(_));
        leaves(item_type, String::new(), &mut |name, dtype, part| {
            let is_wanted = tallies.len() < MOST_SERIES;
            if is_wanted {
                names.push(name);
                tallies.push(Tally::new(dtype, part, is_alone));
            }
            is_wanted
        });
        Collector { item_type: item_type.clone(), names, tallies }
    }

    /// Takes items by their bytes.
    ///
    /// # Panics
    /// If the bytes are not those of whole items.
    pub fn add(&mut self, bytes: &[u8]) {
        let stride = self.item_type.stride() as usize;
        if stride == 0 {
            return;
        }
        assert!(bytes.len().is_multiple_of(stride), "items have all of their bytes");
        for piece in bytes.chunks((PIECE / stride).max(1) * stride) {
            add_items(piece, &self.item_type, &mut self.tallies);
        }
    }

    /// The statistics of all items.
    pub fn finish(self) -> Vec<Series> {
        let series = self.names.into_iter().zip(self.tallies);
        series.map(|(name, tally)| Series { name, statistics: tally.finish() }).collect()
    }
}

/// A part of a complex number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Part {
    Re,
    Im,
}

/// The parts of a complex number, and the type of each.
fn parts(dtype: Dtype) -> Option<Dtype> {
    let kind = match dtype.kind {
        ElementKind::Complex32 => ElementKind::F16,
        ElementKind::Complex64 => ElementKind::F32,
        ElementKind::Complex128 => ElementKind::F64,
        ElementKind::ComplexLongDouble => ElementKind::LongDouble,
        _ => return None,
    };
    Some(Dtype { kind, ..dtype })
}

/// Hands out all plain values of an item, until one is not wanted. Returns false then.
fn leaves(item_type: &ItemType, name: String, take: &mut dyn FnMut(String, Dtype, Option<Part>) -> bool) -> bool {
    let inside = |part: &str| if name.is_empty() { part.to_owned() } else { format!("{name}.{part}") };
    match item_type {
        ItemType::Plain(dtype) => match parts(*dtype) {
            None => take(name, *dtype, None),
            Some(part) => take(inside("re"), part, Some(Part::Re)) && take(inside("im"), part, Some(Part::Im)),
        },
        ItemType::Subarray(subarray) => leaves(subarray.item_type(), name, take),
        ItemType::Structure(structure) => {
            structure.fields().iter().all(|field| leaves(&field.item_type, inside(&field.name), take))
        }
    }
}

/// Takes items of any type, and returns the tallies after those that they have.
fn add_items<'t>(bytes: &[u8], item_type: &ItemType, tallies: &'t mut [Tally]) -> &'t mut [Tally] {
    if tallies.is_empty() {
        return tallies;
    }
    match item_type {
        ItemType::Plain(dtype) => {
            let number = if parts(*dtype).is_some() { 2 } else { 1 };
            let (these, rest) = tallies.split_at_mut(number.min(tallies.len()));
            these.iter_mut().for_each(|tally| tally.add(bytes));
            rest
        }
        ItemType::Subarray(subarray) => add_items(bytes, subarray.item_type(), tallies),
        ItemType::Structure(structure) => {
            let mut taken = None;
            for item in bytes.chunks_exact((structure.size() as usize).max(1)) {
                let mut rest = &mut *tallies;
                let before = rest.len();
                for field in structure.fields() {
                    let start = field.offset as usize;
                    rest = add_items(&item[start..start + field.item_type.size() as usize], &field.item_type, rest);
                }
                taken = Some(before - rest.len());
            }
            // A structure that repeats 0 times has series, too.
            let taken = taken.unwrap_or_else(|| series(item_type, tallies.len()));
            &mut tallies[taken..]
        }
    }
}

/// The number of series of a type, up to a bound.
fn series(item_type: &ItemType, most: usize) -> usize {
    match item_type {
        ItemType::Plain(dtype) => parts(*dtype).map_or(1, |_| 2).min(most),
        ItemType::Subarray(subarray) => series(subarray.item_type(), most),
        ItemType::Structure(structure) => {
            let mut found = 0;
            for field in structure.fields() {
                if found == most {
                    break;
                }
                found += series(&field.item_type, most - found);
            }
            found
        }
    }
}

/// The tally of one series.
#[derive(Debug)]
struct Tally {
    dtype: Dtype,
    part: Option<Part>,
    counts: Counts,
}

#[derive(Debug)]
enum Counts {
    /// How often each value of 8 or 16 bits came.
    Patterns(Vec<u64>),
    Integers(Box<Integers<i128>>),
    Unsigned(Box<Integers<u128>>),
    Floats(Box<Floats<f64>>),
    Longs(Box<Floats<Long>>),
    Texts(Box<Texts>),
}

impl Tally {
    fn new(dtype: Dtype, part: Option<Part>, is_alone: bool) -> Self {
        let counts = match dtype.kind {
            ElementKind::Bool | ElementKind::Bit | ElementKind::I8 | ElementKind::U8 => {
                Counts::Patterns(vec![0; 1 << 8])
            }
            ElementKind::I16 | ElementKind::U16 | ElementKind::F16 | ElementKind::Bf16 if is_alone => {
                Counts::Patterns(vec![0; 1 << 16])
            }
            ElementKind::F16 | ElementKind::Bf16 | ElementKind::F32 | ElementKind::F64 => {
                Counts::Floats(Box::default())
            }
            ElementKind::LongDouble => Counts::Longs(Box::default()),
            ElementKind::I16
            | ElementKind::I32
            | ElementKind::I64
            | ElementKind::I128
            | ElementKind::U16
            | ElementKind::U32
            | ElementKind::U64 => Counts::Integers(Box::new(Integers::new(Meaning::Number))),
            ElementKind::U128 => Counts::Unsigned(Box::new(Integers::new(Meaning::Number))),
            ElementKind::DateTime(_) | ElementKind::TimeDelta(_) => {
                Counts::Integers(Box::new(Integers::new(Meaning::Label)))
            }
            _ => Counts::Texts(Box::default()),
        };
        Tally { dtype, part, counts }
    }

    /// Takes the bytes of elements that follow each other.
    fn add(&mut self, bytes: &[u8]) {
        let is_big = self.dtype.endian == Endian::Big;
        macro_rules! each {
            ($number:ty, $value:ident => $do:expr) => {{
                let size = size_of::<$number>();
                // Parts of complex numbers take turns.
                let (skipped, step) = match self.part {
                    None => (0, size),
                    Some(Part::Re) => (0, 2 * size),
                    Some(Part::Im) => (size, 2 * size),
                };
                for element in bytes.get(skipped..).unwrap_or_default().chunks(step) {
                    let Some(&element) = element.first_chunk() else { break };
                    let $value =
                        if is_big { <$number>::from_be_bytes(element) } else { <$number>::from_le_bytes(element) };
                    $do
                }
            }};
        }
        match (&mut self.counts, self.dtype.kind) {
            (Counts::Patterns(counts), ElementKind::Bool | ElementKind::Bit) => {
                bytes.iter().for_each(|&byte| counts[usize::from(byte != 0)] += 1);
            }
            (Counts::Patterns(counts), ElementKind::I8 | ElementKind::U8) => {
                bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
            }
            (Counts::Patterns(counts), _) => each!(u16, bits => counts[usize::from(bits)] += 1),
            (Counts::Floats(floats), ElementKind::F16) => each!(u16, bits => floats.add(f16::from_bits(bits).into())),
            (Counts::Floats(floats), ElementKind::Bf16) => each!(u16, bits => floats.add(bf16::from_bits(bits).into())),
            (Counts::Floats(floats), ElementKind::F32) => each!(f32, number => floats.add(number.into())),
            (Counts::Floats(floats), _) => each!(f64, number => floats.add(number)),
            (Counts::Longs(longs), _) => each!(u128, bits => {
                longs.add(Long(LongDouble::from_bits((bits >> 64) as u16, bits as u64)));
            }),
            (Counts::Integers(integers), ElementKind::I16) => each!(i16, number => integers.add(number.into())),
            (Counts::Integers(integers), ElementKind::I32) => each!(i32, number => integers.add(number.into())),
            (Counts::Integers(integers), ElementKind::I64) => each!(i64, number => integers.add(number.into())),
            (Counts::Integers(integers), ElementKind::I128) => each!(i128, number => integers.add(number)),
            (Counts::Integers(integers), ElementKind::U16) => each!(u16, number => integers.add(number.into())),
            (Counts::Integers(integers), ElementKind::U32) => each!(u32, number => integers.add(number.into())),
            (Counts::Integers(integers), ElementKind::U64) => each!(u64, number => integers.add(number.into())),
            (Counts::Integers(integers), _) => each!(i64, steps => match steps {
                i64::MIN => integers.missing(1),
                steps => integers.add(steps.into()),
            }),
            (Counts::Unsigned(integers), _) => each!(u128, number => integers.add(number)),
            (Counts::Texts(texts), kind) => {
                for element in bytes.chunks_exact((kind.size() as usize).max(1)) {
                    add_text(texts, element, kind);
                }
            }
        }
    }

    fn finish(self) -> Statistics {
        let counts = match self.counts {
            Counts::Patterns(counts) => counts,
            Counts::Integers(integers) => return integers.finish(),
            Counts::Unsigned(integers) => return integers.finish(),
            Counts::Floats(floats) => return floats.finish(narrow(self.dtype.kind)),
            Counts::Longs(longs) => return longs.finish(Float::real),
            Counts::Texts(texts) => return texts.finish(),
        };
        let each = counts.into_iter().enumerate();
        let (mut integers, mut floats) = (Integers::<i128>::new(Meaning::Number), Floats::<f64>::default());
        match self.dtype.kind {
            ElementKind::I8 => each.for_each(|(bits, times)| integers.add_times((bits as u8 as i8).into(), times)),
            ElementKind::I16 => each.for_each(|(bits, times)| integers.add_times((bits as u16 as i16).into(), times)),
            ElementKind::F16 => {
                each.for_each(|(bits, times)| floats.add_times(f16::from_bits(bits as u16).into(), times))
            }
            ElementKind::Bf16 => {
                each.for_each(|(bits, times)| floats.add_times(bf16::from_bits(bits as u16).into(), times))
            }
            _ => each.for_each(|(bits, times)| integers.add_times(bits as i128, times)),
        }
        if matches!(self.dtype.kind, ElementKind::F16 | ElementKind::Bf16) {
            floats.finish(narrow(self.dtype.kind))
        } else {
            integers.finish()
        }
    }
}

/// A number of up to 32 bits in its own width.
fn narrow(kind: ElementKind) -> fn(f64) -> Real {
    match kind {
        ElementKind::F16 => |number| Real::F16(f16::from_f64(number)),
        ElementKind::Bf16 | ElementKind::F32 => |number| Real::F32(number as f32),
        _ => Real::F64,
    }
}

/// Takes a text, without the zeros at its end, or any other value.
fn add_text(texts: &mut Texts, element: &[u8], kind: ElementKind) {
    let unit = match kind {
        ElementKind::Bytes(_) => 1,
        ElementKind::Str(_) => 4,
        _ => return texts.value(element),
    };
    let letters = element.chunks_exact(unit).rposition(|letter| letter.iter().any(|&byte| byte != 0));
    let letters = letters.map_or(0, |last| last + 1);
    texts.text(&element[..letters * unit], letters as u64);
}
