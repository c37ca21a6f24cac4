//! Converts NumPy dtypes to item types. They are built from the attributes of a dtype, part by part, because its text form leaves
//! out the padding of inner structures.

use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ElementKind, Field, ItemType, Structure, Subarray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use std::fmt;

/// The maximum depth of nested structures and subarrays. The readers accept 32 brackets, and each level has at most
/// three.
const DEEPEST: usize = 10;

/// Type numbers from here on belong to other packages. Those of new kinds are negative.
const FIRST_FOREIGN: i64 = 24;

/// The type of NumPy items.
pub struct Walked {
    /// The type.
    pub item_type: ItemType,
    /// True if a dtype in it has metadata, which no format can hold.
    pub has_metadata: bool,
}

impl Walked {
    /// Walks a dtype.
    ///
    /// # Errors
    /// `TypeError` for a type whose values no format can hold.
    pub fn of(dtype: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut walk = Walk { whole: dtype, has_metadata: false };
        let item_type = walk.item_type(dtype, 0)?;
        Ok(Walked { item_type, has_metadata: walk.has_metadata })
    }
}

/// A walk over the parts of a dtype.
struct Walk<'w, 'py> {
    /// The complete dtype, for messages.
    whole: &'w Bound<'py, PyAny>,
    has_metadata: bool,
}

impl<'py> Walk<'_, 'py> {
    fn refused(&self, why: impl fmt::Display) -> PyErr {
        PyTypeError::new_err(format!("elements of type {} cannot be written: {why}", self.whole))
    }

    fn item_type(&mut self, dtype: &Bound<'py, PyAny>, depth: usize) -> PyResult<ItemType> {
        if depth > DEEPEST {
            // NumPy fails to print such a type.
            return Err(PyTypeError::new_err(format!(
                "types that are nested more than {DEEPEST} deep cannot be written"
            )));
        }
        if dtype.getattr("hasobject")?.extract()? {
            return Err(self.refused("its values are Python objects"));
        }
        self.has_metadata |= !dtype.getattr("metadata")?.is_none();
        let (names, subdtype) = (dtype.getattr("names")?, dtype.getattr("subdtype")?);
        let item_type = match (names.is_none(), subdtype.is_none()) {
            (_, false) => self.subarray(&subdtype, depth)?,
            (false, _) => self.structure(dtype, &names, depth)?,
            _ => ItemType::Plain(self.plain(dtype)?),
        };
        // Bytes that are cut into items at other places are other values.
        let (ours, theirs) = (item_type.size(), dtype.getattr("itemsize")?.extract::<u64>()?);
        match ours == theirs {
            true => Ok(item_type),
            false => Err(self.refused(format!("{dtype} has {theirs} bytes, but ndbytes counts {ours}"))),
        }
    }

    fn subarray(&mut self, subdtype: &Bound<'py, PyAny>, depth: usize) -> PyResult<ItemType> {
        let (item, shape): (Bound<'py, PyAny>, Vec<u64>) = subdtype.extract()?;
        let item = self.item_type(&item, depth + 1)?;
        Ok(ItemType::Subarray(Subarray::new(item, shape).map_err(|problem| self.refused(problem))?))
    }

    fn structure(&mut self, dtype: &Bound<'py, PyAny>, names: &Bound<'py, PyAny>, depth: usize) -> PyResult<ItemType> {
        let all = dtype.getattr("fields")?;
        let mut fields = Vec::new();
        for name in names.try_iter()? {
            let name = name?;
            // A dtype, an offset, and a title if there is one.
            let parts = all.get_item(&name)?;
            let title = match parts.len()? {
                3 => Some(parts.get_item(2)?).filter(|title| !title.is_none()),
                _ => None,
            };
            fields.push(Field {
                name: self.text(&name)?,
                title: title.map(|title| self.text(&title)).transpose()?,
                offset: parts.get_item(1)?.extract()?,
                item_type: self.item_type(&parts.get_item(0)?, depth + 1)?,
            });
        }
        let (size, is_aligned) = (dtype.getattr("itemsize")?.extract()?, dtype.getattr("isalignedstruct")?.extract()?);
        Ok(ItemType::Structure(Structure::new(fields, size, is_aligned).map_err(|problem| self.refused(problem))?))
    }

    fn text(&self, name: &Bound<'py, PyAny>) -> PyResult<String> {
        name.extract().map_err(|_| self.refused(format!("the field name {name:?} is not Unicode")))
    }

    fn plain(&self, dtype: &Bound<'py, PyAny>) -> PyResult<Dtype> {
        let order = match dtype.getattr("byteorder")?.extract()? {
            '<' => Endian::Little,
            '>' => Endian::Big,
            _ => Endian::NATIVE,
        };
        let number: i64 = dtype.getattr("num")?.extract()?;
        if !(0..FIRST_FOREIGN).contains(&number) {
            return match dtype.getattr("name")?.extract::<String>()?.as_str() {
                "bfloat16" => Ok(Dtype::new(ElementKind::Bf16, order)),
                name => Err(self.refused(format!("{name} is not a type of NumPy"))),
            };
        }
        let (letter, size): (char, u64) = (dtype.getattr("kind")?.extract()?, dtype.getattr("itemsize")?.extract()?);
        let name = match letter {
            'U' => format!("U{}", size / 4),
            'M' | 'm' => format!("{letter}8{}", unit(dtype)?),
            letter => format!("{letter}{size}"),
        };
        let prefix = if order == Endian::Big { '>' } else { '<' };
        format!("{prefix}{name}").parse().map_err(|unknown| self.refused(unknown))
    }
}

/// Returns the unit of times, such as `[25s]`; empty if there is none.
fn unit(dtype: &Bound<'_, PyAny>) -> PyResult<String> {
    let numpy = dtype.py().import("numpy")?;
    let (unit, count) = numpy.call_method1("datetime_data", (dtype,))?.extract::<(String, u64)>()?;
    Ok(if unit == "generic" { String::new() } else { format!("[{count}{unit}]") })
}
