//! The columns of JSON Lines: a first pass infers types, and a second one reads values.

use super::parse::Item;
use crate::tables::text::build::{self, Items};
use crate::tables::text::guess::Guess;
use crate::tables::text::scalar::{self, Scalar};
use arrow_array::ArrayRef;
use arrow_schema::{ArrowError, DataType, Field};
use std::sync::Arc;

/// A column during type inference.
#[derive(Debug)]
pub struct Seen {
    pub name: String,
    guess: Guess,
    is_text: bool,
    /// Some value is anything other than the word `Infinity`.
    has_others: bool,
    shape: Shape,
    /// The number of items in the list that is being read.
    list: Option<usize>,
    /// The last row that had a value.
    pub row: u64,
}

/// The shape of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// All values are missing so far.
    Unknown,
    /// Items.
    Items,
    /// Lists of a fixed size.
    Fixed(usize),
    /// Lists of different sizes.
    Lists,
}

impl Seen {
    /// Creates a column at its first occurrence.
    pub fn new(name: &str, is_text: bool) -> Self {
        let guess = if is_text { Guess::text() } else { Guess::default() };
        Seen { name: name.to_owned(), guess, is_text, has_others: false, shape: Shape::Unknown, list: None, row: 0 }
    }

    /// Takes an item into account.
    pub fn see(&mut self, item: &Item<'_>) -> Result<(), String> {
        match (&mut self.list, item) {
            (Some(count), _) => *count += 1,
            (None, Item::Null) => return Ok(()),
            (None, _) => self.become_shape(Shape::Items)?,
        }
        let Some(scalar) = scalar(item, self.is_text)? else { return Ok(()) };
        let is_bare = !matches!(item, Item::Text(_));
        // A column that contains nothing but this word is text.
        self.has_others |= is_bare || !matches!(scalar, Scalar::Float(number) if number.is_infinite());
        if self.is_text || self.guess.see(&scalar, is_bare) {
            return Ok(());
        }
        let (name, value, before) = (&self.name, scalar.words(), self.guess.words());
        Err(format!("has {value} in the column {name:?}, which had {before} before: no type holds both"))
    }

    /// Begins a list.
    pub fn begin(&mut self) -> Result<(), String> {
        match self.shape {
            Shape::Items => Err(format!("has a list in the column {:?}, which had single values before", self.name)),
            _ => {
                self.list = Some(0);
                Ok(())
            }
        }
    }

    /// Ends a list.
    pub fn end(&mut self) {
        let size = self.list.take().unwrap_or(0);
        self.shape = match self.shape {
            Shape::Unknown if size > 0 => Shape::Fixed(size),
            Shape::Fixed(other) if other == size => Shape::Fixed(size),
            _ => Shape::Lists,
        };
    }

    fn become_shape(&mut self, shape: Shape) -> Result<(), String> {
        match self.shape {
            Shape::Fixed(_) | Shape::Lists => {
                Err(format!("has a single value in the column {:?}, which had lists before", self.name))
            }
            _ => {
                self.shape = shape;
                Ok(())
            }
        }
    }

    /// The column for these values.
    pub fn column(&self, single: bool) -> Column {
        let guess = if self.has_others { &self.guess } else { &Guess::text() };
        let items = Items::new(guess.resolve(single));
        let shape = match self.shape {
            Shape::Fixed(size) if i32::try_from(size).is_err() => Shape::Lists,
            shape => shape,
        };
        Column { name: self.name.clone(), shape, items, ends: vec![0], valid: Vec::new(), in_list: false }
    }
}

/// A column that is being read.
#[derive(Debug)]
pub struct Column {
    name: String,
    shape: Shape,
    items: Items,
    /// The ends of all lists, preceded by a 0.
    ends: Vec<i32>,
    /// For each list, whether it is present.
    valid: Vec<bool>,
    in_list: bool,
}

impl Column {
    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of rows.
    pub fn len(&self) -> usize {
        match self.shape {
            Shape::Unknown | Shape::Items => self.items.len(),
            Shape::Fixed(_) | Shape::Lists => self.valid.len(),
        }
    }

    /// Appends an item; `None` if its type differs from the inferred one.
    pub fn push(&mut self, item: &Item<'_>) -> Option<()> {
        let scalar = scalar(item, self.items.are_texts()).ok()?;
        match (&self.shape, self.in_list, scalar) {
            (Shape::Fixed(_) | Shape::Lists, false, None) => self.push_missing(),
            (Shape::Fixed(_) | Shape::Lists, false, _) | (Shape::Unknown | Shape::Items, true, _) => return None,
            (_, _, None) => self.items.push_missing(),
            (_, _, Some(scalar)) => self.items.push(scalar, text(item))?,
        }
        Some(())
    }

    /// Appends a missing row.
    pub fn push_missing(&mut self) {
        match self.shape {
            Shape::Unknown | Shape::Items => self.items.push_missing(),
            Shape::Fixed(size) => {
                (0..size).for_each(|_| self.items.push_missing());
                self.valid.push(false);
            }
            Shape::Lists => {
                self.ends.push(self.items.len() as i32);
                self.valid.push(false);
            }
        }
    }

    /// Begins a list.
    pub fn begin(&mut self) {
        self.in_list = true;
    }

    /// Ends a list.
    pub fn end(&mut self) {
        self.in_list = false;
        self.ends.push(self.items.len() as i32);
        self.valid.push(true);
    }

    /// Returns the number of cells that a missing row occupies.
    pub fn width(&self) -> u64 {
        if let Shape::Fixed(size) = self.shape { size as u64 } else { 1 }
    }

    /// Returns the field of the column.
    pub fn field(&self) -> Field {
        let child = || Arc::new(self.items.field("item"));
        match self.shape {
            Shape::Unknown | Shape::Items => self.items.field(&self.name),
            Shape::Fixed(size) => Field::new(&self.name, DataType::FixedSizeList(child(), size as i32), true),
            Shape::Lists => Field::new(&self.name, DataType::List(child()), true),
        }
    }

    /// Removes all rows and returns them as an array.
    pub fn take(&mut self) -> Result<ArrayRef, ArrowError> {
        let child = self.items.field("item");
        let items = self.items.take()?;
        let (ends, valid) = (std::mem::replace(&mut self.ends, vec![0]), std::mem::take(&mut self.valid));
        match self.shape {
            Shape::Unknown | Shape::Items => Ok(items),
            Shape::Fixed(size) => build::fixed(items, size as i32, child, Some(valid)),
            Shape::Lists => build::lists(items, ends, child, valid),
        }
    }
}

/// Returns the value of an item; `None` if it is missing. An item declared as text must not be a number.
fn scalar(item: &Item<'_>, is_text: bool) -> Result<Option<Scalar>, String> {
    Ok(match item {
        Item::Null => None,
        _ if is_text => Some(Scalar::Text),
        Item::Bool(truth) => Some(Scalar::Bool(*truth)),
        Item::Number(text) => Some(scalar::number(text).ok_or("has a number that does not fit 64 bits")?),
        Item::Text(text) => Some(Scalar::of_json_text(text)),
    })
}

/// Returns the text of an item.
fn text<'i>(item: &'i Item<'_>) -> &'i str {
    match item {
        Item::Null => "",
        Item::Bool(true) => "true",
        Item::Bool(false) => "false",
        Item::Number(text) => text,
        Item::Text(text) => text,
    }
}
