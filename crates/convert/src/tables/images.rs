//! Images and their labels in the layout of Hugging Face: PNG files in one column and class numbers in another.
//!
//! Hugging Face's `datasets` shows a Parquet file as pictures if a column is a structure of `bytes` and `path`, and
//! if the metadata says that it is an image. Each item becomes a PNG file in a cell.

use super::column::Column;
use crate::arrays::png;
use crate::arrays::view::View;
use crate::error::{Error, Result};
use crate::kind::FileKind;
use crate::options::Options;
use arrow_array::builder::BinaryBuilder;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray, StructArray};
use arrow_buffer::NullBuffer;
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef};
use ndbytes::{ItemType, Pixels, Scalar};
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;

/// The names of the columns.
const IMAGE: &str = "image";
const LABEL: &str = "label";

/// The parts of an image: the bytes of its file, and a path, which is empty.
const BYTES: &str = "bytes";
const PATH: &str = "path";

/// The key of the metadata in which Hugging Face's `datasets` describes the columns.
const FEATURES: &str = "huggingface";

/// The maximum number of classes with names.
const MOST_CLASSES: i64 = 10_000;

/// The columns for images and, if there are any, labels.
pub fn columns(views: &[View<'_>], kind: FileKind, options: &Options<'_>) -> Result<(SchemaRef, Vec<Box<dyn Column>>)> {
    let refused = |what: String| Error::Refused { kind, what };
    let (images, labels) = match views {
        [images] => (images, None),
        [images, labels] => (images, Some(labels)),
        _ => return Err(refused("more than two arrays in the layout huggingface: images and labels".into())),
    };
    let images = Images::of(images, kind)?;
    let mut features = serde_json::Map::from_iter([(IMAGE.to_owned(), json!({"_type": "Image"}))]);
    let mut columns: Vec<Box<dyn Column>> = vec![Box::new(images)];
    if let Some(view) = labels {
        let labels = Labels::of(view, kind)?;
        features.insert(LABEL.to_owned(), labels.feature(view, options)?);
        columns.push(Box::new(labels));
    }
    let fields: Vec<FieldRef> = columns.iter().map(|column| column.field()).collect();
    let metadata = json!({"info": {"features": features}}).to_string();
    let schema = Schema::new(fields).with_metadata(HashMap::from([(FEATURES.to_owned(), metadata)]));
    Ok((Arc::new(schema), columns))
}

/// Images of the same shape.
struct Images {
    height: usize,
    width: usize,
    channels: usize,
    row_bytes: u64,
}

impl Images {
    /// The images in an array of bytes: `N×H×W`, optionally followed by 3 or 4 channels.
    fn of(view: &View<'_>, kind: FileKind) -> Result<Self> {
        let shape = view.shape();
        let is_image = Pixels::of(shape, view.item_type()).is_some();
        let is_byte = view.item_type().stride() == 1 && matches!(view.item_type(), ItemType::Plain(_));
        let (height, width, channels) = match *shape {
            [_, height, width] if is_byte => (height, width, 1),
            [_, height, width, channels @ (1 | 3 | 4)] if is_byte && is_image => (height, width, channels),
            _ => {
                let what = format!(
                    "images of the shape {shape:?} of {}: those of Hugging Face are bytes of the shape N × height × width, with 1, 3 \
                     or 4 channels after them",
                    view.item_type()
                );
                return Err(Error::Refused { kind, what });
            }
        };
        Ok(Images { height, width, channels, row_bytes: (height * width * channels) as u64 })
    }

    /// The fields of the struct that `datasets` uses for images.
    fn fields() -> Fields {
        vec![Field::new(BYTES, DataType::Binary, true), Field::new(PATH, DataType::Utf8, true)].into()
    }
}

impl Column for Images {
    fn field(&self) -> FieldRef {
        Arc::new(Field::new(IMAGE, DataType::Struct(Images::fields()), true))
    }

    fn row_bytes(&self) -> u64 {
        self.row_bytes
    }

    fn array(&self, bytes: Vec<u8>, options: &Options<'_>) -> Result<ArrayRef> {
        let mut files = BinaryBuilder::new();
        for samples in bytes.chunks(self.row_bytes.max(1) as usize) {
            options.limits.ensure_time()?;
            files.append_value(png::file(samples, (self.height, self.width, self.channels))?);
        }
        let files = files.finish();
        let length = files.len();
        let paths = StringArray::new_null(length);
        let image = StructArray::try_new(Images::fields(), vec![Arc::new(files), Arc::new(paths)], None::<NullBuffer>);
        Ok(Arc::new(image.map_err(|error| Error::of_arrow(error, IMAGE))?))
    }
}

/// Labels, which are integers.
struct Labels(ItemType);

impl Labels {
    /// The labels in a one-dimensional array of integers.
    fn of(view: &View<'_>, kind: FileKind) -> Result<Self> {
        let is_whole = |item_type: &ItemType| {
            use ndbytes::ElementKind::{Bit, Bool, I8, I16, I32, I64, U8, U16, U32};
            matches!(item_type, ItemType::Plain(dtype) if matches!(dtype.kind, Bit | Bool | I8 | I16 | I32 | I64 | U8 | U16 | U32))
        };
        match view.shape().len() == 1 && is_whole(view.item_type()) {
            true => Ok(Labels(view.item_type().clone())),
            false => {
                let what = format!(
                    "labels of shape {:?} and type {}: the layout huggingface needs one integer per row",
                    view.shape(),
                    view.item_type()
                );
                Err(Error::Refused { kind, what })
            }
        }
    }

    /// Returns the labels as 64-bit integers.
    fn numbers(&self, bytes: &[u8]) -> Int64Array {
        let dtype = self.0.dtype();
        let items = bytes.chunks_exact(self.0.stride().max(1) as usize);
        let number = |item: &[u8]| match Scalar::from_bytes(item, dtype) {
            Scalar::Int(value) => i64::try_from(value).unwrap_or_default(),
            Scalar::Uint(value) => i64::try_from(value).unwrap_or_default(),
            Scalar::Bool(value) => i64::from(value),
            _ => 0,
        };
        items.map(number).collect::<Vec<i64>>().into()
    }

    /// The description of the column: classes numbered from 0, or plain numbers.
    fn feature(&self, view: &View<'_>, options: &Options<'_>) -> Result<serde_json::Value> {
        const TOGETHER: usize = 1 << 20;
        let (all, mut least, mut greatest) = (view.shape()[0], 0, -1);
        for from in (0..all).step_by(TOGETHER) {
            let rows = from..all.min(from + TOGETHER);
            let mut bytes = Vec::new();
            crate::memory::room(&mut bytes, rows.len() as u64 * self.row_bytes(), &options.limits)?;
            view.read_box(&[rows], &mut bytes)?;
            let numbers = self.numbers(&bytes);
            let numbers = numbers.values();
            least = numbers.iter().copied().min().unwrap_or(0).min(least);
            greatest = numbers.iter().copied().max().unwrap_or(-1).max(greatest);
        }
        if least < 0 || greatest >= MOST_CLASSES {
            return Ok(json!({"dtype": "int64", "_type": "Value"}));
        }
        let names: Vec<String> = (0..=greatest).map(|class| class.to_string()).collect();
        Ok(json!({"names": names, "_type": "ClassLabel"}))
    }
}

impl Column for Labels {
    fn field(&self) -> FieldRef {
        Arc::new(Field::new(LABEL, DataType::Int64, true))
    }

    fn row_bytes(&self) -> u64 {
        self.0.stride()
    }

    fn array(&self, bytes: Vec<u8>, _: &Options<'_>) -> Result<ArrayRef> {
        Ok(Arc::new(self.numbers(&bytes)))
    }
}
