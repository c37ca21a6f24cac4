//! The two sides of a comparison: files, slices of arrays, stores.

use crate::context::Context;
use crate::show::style::counted;
use crate::show::text::is_standard;
use crate::values::open::{Failure, values};
use crate::values::slice::before_slice;
use crate::values::tolerate::Tolerate;
use ndbytes::archive::Archive;
use ndbytes::internals::known_format;
use ndbytes::{Error, File, Finding, Format, Input, is_gzip, npy};
use ndbytes_compare::diff::{Diff, Options, Side, archives, diff};
use std::path::Path;

/// The path that stands for no file, as git has it.
pub const NO_FILE: &str = "/dev/null";

/// The target of a path.
pub enum Opened {
    /// The path stands for no file.
    Nothing,
    File(Box<Input<'static>>),
    Slice(Box<Slice>),
    /// The folder of a store.
    Archive(Box<Archive<'static>>),
}

/// Items of a slice, as a file of their own, and facts of the file that they are of.
pub struct Slice {
    items: Input<'static>,
    format: Option<Format>,
    size: u64,
    is_gzip: bool,
    pub warnings: Vec<Finding>,
}

impl Opened {
    pub fn new(path: &Path, context: &Context<'_>) -> Result<Self, Failure> {
        if path == Path::new(NO_FILE) {
            return Ok(Opened::Nothing);
        }
        match context.open(path) {
            Ok(input) => Ok(Opened::File(input.into())),
            Err(error) if before_slice(path, &error).is_some() => Ok(Opened::Slice(slice(path, context)?.into())),
            Err(Error::Archive { .. }) if !is_standard(path) => {
                Ok(Opened::Archive(Archive::open(path, context.limits)?.into()))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The bytes to compare. Those of a slice are a file that was made of it.
    pub fn file(&self) -> Option<&Input<'static>> {
        match self {
            Opened::File(input) => Some(input),
            Opened::Slice(slice) => Some(&slice.items),
            Opened::Nothing | Opened::Archive(_) => None,
        }
    }

    pub fn slice(&self) -> Option<&Slice> {
        if let Opened::Slice(slice) = self { Some(slice) } else { None }
    }

    /// Names the side of a slice, with the facts of the whole file.
    pub fn name(&self, side: &mut Side, path: &Path) {
        if let Some(slice) = self.slice() {
            side.name = Some(path.display().to_string());
            (side.format, side.size, side.is_gzip) = (slice.format, slice.size, slice.is_gzip);
        }
    }
}

/// Compares what two paths lead to. `None` for a store and what is none.
pub fn compared(a: &Opened, b: &Opened, options: &Options) -> Option<ndbytes::Result<Diff>> {
    match (a, b) {
        (Opened::Archive(a), Opened::Archive(b)) => Some(archives(a, b, options)),
        (Opened::Archive(_), _) | (_, Opened::Archive(_)) => None,
        (a, b) => Some(diff(a.file(), b.file(), options)),
    }
}

/// The slice that a path names.
fn slice(named: &Path, context: &Context<'_>) -> Result<Slice, Failure> {
    let values = values(named, &Tolerate::default(), context)?;
    let File::Array(array) = &values.file else {
        return Err(Failure::Words("slices of arrays are compared, and this is a table".into()));
    };
    let mut items = array.select(values.chosen()?.elements())?;
    let size = items.count().saturating_mul(items.item_type().stride());
    // They are held twice while they are read.
    if size > context.limits.memory / 2 {
        let (size, most) = (counted(size, "byte"), counted(context.limits.memory / 2, "byte"));
        return Err(Failure::Words(format!(
            "the slice has {size}, and {most} are allowed: `--max-memory` allows more"
        )));
    }
    let mut bytes = Vec::new();
    npy::Writer::new().write_items_to(&mut bytes, &mut *items, &context.limits)?;
    drop(items);
    let warnings = values.file.warnings().to_vec();
    let whole = context.open(&values.path)?;
    let items = Input::from_reader(&mut &bytes[..], context.limits)?;
    let (format, size, is_gzip) = (known_format(&whole), whole.length(), is_gzip(whole.head()));
    Ok(Slice { items, format, size, is_gzip, warnings })
}

/// Places in a file that was made of a slice say nothing.
pub fn forget_bytes(found: &mut Diff) {
    found.first_byte = None;
    for difference in found.values.iter_mut().flat_map(|values| &mut values.first) {
        difference.offset = None;
    }
}
