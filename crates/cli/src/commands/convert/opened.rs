//! The inputs of a conversion.

use crate::context::Context;
use crate::show::text;
use crate::values::divide::divide_as;
use crate::values::foreign::{Foreign, rows};
use crate::values::open::{Divided, Failure, Named, Values, of};
use crate::values::slice::Slice;
use crate::values::tolerate::Tolerate;
use ndbytes::archive::file_of;
use ndbytes::{File, Finding, Format};
use ndbytes_convert::door::{self, ForeignKind, NamedArray};
use ndbytes_convert::{ArraySource, FileKind, Pictures, Source, TableSource};
use std::path::{Path, PathBuf};

/// An opened input.
#[allow(clippy::large_enum_variant, reason = "one is made per file, and moved a few times")]
pub enum Opened {
    /// A file in a format that has rules.
    File(Box<Values>),
    /// A table in such a format, the warnings about it, and the errors that were tolerated.
    Table { path: PathBuf, slice: Option<Slice>, table: TableSource, warnings: Vec<Finding>, tolerated: Vec<Finding> },
    /// A file or a store without rules.
    Foreign(Foreign),
}

impl Opened {
    /// Opens a path. `said` is the text format that the user specified.
    pub fn open(
        named: &Path,
        said: Option<FileKind>,
        tolerate: &Tolerate,
        context: &Context<'_>,
    ) -> Result<Self, Failure> {
        let divided = match divide_as(named, said, context) {
            Err(failure) => Divided::Foreign(pictures(named, failure, context)?),
            divided => divided?,
        };
        Ok(match of(divided, tolerate, context)? {
            Named::Values(values) => Opened::of_values(*values),
            Named::Foreign(foreign) => Opened::Foreign(foreign),
        })
    }

    /// Opens a file in a format of ndbytes.
    fn of_values(values: Values) -> Self {
        match values.file {
            File::Table(table) => {
                let (warnings, tolerated) = (table.warnings().to_vec(), table.tolerated().to_vec());
                let table = TableSource::idv(name_of(&values.path), *table, values.length);
                Opened::Table { path: values.path, slice: values.slice, table, warnings, tolerated }
            }
            file => Opened::File(Box::new(Values { file, ..values })),
        }
    }

    /// Returns the path of the file.
    pub fn path(&self) -> &Path {
        match self {
            Opened::File(values) => &values.path,
            Opened::Table { path, .. } => path,
            Opened::Foreign(foreign) => foreign.inner.path(),
        }
    }

    /// Returns whether it is a store of several arrays, which not every target can hold.
    pub fn is_store(&self) -> bool {
        matches!(self, Opened::Foreign(foreign) if foreign.kind() == ForeignKind::Zarr)
    }

    /// Returns the warnings, and the errors that were tolerated.
    pub fn known(&self) -> (&[Finding], &[Finding]) {
        match self {
            Opened::File(values) => (values.file.warnings(), values.file.tolerated()),
            Opened::Table { warnings, tolerated, .. } => (warnings, tolerated),
            Opened::Foreign(_) => (&[], &[]),
        }
    }

    /// Returns the arrays of a file that contains several.
    pub fn arrays(&self) -> Result<Vec<NamedArray<'_>>, ndbytes_convert::Error> {
        match self {
            Opened::Foreign(foreign) => foreign.inner.arrays(),
            _ => Ok(Vec::new()),
        }
    }

    /// Returns the sources to convert. `arrays` are the result of [`Opened::arrays`], and `columns` the selected
    /// columns of a table.
    pub fn sources<'s>(&'s self, arrays: &'s [NamedArray<'s>], columns: &[String]) -> Result<Vec<Source<'s>>, Failure> {
        let (table, slice) = match self {
            Opened::Table { table, slice, .. } => (Some(table), slice.as_ref()),
            Opened::Foreign(foreign) => (foreign.table(), foreign.slice.as_ref()),
            Opened::File(values) => (None, values.slice.as_ref()),
        };
        if let Some(table) = table {
            let table = rows(table, slice)?;
            return Ok(vec![Source::Table(if columns.is_empty() { table } else { table.columns(columns) })]);
        }
        if !columns.is_empty() {
            return Err(Failure::Words("`--columns` works only with tables, but this is an array".into()));
        }
        match self {
            Opened::File(values) => {
                let File::Array(array) = &values.file else {
                    return Err(ndbytes::Error::NoArray { format: Format::Idv }.into());
                };
                Ok(vec![sliced(ArraySource::new(name_of(&values.path), array), slice)?])
            }
            _ => arrays.iter().map(|array| sliced(array.source(), slice)).collect(),
        }
    }
}

/// Returns the pictures in a directory, or the error of opening it as something else.
fn pictures(path: &Path, failure: Failure, context: &Context<'_>) -> Result<Foreign, Failure> {
    let (folder, slice) = match path.to_str().and_then(crate::values::slice::split) {
        Some((folder, slice)) if !path.exists() => (Path::new(folder), Some(slice)),
        _ => (path, None),
    };
    let pictures = folder.is_dir().then(|| Pictures::open(folder, context.limits)).transpose()?.flatten();
    let Some(pictures) = pictures else { return Err(failure) };
    let slice = slice.map(str::parse).transpose().map_err(Failure::Words)?;
    Ok(Foreign { inner: door::Foreign::pictures(folder, pictures, context.limits).into(), slice })
}

/// Returns the part of an array that a slice selects.
fn sliced<'s>(part: ArraySource<'s>, slice: Option<&Slice>) -> Result<Source<'s>, Failure> {
    Ok(Source::Array(match slice {
        Some(slice) => {
            let chosen = slice.choose(part.shape()).map_err(Failure::Words)?;
            part.select(&chosen.elements())?
        }
        None => part,
    }))
}

/// Returns the name of a source: the name of a file without directories, or of an archive entry with directories.
fn name_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    if let Some(name) = file_of(path).and_then(|file| text.get(file.as_os_str().len() + 1..)) {
        return text::path(Path::new(name));
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
    text::path(Path::new(name.rsplit('!').next().unwrap_or(name)))
}
