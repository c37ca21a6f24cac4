//! Statistics of the items of an array.
//!
//! Items are read once, in pieces of about 1 MiB, and each piece is shared among at most eight threads. Every thread
//! has its own tally for each series; the tallies are merged at the end. That is possible because nothing in a tally
//! depends on the order of the items: sums are exact, and the bins of a histogram depend only on the extremes.
//!
//! Types of one byte are special, as are types of two bytes if there is only one series. Their tally is a counter for
//! each of the 256 or 65,536 bit patterns, and the statistics are computed from the counters at the end. Counting is
//! much cheaper than adding numbers exactly, item by item.

use super::batch;
use super::long::Long;
use super::numbers::{Float, Floats, Integers, Meaning};
use super::real::Real;
use super::texts::Texts;
use super::{Series, Statistics};
use everybyte::Endian;
use half::{bf16, f16};
use ndbytes::{Array, Decoded, Dtype, ElementKind, ItemType, Items, LongDouble, Result, threads};
use rayon::prelude::*;
use std::ops::Range;

/// The maximum number of series. Further fields of a structure are left out.
pub const MOST_SERIES: usize = 256;

/// The number of bytes that are processed at a time.
const PIECE: usize = 1 << 18;

/// The number of bytes to read at once, which is enough for all threads.
const READ: u64 = 1 << 20;

/// The minimum number of bytes for a thread.
const SHARE: usize = 1 << 16;

/// The maximum number of threads that count the items of a file, since only one thread reads and each has its own tables.
const MOST_THREADS: usize = 8;

/// The statistics of an array: one series, or one for each field of its structures or part of its complex numbers.
///
/// # Errors
/// Any error while reading the items.
pub fn array(array: &Array<'_>) -> Result<Vec<Series>> {
    if !array.is_fortran_order() {
        return items(&mut *array.items());
    }
    // The order does not matter, so items are read as they are stored.
    let (item_type, bytes) = (array.item_type(), array.bytes()?);
    let shape = [bytes.len() / item_type.stride().max(1) as usize];
    items(&mut Decoded::new(&bytes, &item_type, &shape)?)
}

/// The statistics of items: one series, or one for each field of their structures or part of their complex numbers.
///
/// ```
/// use ndbytes::ndarray::s;
/// use ndbytes_compare::stats::{self, Real};
///
/// // Statistics of the first digit only.
/// let digits = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
/// let first = stats::items(&mut *digits.select(s![0, .., ..].as_ref())?)?.remove(0).statistics;
/// assert_eq!((first.values, first.min), (28 * 28, Some(Real::Int(0))));
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// Any error while reading the items.
pub fn items(items: &mut dyn Items) -> Result<Vec<Series>> {
    let mut collector = Collector::new(items.item_type());
    each_piece(items, |_, bytes| {
        collector.add(bytes);
        Ok(())
    })?;
    Ok(collector.finish())
}

/// Reads all items piece by piece, and passes on the indices of the items in each piece, and its bytes.
///
/// ```
/// let digits = ndbytes::open("../../samples/digits-idx3-ubyte.gz")?.into_array()?;
/// let mut bytes = 0;
/// ndbytes_compare::stats::each_piece(&mut *digits.items(), |_, piece| {
///     bytes += piece.len();
///     Ok(())
/// })?;
/// assert_eq!(bytes, 10 * 28 * 28);
/// # Ok::<(), ndbytes::Error>(())
/// ```
///
/// # Errors
/// Any error while reading the items, or of the function that gets them.
pub fn each_piece(items: &mut dyn Items, mut take: impl FnMut(Range<u64>, &[u8]) -> Result<()>) -> Result<()> {
    let (piece, stride) = (items.piece().max(1), items.item_type().stride().max(1));
    // The preferred number of items, times a factor, so that every thread gets some.
    let piece = piece * (READ / piece.saturating_mul(stride)).max(1);
    let (count, mut start) = (items.count(), 0);
    while start < count {
        let asked = piece.min(count - start);
        take(start..start + asked, items.read(start, asked)?)?;
        start += asked;
    }
    Ok(())
}

/// Collects items piece by piece. Items of a plain type are counted by several threads, because no count depends on their order.
///
/// ```
/// use ndbytes_compare::stats::{Collector, Real};
///
/// let mut points = Collector::new(&"<c8".parse()?); // complex numbers
/// points.add(&[1.0_f32, -2.0].map(f32::to_le_bytes).concat());
/// points.add(&[3.0_f32, -4.0].map(f32::to_le_bytes).concat());
/// let series = points.finish();
/// assert_eq!((&*series[0].name, &*series[1].name), ("re", "im"));
/// assert_eq!(series[1].statistics.min, Some(Real::F32(-4.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Collector {
    item_type: ItemType,
    names: Vec<String>,
    tallies: Vec<Tally>,
    /// The tallies of other threads.
    others: Vec<Vec<Tally>>,
}

impl Collector {
    /// A collector for items of this type.
    pub fn new(item_type: &ItemType) -> Self {
        let mut names = Vec::new();
        let mut tallies = Vec::new();
        // Tables of all 16-bit values need too much memory for more than one series.
        let is_alone = matches!(item_type, ItemType::Plain(_));
        leaves(item_type, String::new(), &mut |name, dtype, part| {
            let is_wanted = tallies.len() < MOST_SERIES;
            if is_wanted {
                names.push(name);
                tallies.push(Tally::new(dtype, part, is_alone));
            }
            is_wanted
        });
        Collector { item_type: item_type.clone(), names, tallies, others: Vec::new() }
    }

    /// Adds items, given by their bytes.
    ///
    /// # Panics
    /// Panics if the bytes do not form whole items.
    pub fn add(&mut self, bytes: &[u8]) {
        let stride = self.item_type.stride() as usize;
        if stride == 0 {
            return;
        }
        assert!(bytes.len().is_multiple_of(stride), "items have all of their bytes");
        let threads = self.threads(bytes.len());
        let share = (bytes.len() / stride).div_ceil(threads).max(1) * stride;
        while self.others.len() + 1 < threads {
            self.others.push(self.tallies.iter().map(Tally::like).collect());
        }
        let item_type = &self.item_type;
        let add = |bytes: &[u8], tallies: &mut [Tally]| {
            for piece in bytes.chunks((PIECE / stride).max(1) * stride) {
                add_items(piece, item_type, tallies);
            }
        };
        if threads == 1 {
            return add(bytes, &mut self.tallies);
        }
        let tallies = std::iter::once(&mut self.tallies).chain(&mut self.others);
        let shares: Vec<_> = bytes.chunks(share).zip(tallies).collect();
        shares.into_par_iter().for_each(|(bytes, tallies)| add(bytes, tallies));
    }

    /// Returns the number of threads that count items of this length in bytes. The tables of structures with many fields are too large for
    /// several.
    fn threads(&self, length: usize) -> usize {
        match self.item_type {
            ItemType::Plain(_) if length >= 2 * SHARE => threads::number().min(MOST_THREADS).min(length / SHARE),
            _ => 1,
        }
    }

    /// The statistics of all items.
    pub fn finish(mut self) -> Vec<Series> {
        for others in self.others {
            self.tallies.iter_mut().zip(others).for_each(|(tally, other)| tally.merge(other));
        }
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

/// Returns the parts of a complex number, and the type of each.
pub fn parts(dtype: Dtype) -> Option<Dtype> {
    let kind = match dtype.kind {
        ElementKind::Complex32 => ElementKind::F16,
        ElementKind::Complex64 => ElementKind::F32,
        ElementKind::Complex128 => ElementKind::F64,
        ElementKind::ComplexLongDouble => ElementKind::LongDouble,
        _ => return None,
    };
    Some(Dtype { kind, ..dtype })
}

/// Passes on all plain values of an item until one is rejected. In that case, returns false.
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

/// Adds items of any type and returns the remaining tallies.
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
            // A structure that repeats 0 times still has series.
            let taken = taken.unwrap_or_else(|| series(item_type, tallies.len()));
            &mut tallies[taken..]
        }
    }
}

/// Returns the number of series of a type, up to a bound.
pub fn series(item_type: &ItemType, most: usize) -> usize {
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
    /// How often each value of 8 or 16 bits occurred.
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

    /// Returns an empty tally that can be merged with this one.
    fn like(&self) -> Self {
        let counts = match &self.counts {
            Counts::Patterns(counts) => Counts::Patterns(vec![0; counts.len()]),
            Counts::Integers(integers) => Counts::Integers(Box::new(Integers::new(integers.meaning()))),
            Counts::Unsigned(integers) => Counts::Unsigned(Box::new(Integers::new(integers.meaning()))),
            Counts::Floats(_) => Counts::Floats(Box::default()),
            Counts::Longs(_) => Counts::Longs(Box::default()),
            Counts::Texts(texts) => Counts::Texts(Box::new(texts.like())),
        };
        Tally { counts, ..*self }
    }

    /// Adds the counts of a tally that was created like this one.
    fn merge(&mut self, other: Self) {
        match (&mut self.counts, other.counts) {
            (Counts::Patterns(counts), Counts::Patterns(other)) => {
                counts.iter_mut().zip(other).for_each(|(count, other)| *count += other);
            }
            (Counts::Integers(integers), Counts::Integers(other)) => integers.merge(*other),
            (Counts::Unsigned(integers), Counts::Unsigned(other)) => integers.merge(*other),
            (Counts::Floats(floats), Counts::Floats(other)) => floats.merge(*other),
            (Counts::Longs(longs), Counts::Longs(other)) => longs.merge(*other),
            (Counts::Texts(texts), Counts::Texts(other)) => texts.merge(*other),
            _ => {}
        }
    }

    /// Adds the bytes of consecutive elements.
    fn add(&mut self, bytes: &[u8]) {
        let elements = Elements { bytes, part: self.part, is_big: self.dtype.endian == Endian::Big };
        macro_rules! each {
            ($number:ty, $value:ident => $do:expr) => {
                elements.each(|element| {
                    let $value = <$number>::from_le_bytes(element);
                    $do
                })
            };
        }
        match (&mut self.counts, self.dtype.kind) {
            (Counts::Patterns(counts), ElementKind::Bool | ElementKind::Bit) => {
                bytes.iter().for_each(|&byte| counts[usize::from(byte != 0)] += 1);
            }
            (Counts::Patterns(counts), ElementKind::I8 | ElementKind::U8) => {
                bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1);
            }
            (Counts::Patterns(counts), _) => each!(u16, bits => counts[usize::from(bits)] += 1),
            (Counts::Floats(floats), kind) => elements.add_to(floats, kind),
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

/// The bytes of contiguous elements.
struct Elements<'b> {
    bytes: &'b [u8],
    part: Option<Part>,
    is_big: bool,
}

impl Elements<'_> {
    /// Passes on each element with the least significant byte first.
    #[inline(always)]
    fn each<const SIZE: usize>(&self, mut take: impl FnMut([u8; SIZE])) {
        // The parts of complex numbers alternate.
        let (skipped, step) = match self.part {
            None => (0, SIZE),
            Some(Part::Re) => (0, 2 * SIZE),
            Some(Part::Im) => (SIZE, 2 * SIZE),
        };
        for element in self.bytes.get(skipped..).unwrap_or_default().chunks(step) {
            let Some(&(mut element)) = element.first_chunk() else { break };
            if self.is_big {
                element.reverse();
            }
            take(element);
        }
    }

    /// Adds floats of a kind, in batches.
    fn add_to(&self, floats: &mut Floats<f64>, kind: ElementKind) {
        match kind {
            ElementKind::F16 => self.add_floats(floats, f16::MANTISSA_DIGITS, |bytes| f16::from_le_bytes(bytes).into()),
            ElementKind::Bf16 => {
                self.add_floats(floats, bf16::MANTISSA_DIGITS, |bytes| bf16::from_le_bytes(bytes).into())
            }
            ElementKind::F32 => self.add_floats(floats, f32::MANTISSA_DIGITS, |bytes| f32::from_le_bytes(bytes).into()),
            _ => self.add_floats(floats, f64::MANTISSA_DIGITS, f64::from_le_bytes),
        }
    }

    fn add_floats<const SIZE: usize>(&self, floats: &mut Floats<f64>, digits: u32, float: impl Fn([u8; SIZE]) -> f64) {
        let (mut batch, mut held) = ([0.0; batch::MOST], 0);
        self.each(|element| {
            batch[held] = float(element);
            held += 1;
            if held == batch::MOST {
                floats.add_all(&batch, digits);
                held = 0;
            }
        });
        floats.add_all(&batch[..held], digits);
    }
}

/// Returns a number of up to 32 bits in its own width.
fn narrow(kind: ElementKind) -> fn(f64) -> Real {
    match kind {
        ElementKind::F16 => |number| Real::F16(f16::from_f64(number)),
        ElementKind::Bf16 | ElementKind::F32 => |number| Real::F32(number as f32),
        _ => Real::F64,
    }
}

/// Adds a text without its trailing zeros, or any other value.
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
