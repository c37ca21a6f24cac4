//! Arrays as rows: one for each item, or for each index of the first axis.
//!
//! An array of any shape becomes a table in one of two forms: one row per item, with its index on each axis, or one row
//! per index of the first axis, with a list. Restrictions on indices select boxes of the array, and only the chunks in
//! these boxes are decoded.

use super::batch::{Send, View, failed};
use super::boxes::{Boxes, Part};
use super::elements;
use crate::filters::Wanted;
use crate::intervals::Intervals;
use crate::source::{AXIS, Kind, OnError, Rows, Source};
use crate::told::told;
use datafusion::arrow::array::{ArrayRef, BooleanArray, FixedSizeListArray, UInt64Array, new_null_array};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use datafusion::common::Result;
use ndbytes::ndarray::SliceInfoElem;
use ndbytes::{Array, File, Input, ItemType, Items};
use std::ops::Range;
use std::sync::Arc;

/// The maximum number of bytes of items in a batch.
const MOST_BYTES: u64 = 16 << 20;

/// An open array and the required part of it.
pub struct OpenArray {
    array: Array<'static>,
    path: String,
    rows: Rows,
    schema: Schema,
    /// The required indices along the axes that are columns.
    wanted: Vec<Intervals>,
    boxes: Boxes,
}

impl OpenArray {
    pub fn open(path: &str, source: &Source) -> Result<Self> {
        let options = ndbytes::Options::new().limits(source.limits());
        let at_path = |error| failed(path, error);
        let input = Input::open(path, source.limits()).map_err(at_path)?;
        let array = options.read(input).and_then(File::into_array).map_err(at_path)?;
        let rows = if let Kind::Array(rows) = source.kind { rows } else { Rows::Items };
        let shape: Vec<_> = array.shape().iter().map(|&extent| extent as u64).collect();
        let row_items = match rows {
            Rows::Items => 1,
            Rows::First => row_items(path, &array)?,
        };
        let axes = if rows == Rows::Items { &*shape } else { &shape[..1] };
        let schema = schema(path, &array, axes.len(), rows, row_items, source)?;
        let wanted = vec![Intervals::all(); axes.len()];
        let boxes = Boxes::new(axes, &wanted, 1);
        Ok(OpenArray { array, path: path.to_owned(), rows, schema, wanted, boxes })
    }

    /// Selects some rows of the array.
    #[must_use]
    pub fn want(self, wanted: &Wanted) -> Self {
        let wanted: Vec<_> = (0..self.wanted.len()).map(|axis| wanted.of(&format!("{AXIS}{axis}"))).collect();
        let axes: Vec<_> = self.array.shape()[..wanted.len()].iter().map(|&extent| extent as u64).collect();
        let boxes = Boxes::new(&axes, &wanted, self.extent().1);
        OpenArray { wanted, boxes, ..self }
    }

    /// Returns the columns: the indices, then the value.
    pub fn schema(&self) -> &Schema {
        &self.schema
    }

    /// Refuses an array that does not fit the first one.
    pub fn compare(&self, full: &Schema, own: usize) -> Result<()> {
        match self.schema.fields()[..] == full.fields()[..own] {
            true => Ok(()),
            false => Err(told(format!(
                "{:?} has {} indices and values of {}, but the table has {} and {}",
                self.path,
                self.wanted.len(),
                self.schema.field(self.wanted.len()).data_type(),
                own - 1,
                full.field(own - 1).data_type()
            ))),
        }
    }

    /// Returns the number of rows to read, and how many to read at once.
    pub fn extent(&self) -> (u64, u64) {
        (self.boxes.count(), self.array.items().piece().div_ceil(self.row_items().max(1)))
    }

    /// Returns the number of required rows.
    pub fn wanted(&self) -> u64 {
        let extents = self.array.shape().iter().map(|&extent| extent as u64);
        let counts = self.wanted.iter().zip(extents).map(|(wanted, extent)| wanted.below(extent).count());
        counts.fold(1, u64::saturating_mul)
    }

    /// Returns the number of items in a row.
    fn row_items(&self) -> u64 {
        match self.schema.field(self.wanted.len()).data_type() {
            DataType::FixedSizeList(_, items) if self.rows == Rows::First => *items as u64,
            _ => 1,
        }
    }

    /// Sends the batches of some rows, counted through all boxes.
    pub fn read(&self, rows: Option<Range<u64>>, view: &View<'_>, send: Send<'_>) -> Result<bool> {
        self.compare(view.full, view.own)?;
        for part in self.boxes.parts(rows.unwrap_or(0..self.boxes.count())) {
            if !self.read_part(&part, view, send)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn read_part(&self, part: &Part<'_>, view: &View<'_>, send: Send<'_>) -> Result<bool> {
        let item_type = self.array.item_type();
        let row_items = self.row_items();
        let row_bytes = row_items.saturating_mul(item_type.stride().max(1));
        let step = (view.most as u64).min(MOST_BYTES / row_bytes.max(1)).max(1);
        let mut items = self.select(part.indices)?;
        let piece = items.piece().div_ceil(row_items.max(1)).max(1);
        let value_at = self.wanted.len();
        let mut start = part.rows.start;
        // The rows before this one are in an unreadable piece.
        let mut broken = start;
        while start < part.rows.end {
            // A piece is decoded as a whole, and passed on in batches.
            let in_piece = part.rows.end.min((start / piece + 1).saturating_mul(piece));
            let rows = start..in_piece.min(start.saturating_add(step));
            let mut value = None;
            if view.columns.contains(&value_at) && start >= broken {
                match self.values(items.as_mut(), &item_type, &rows, row_items) {
                    Ok(values) => value = Some(values),
                    Err(error) if view.on_error == OnError::Fail => return Err(error),
                    Err(_) => broken = in_piece,
                }
            }
            if broken > rows.start && view.on_error == OnError::Skip {
                start = broken;
                continue;
            }
            start = rows.end;
            if !self.send(part.indices, &rows, value, view, send)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Sends a batch. If there are no values, they are null.
    fn send(
        &self,
        indices: &[Range<u64>],
        rows: &Range<u64>,
        value: Option<ArrayRef>,
        view: &View<'_>,
        send: Send<'_>,
    ) -> Result<bool> {
        let count = (rows.end - rows.start) as usize;
        let at = |axis: usize| along(indices, axis, rows);
        let field = view.full.field(self.wanted.len());
        let batch = view.batch(
            &self.path,
            count,
            || self.places(indices, rows),
            |column| {
                Ok(match &value {
                    _ if column < self.wanted.len() => Arc::new(UInt64Array::from_iter_values(at(column))),
                    Some(value) => value.clone(),
                    None => new_null_array(field.data_type(), count),
                })
            },
        )?;
        if self.boxes.is_exact {
            return Ok(send(batch));
        }
        let mut is_wanted = vec![true; count];
        for (axis, wanted) in self.wanted.iter().enumerate() {
            is_wanted.iter_mut().zip(at(axis)).for_each(|(is_wanted, index)| *is_wanted &= wanted.contains(index));
        }
        let batch = filter_record_batch(&batch, &BooleanArray::from(is_wanted))?;
        Ok(batch.num_rows() == 0 || send(batch))
    }

    /// Returns the items of a box, in C order.
    fn select(&self, indices: &[Range<u64>]) -> Result<Box<dyn Items + '_>> {
        let slice = |range: &Range<u64>| SliceInfoElem::Slice {
            start: range.start as isize,
            end: Some(range.end as isize),
            step: 1,
        };
        let rest = self.array.shape().len() - indices.len();
        let whole = std::iter::repeat_n(SliceInfoElem::Slice { start: 0, end: None, step: 1 }, rest);
        let slices: Vec<_> = indices.iter().map(slice).chain(whole).collect();
        self.array.select(slices).map_err(|error| failed(&self.path, error))
    }

    fn values(
        &self,
        items: &mut dyn Items,
        item_type: &ItemType,
        rows: &Range<u64>,
        row_items: u64,
    ) -> Result<ArrayRef> {
        let count = (rows.end - rows.start).saturating_mul(row_items);
        let bytes = items.read(rows.start.saturating_mul(row_items), count);
        let bytes = bytes.map_err(|error| failed(&self.path, error))?;
        let at_path = |error| told(format!("{}: {}", self.path, crate::told::message(&error)));
        let items = elements::array(bytes, item_type, count as usize).map_err(at_path)?;
        match (self.rows, self.schema.field(self.wanted.len()).data_type()) {
            (Rows::First, DataType::FixedSizeList(item, size)) => {
                let rows = (rows.end - rows.start) as usize;
                Ok(Arc::new(FixedSizeListArray::try_new_with_length(item.clone(), *size, items, None, rows)?))
            }
            _ => Ok(items),
        }
    }

    /// Returns the indices of a box's rows among all rows of the array.
    fn places(&self, indices: &[Range<u64>], rows: &Range<u64>) -> Vec<u64> {
        let mut places = vec![0_u64; (rows.end - rows.start) as usize];
        for (axis, &extent) in self.array.shape()[..indices.len()].iter().enumerate() {
            let place = |(place, index): (&mut u64, u64)| {
                *place = place.saturating_mul(extent as u64).saturating_add(index);
            };
            places.iter_mut().zip(along(indices, axis, rows)).for_each(place);
        }
        places
    }
}

/// Returns the indices of rows of a box along an axis.
fn along(indices: &[Range<u64>], axis: usize, rows: &Range<u64>) -> impl Iterator<Item = u64> + use<> {
    let length = |range: &Range<u64>| range.end - range.start;
    let below = indices[axis + 1..].iter().map(length).fold(1, u64::saturating_mul).max(1);
    let (first, extent) = (indices[axis].start, length(&indices[axis]).max(1));
    rows.clone().map(move |row| first + row / below % extent)
}

/// Returns the number of items at one index of the first axis.
fn row_items(path: &str, array: &Array<'_>) -> Result<u64> {
    let Some((_, rest)) = array.shape().split_first() else {
        return Err(told(format!("{path:?} has no axes, so it has no rows: use 'items'")));
    };
    let items = rest.iter().try_fold(1_u64, |items, &extent| items.checked_mul(extent as u64));
    let bytes = items.and_then(|items| items.checked_mul(array.item_type().stride().max(1)));
    match (items, bytes) {
        (Some(items), Some(..=MOST_BYTES)) => Ok(items),
        _ => Err(told(format!("a row of {path:?} has more than {MOST_BYTES} bytes: use 'items'"))),
    }
}

fn schema(path: &str, array: &Array<'_>, axes: usize, rows: Rows, row_items: u64, source: &Source) -> Result<Schema> {
    let item = match elements::data_type(&array.item_type()) {
        Ok(item) => item,
        Err(what) => return Err(told(format!("{path:?} contains {what}, for which Arrow has no type"))),
    };
    let value = match rows {
        Rows::Items => item,
        Rows::First => DataType::FixedSizeList(Arc::new(Field::new("item", item, true)), row_items as i32),
    };
    // An array that cannot be opened has a row without indices, if requested.
    let index = |axis| Field::new(format!("{AXIS}{axis}"), DataType::UInt64, source.on_error == OnError::Null);
    // Points in time may be `NaT`.
    Ok(Schema::new((0..axes).map(index).chain([Field::new("value", value, true)]).collect::<Vec<_>>()))
}
