//! The two sides of a comparison: files, slices of arrays, stores, and third-party files.
//!
//! The comparison supports files in formats of ndbytes. A slice, or values in a third-party format, are encoded as such
//! a file in memory, together with the properties of the original that the report shows. The fields of that file are
//! meaningless, so only values are compared.

use crate::context::Context;
use crate::show::style::counted;
use crate::show::text::is_standard;
use crate::values::grid::Grid;
use crate::values::open::{Divided, Failure, divide, read};
use crate::values::slice::Chosen;
use crate::values::tolerate::Tolerate;
#[cfg(feature = "convert")]
use ndbytes::archive::file_of;
use ndbytes::archive::{Archive, is_archive, is_of_tensors};
use ndbytes::internals::known_format;
use ndbytes::{Error, File, Finding, Format, Input, Limits, is_gzip, npy};
use ndbytes_compare::diff::{Diff, Options, Side, archives, diff};
use std::path::Path;

/// The path that git uses for a missing file.
pub const NO_FILE: &str = "/dev/null";

/// What a path refers to.
pub enum Opened {
    /// The path stands for a missing file.
    Nothing,
    File(Box<Input<'static>>),
    Values(Box<Values>),
    /// The directory of a store.
    Archive(Box<Archive<'static>>),
}

/// Values, encoded as a file: the items of a slice, or the content of a third-party format, with properties of the
/// original file.
pub struct Values {
    made: Input<'static>,
    format: Option<Format>,
    /// The name of a format without rules.
    kind: Option<&'static str>,
    size: u64,
    is_gzip: bool,
    pub warnings: Vec<Finding>,
}

impl Opened {
    /// Opens a side. `/dev/null` means a missing file, since git passes it for a file that was added or deleted.
    pub fn new(path: &Path, context: &Context<'_>) -> Result<Self, Failure> {
        if path == Path::new(NO_FILE) {
            return Ok(Opened::Nothing);
        }
        match divide(path, context) {
            Ok(Divided::Input { slice: None, input, .. }) => Ok(Opened::File(input.into())),
            Ok(Divided::Input { path, slice: Some(slice), input }) => {
                let whole = FileFacts::of(&input);
                let values = read(&path, input, &Tolerate::default(), context)?;
                let File::Array(array) = &values.file else {
                    return Err(Failure::Words("slices of arrays are compared, and this is a table".into()));
                };
                let chosen = slice.choose(array.shape()).map_err(Failure::Words)?;
                let made = made(Grid::Array(array), &chosen, context)?;
                let warnings = values.file.warnings().to_vec();
                let FileFacts { format, size, is_gzip } = whole;
                Ok(Opened::Values(Values { made, format, kind: None, size, is_gzip, warnings }.into()))
            }
            #[cfg(feature = "convert")]
            Ok(Divided::Foreign(foreign)) => match Opened::foreign(&foreign, context) {
                // A store with unreadable columns is compared member by member.
                Err(Failure::Words(_)) if foreign.is_ctable() => Opened::members(path, context),
                opened => opened,
            },
            Err(Failure::Error(Error::Archive { .. })) if !is_standard(path) => {
                Ok(Opened::Archive(Archive::open(path, context.limits)?.into()))
            }
            Err(failure) => Err(failure),
        }
    }

    /// Returns the members of a store.
    #[cfg(feature = "convert")]
    fn members(path: &Path, context: &Context<'_>) -> Result<Self, Failure> {
        match context.open(path) {
            Ok(input) => Ok(Opened::File(input.into())),
            Err(Error::Archive { .. }) => Ok(Opened::Archive(Archive::open(path, context.limits)?.into())),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the values of a third-party file.
    #[cfg(feature = "convert")]
    fn foreign(foreign: &crate::values::foreign::Foreign, context: &Context<'_>) -> Result<Self, Failure> {
        use crate::values::foreign::failure;
        let kind = Some(foreign.kind().title());
        let size = foreign.inner.length().map_err(failure)?;
        let made = match (foreign.table(), &foreign.slice) {
            (Some(_), Some(_)) => {
                return Err(Failure::Words("slices of arrays are compared, and this is a table".into()));
            }
            (_, None) => foreign.inner.to_native(context.limits).map_err(failure)?,
            (None, Some(slice)) => {
                let array = foreign.array()?;
                let source = array.source();
                let chosen = slice.choose(source.shape()).map_err(Failure::Words)?;
                made(Grid::Foreign(&source, foreign.kind()), &chosen, context)?
            }
        };
        Ok(Opened::Values(Values { made, format: None, kind, size, is_gzip: false, warnings: Vec::new() }.into()))
    }

    /// Returns the bytes to compare. For values, this is the file that encodes them.
    pub fn file(&self) -> Option<&Input<'static>> {
        match self {
            Opened::File(input) => Some(input),
            Opened::Values(values) => Some(&values.made),
            Opened::Nothing | Opened::Archive(_) => None,
        }
    }

    /// Returns the values, if the side is not a file in a known format.
    pub fn values(&self) -> Option<&Values> {
        if let Opened::Values(values) = self { Some(values) } else { None }
    }

    /// Sets the name of a side with values, and the properties of the complete file.
    pub fn name(&self, side: &mut Side, path: &Path) {
        if let Some(values) = self.values() {
            side.name = Some(path.display().to_string());
            (side.format, side.size, side.is_gzip) = (values.format, values.size, values.is_gzip);
            side.kind = values.kind.map(str::to_owned);
        }
    }

    /// If the other side is a third-party table, reads a table in a known format in the same way, as columns of plain types.
    #[cfg(feature = "convert")]
    pub fn plain_beside(self, path: &Path, other: &Self, context: &Context<'_>) -> Result<Self, Failure> {
        use ndbytes_convert::TableSource;
        let is_table = |input: &Input<'_>| known_format(input) == Some(Format::Idv);
        let is_foreign = other.values().is_some_and(|it| it.kind.is_some() && is_table(&it.made));
        let Opened::File(input) = &self else { return Ok(self) };
        if !is_foreign || !is_table(input) {
            return Ok(self);
        }
        let FileFacts { format, size, is_gzip } = FileFacts::of(input);
        let again = match is_standard(path) || file_of(path).is_some() {
            true => Input::from_reader(input.bytes()?, context.limits)?,
            false => context.open(path)?,
        };
        let File::Table(table) = read(path, again, &Tolerate::default(), context)?.file else { return Ok(self) };
        let warnings = table.warnings().to_vec();
        let table = TableSource::idv(path.to_string_lossy(), *table, size);
        let plain = table.to_plain_idv(context.limits).map_err(crate::values::foreign::failure)?;
        let made = Input::from_reader(&plain[..], context.limits)?;
        Ok(Opened::Values(Values { made, format, kind: None, size, is_gzip, warnings }.into()))
    }
}

/// Properties of a complete file.
struct FileFacts {
    format: Option<Format>,
    size: u64,
    is_gzip: bool,
}

impl FileFacts {
    /// Returns the properties of an input, before it is divided or converted.
    fn of(input: &Input<'_>) -> Self {
        FileFacts { format: known_format(input), size: input.length(), is_gzip: is_gzip(input.head()) }
    }
}

/// Compares two paths. `None` if only one of them is a store.
pub fn compared(a: &Opened, b: &Opened, options: &Options, limits: Limits) -> Option<ndbytes::Result<Diff>> {
    match (a, b) {
        (Opened::Archive(a), Opened::Archive(b)) => Some(archives(a, b, options)),
        // Several arrays have been encoded as an archive. A tensor file already is an archive.
        (Opened::Archive(a), b) => archive_of(b, limits).map(|b| archives(a, &b?, options)),
        (a, Opened::Archive(b)) => archive_of(a, limits).map(|a| archives(&a?, b, options)),
        (a, b) => Some(diff(a.file(), b.file(), options)),
    }
}

/// Returns the archive that encodes several arrays, or a file of tensors; `None` for anything else.
fn archive_of(opened: &Opened, limits: Limits) -> Option<ndbytes::Result<Archive<'_>>> {
    match opened {
        Opened::Values(values) if is_archive(&values.made) => {
            let read = || Archive::read(Input::from_reader(values.made.bytes()?, limits)?, limits);
            Some(read())
        }
        Opened::File(input) if is_of_tensors(input) => {
            Some(input.again(limits).and_then(|input| Archive::read(input, limits)))
        }
        _ => None,
    }
}

/// Encodes some items of an array as a file.
fn made(grid: Grid<'_>, chosen: &Chosen, context: &Context<'_>) -> Result<Input<'static>, Failure> {
    let mut items = grid.select(chosen)?;
    let size = items.count().saturating_mul(items.item_type().stride());
    // There are two copies while the items are read.
    if size > context.limits.memory / 2 {
        let (size, most) = (counted(size, "byte"), counted(context.limits.memory / 2, "byte"));
        return Err(Failure::Words(format!(
            "the slice has {size}, but at most {most} are allowed: `--max-memory` allows more"
        )));
    }
    let mut bytes = Vec::new();
    npy::Writer::new().write_items_to(&mut bytes, &mut *items, &context.limits)?;
    Ok(Input::from_reader(&mut &bytes[..], context.limits)?)
}

/// Removes offsets, which are meaningless in a file that only encodes values.
pub fn forget_bytes(found: &mut Diff) {
    found.first_byte = None;
    for difference in found.values.iter_mut().flat_map(|values| &mut values.first) {
        difference.offset = None;
    }
    found.members.iter_mut().for_each(|member| forget_bytes(&mut member.diff));
}
