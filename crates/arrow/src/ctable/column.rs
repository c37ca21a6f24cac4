//! Columns: arrays of a store, and their masks.

use super::schema::{DescribedColumn, broken};
use crate::error::{Error, Result};
use crate::tensors::TensorColumn;
use arrow_array::builder::StringBuilder;
use arrow_array::types::{
    ArrowPrimitiveType, Int32Type, TimestampMicrosecondType, TimestampMillisecondType, TimestampNanosecondType,
    TimestampSecondType,
};
use arrow_array::{ArrayRef, DictionaryArray, PrimitiveArray, StringArray, make_array};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, TimeUnit};
use ndbytes::archive::{Archive, Member};
use ndbytes::everybyte::Endian;
use ndbytes::ndarray::{Slice, SliceInfoElem};
use ndbytes::{Debited, ElementKind, ItemType, Limits, Memory, Scalar, b2nd, blosc2};
use std::ops::Range;
use std::sync::Arc;

/// An open column.
#[derive(Debug)]
pub struct Column {
    pub field: Field,
    values: Values,
    items: b2nd::Array<'static>,
    /// True for rows that have a value. `None` if all have one.
    mask: Option<b2nd::Array<'static>>,
    memory: Memory,
}

#[derive(Debug)]
enum Values {
    Numbers(TensorColumn),
    Times(TimeUnit),
    /// Strings with a fixed number of characters.
    Texts,
    /// Concatenated strings, whose ends are the items.
    Joined(Box<b2nd::Array<'static>>),
    /// Codes of categories.
    Categories(Categories),
}

/// The categories of a column.
#[derive(Debug)]
struct Categories {
    texts: ArrayRef,
    null_code: i64,
    _held: Debited,
}

/// Opens an array of a store that has one axis.
pub fn array(archive: &Archive<'static>, name: &str, limits: Limits) -> Result<b2nd::Array<'static>> {
    let array = any_array(archive, name, limits)?;
    match array.shape().len() {
        1 => Ok(array),
        axes => Err(broken(format!("{name} has {axes} axes, but a column has one"))),
    }
}

/// Opens an array of a store.
fn any_array(archive: &Archive<'static>, name: &str, limits: Limits) -> Result<b2nd::Array<'static>> {
    Ok(b2nd::Options::new().limits(limits).read(archive.load(member(archive, name)?)?)?)
}

fn member<'a>(archive: &'a Archive<'static>, name: &str) -> Result<&'a Member> {
    let member = archive.members().iter().find(|member| member.name() == name);
    member.ok_or_else(|| broken(format!("the table has no {name}")))
}

/// Returns the name of an array of a column. Python-blosc2 creates directories for the parts between dots, and escapes
/// slashes.
fn place(archive: &Archive<'static>, stored: &str, ending: &str) -> String {
    let plain = format!("_cols/{stored}{ending}");
    let nested = format!("_cols/{}{ending}", stored.replace('/', "%2F").replace('.', "/"));
    let has = |name: &str| archive.members().iter().any(|member| member.name() == name);
    if !has(&plain) && has(&nested) { nested } else { plain }
}

/// Returns the stored items of some rows.
fn bytes(array: &b2nd::Array<'_>, range: &Range<u64>) -> Result<Vec<u8>> {
    let rows = SliceInfoElem::from(Slice::from(range.start as isize..range.end as isize));
    let inner = array.shape().iter().skip(1).map(|_| SliceInfoElem::from(..));
    let all: Vec<SliceInfoElem> = [rows].into_iter().chain(inner).collect();
    Ok(array.slice_to_bytes(all)?)
}

/// Reads some booleans.
pub fn flags(array: &b2nd::Array<'_>, range: &Range<u64>) -> Result<Vec<bool>> {
    match array.item_type() {
        ItemType::Plain(dtype) if dtype.kind == ElementKind::Bool => {
            Ok(bytes(array, range)?.iter().map(|byte| *byte != 0).collect())
        }
        other => Err(broken(format!("a mask has items of {other}, not booleans"))),
    }
}

/// Fails if an array of a column has fewer rows than needed.
fn ensure(name: &str, array: &b2nd::Array<'_>, needed: u64) -> Result<()> {
    match array.shape().first().map_or(0, |&rows| rows as u64) {
        rows if rows >= needed => Ok(()),
        rows => Err(broken(format!("the column {name:?} has {rows} items, but {needed} are needed"))),
    }
}

/// Whether the items are strings with a fixed number of characters.
fn is_text(item_type: &ItemType) -> bool {
    matches!(item_type, ItemType::Plain(dtype) if matches!(dtype.kind, ElementKind::Str(_)))
}

/// Fails unless the items of a column are little-endian integers of this kind.
fn ensure_whole(name: &str, array: &b2nd::Array<'_>, needed: ElementKind) -> Result<()> {
    match array.item_type() {
        ItemType::Plain(dtype) if dtype.kind == needed && dtype.endian == Endian::Little => Ok(()),
        other => Err(broken(format!("the column {name:?} has items of {other}, not little-endian {needed}"))),
    }
}

impl Categories {
    /// Reads the categories of a column.
    fn open(archive: &Archive<'static>, described: &DescribedColumn, limits: Limits, memory: &Memory) -> Result<Self> {
        let place = place(archive, &described.stored, "_dict.b2b");
        let frame = blosc2::Options::new().limits(limits).read(archive.load(member(archive, &place)?)?)?;
        let texts = frame.texts()?;
        let texts = texts.ok_or_else(|| broken(format!("{place} has no texts that python-blosc2 would read")))?;
        let length: usize = texts.iter().map(String::len).sum();
        if i32::try_from(length).is_err() {
            return Err(Error::Column {
                column: described.name.clone(),
                what: format!("has categories of {length} bytes, but at most 2,147,483,647 are read"),
            });
        }
        let held = memory.take((length + 4 * texts.len()) as u64, "the categories of a column")?;
        Ok(Categories { texts: Arc::new(StringArray::from(texts)), null_code: described.null_code, _held: held })
    }

    /// Returns the rows with these codes.
    fn rows(&self, name: &str, codes: &[u8], missing: Option<&NullBuffer>) -> Result<ArrayRef> {
        let codes = codes.as_chunks::<4>().0.iter().map(|code| i32::from_le_bytes(*code));
        let (codes, named): (Vec<i32>, Vec<bool>) =
            codes.map(|code| if i64::from(code) == self.null_code { (0, false) } else { (code, true) }).unzip();
        let missing = NullBuffer::union(Some(&NullBuffer::from(named)), missing);
        let codes = PrimitiveArray::<Int32Type>::new(codes.into(), missing.filter(|nulls| nulls.null_count() > 0));
        match DictionaryArray::try_new(codes, Arc::clone(&self.texts)) {
            Ok(rows) => Ok(Arc::new(rows)),
            Err(_) => Err(broken(format!(
                "the column {name:?} has a code that is not below {}, its number of categories",
                self.texts.len()
            ))),
        }
    }
}

impl Column {
    /// Opens a column of a table with this many rows.
    pub fn open(archive: &Archive<'static>, described: &DescribedColumn, rows: u64, limits: Limits) -> Result<Self> {
        let DescribedColumn { name, stored, kind, .. } = described;
        let refused = |what: String| Error::Column { column: name.clone(), what };
        if described.has_sentinel {
            return Err(refused("marks missing values by a special value, which is not supported".into()));
        }
        if described.is_widened {
            return Err(refused("has arrays of booleans that may be missing, which are not supported".into()));
        }
        if matches!(kind.as_str(), "list" | "struct" | "vlstring" | "vlbytes" | "object") {
            return Err(refused(format!(
                "has python-blosc2's type {kind}, which is not supported: choose other columns"
            )));
        }
        let open = if kind == "ndarray" { any_array } else { array };
        let items = open(archive, &place(archive, stored, ".b2nd"), limits)?;
        let mask = described.has_mask.then(|| array(archive, &place(archive, stored, ".notnull.b2nd"), limits));
        let mask = match mask.transpose() {
            // A column without missing values need not have a mask.
            Err(Error::Broken(_)) => None,
            mask => mask?,
        };
        ensure(name, &items, rows + u64::from(kind == "utf8"))?;
        mask.as_ref().map_or(Ok(()), |mask| ensure(name, mask, rows))?;
        match kind.as_str() {
            "utf8" | "timestamp" => ensure_whole(name, &items, ElementKind::I64)?,
            "dictionary" => ensure_whole(name, &items, ElementKind::I32)?,
            _ => {}
        }
        let memory = Memory::new(limits);
        let values = match kind.as_str() {
            "dictionary" => Values::Categories(Categories::open(archive, described, limits, &memory)?),
            "utf8" => Values::Joined(Box::new(array(archive, &place(archive, stored, ".utf8.b2nd"), limits)?)),
            "timestamp" => {
                Values::Times(unit(described).ok_or_else(|| refused("has times of an unknown unit".into()))?)
            }
            kind if kind != "ndarray" && is_text(items.item_type()) => Values::Texts,
            _ => Values::Numbers(TensorColumn::new(name, items.item_type(), items.shape())?),
        };
        let field = match &values {
            Values::Numbers(numbers) => numbers.field().as_ref().clone().with_nullable(true),
            Values::Times(unit) => Field::new(name, DataType::Timestamp(*unit, None), true),
            Values::Texts | Values::Joined(_) => Field::new(name, DataType::Utf8, true),
            Values::Categories(categories) => {
                let codes = DataType::Int32;
                Field::new_dictionary(name, codes, categories.texts.data_type().clone(), true)
            }
        };
        Ok(Column { field, values, items, mask, memory })
    }

    /// Returns the size of a row in the array, in bytes.
    pub fn row_bytes(&self) -> u64 {
        let inner = self.items.shape().iter().skip(1);
        inner.fold(self.items.item_type().size(), |bytes, &extent| bytes.saturating_mul(extent as u64))
    }

    /// Reads the rows of a range that are not deleted.
    pub fn read(&self, rows: &Range<u64>, live: &[bool]) -> Result<ArrayRef> {
        let missing = match &self.mask {
            Some(mask) => {
                let there = flags(mask, rows)?;
                let there: Vec<bool> = there.iter().zip(live).filter(|(_, live)| **live).map(|(it, _)| *it).collect();
                Some(NullBuffer::from(there)).filter(|nulls| nulls.null_count() > 0)
            }
            None => None,
        };
        match &self.values {
            Values::Numbers(numbers) => {
                let array = numbers.array(self.live(rows, live)?)?;
                Ok(make_array(array.to_data().into_builder().nulls(missing).build()?))
            }
            Values::Times(unit) => {
                let items = self.live(rows, live)?;
                Ok(match unit {
                    TimeUnit::Second => times::<TimestampSecondType>(&items, missing),
                    TimeUnit::Millisecond => times::<TimestampMillisecondType>(&items, missing),
                    TimeUnit::Microsecond => times::<TimestampMicrosecondType>(&items, missing),
                    TimeUnit::Nanosecond => times::<TimestampNanosecondType>(&items, missing),
                })
            }
            Values::Texts => self.texts(&self.live(rows, live)?, missing.as_ref()),
            Values::Joined(joined) => self.joined(joined, rows, live, missing.as_ref()),
            Values::Categories(categories) => {
                categories.rows(self.field.name(), &self.live(rows, live)?, missing.as_ref())
            }
        }
    }

    /// Returns the bytes of the live rows.
    fn live(&self, rows: &Range<u64>, live: &[bool]) -> Result<Vec<u8>> {
        let items = bytes(&self.items, rows)?;
        if live.iter().all(|live| *live) {
            return Ok(items);
        }
        let kept = items.chunks(self.row_bytes().max(1) as usize).zip(live).filter(|(_, live)| **live);
        Ok(kept.flat_map(|(item, _)| item).copied().collect())
    }

    fn texts(&self, items: &[u8], missing: Option<&NullBuffer>) -> Result<ArrayRef> {
        let item_type = self.items.item_type();
        let mut texts = StringBuilder::new();
        for (row, item) in items.chunks(item_type.size().max(1) as usize).enumerate() {
            match Scalar::from_item(item, item_type) {
                _ if missing.is_some_and(|nulls| nulls.is_null(row)) => texts.append_null(),
                Scalar::Str(units) => {
                    let text: Option<String> = units.into_iter().map(char::from_u32).collect();
                    let lost = || {
                        broken(format!(
                            "row {row} of the column {:?} contains code units that are not characters",
                            self.field.name()
                        ))
                    };
                    texts.append_value(text.ok_or_else(lost)?);
                }
                _ => return Err(broken(format!("row {row} of the column {:?} is not text", self.field.name()))),
            }
        }
        Ok(Arc::new(texts.finish()))
    }

    fn joined(
        &self,
        joined: &b2nd::Array<'_>,
        rows: &Range<u64>,
        live: &[bool],
        missing: Option<&NullBuffer>,
    ) -> Result<ArrayRef> {
        let name = self.field.name();
        let ends = bytes(&self.items, &(rows.start..rows.end + 1))?;
        let ends: Vec<i64> = ends.as_chunks::<8>().0.iter().map(|end| i64::from_le_bytes(*end)).collect();
        let is_rising = ends.windows(2).all(|pair| pair[0] <= pair[1]);
        let (first, last) = (ends.first().copied().unwrap_or(0), ends.last().copied().unwrap_or(0));
        let length = joined.len();
        if !is_rising || first < 0 || last as u64 > length {
            return Err(broken(format!(
                "the offsets of the texts of the column {name:?} do not increase from 0 to {length}"
            )));
        }
        let _held = self.memory.take((last - first) as u64, "the texts of a column")?;
        let all = if first == last { Vec::new() } else { bytes(joined, &(first as u64..last as u64))? };
        let mut texts = StringBuilder::new();
        let kept = ends.windows(2).zip(live).filter(|(_, live)| **live);
        for (row, (pair, _)) in kept.enumerate() {
            let text = &all[(pair[0] - first) as usize..(pair[1] - first) as usize];
            let text = std::str::from_utf8(text);
            match text {
                _ if missing.is_some_and(|nulls| nulls.is_null(row)) => texts.append_null(),
                Ok(text) => texts.append_value(text),
                Err(error) => return Err(broken(format!("a text of the column {name:?} is not UTF-8: {error}"))),
            }
        }
        Ok(Arc::new(texts.finish()))
    }
}

fn unit(described: &DescribedColumn) -> Option<TimeUnit> {
    Some(match described.unit.as_deref()? {
        "s" => TimeUnit::Second,
        "ms" => TimeUnit::Millisecond,
        "us" => TimeUnit::Microsecond,
        "ns" => TimeUnit::Nanosecond,
        _ => return None,
    })
}

fn times<T: ArrowPrimitiveType<Native = i64>>(items: &[u8], missing: Option<NullBuffer>) -> ArrayRef {
    let times: Vec<i64> = items.as_chunks::<8>().0.iter().map(|time| i64::from_le_bytes(*time)).collect();
    Arc::new(PrimitiveArray::<T>::new(times.into(), missing))
}
