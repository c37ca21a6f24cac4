//! The inputs of a conversion.

use crate::context::Context;
use crate::show::text::{self, is_standard};
use crate::values::foreign::Foreign;
use crate::values::open::{Failure, Values, read, values};
use crate::values::slice::{Slice, before_slice};
use crate::values::tolerate::Tolerate;
use ndbytes::archive::{Archive, Opened as Opening, file_of, is_archive};
use ndbytes::{File, Finding, Input, Plain};
use ndbytes_convert::{ArraySource, CTable, FileKind, Pictures, Source, TableSource, Tensors, ZarrArray, ZarrStore};
use std::path::{Path, PathBuf};

/// An input that was opened.
pub enum Opened {
    /// A file of a format that ndbytes reads.
    File(Box<Values>),
    /// A file of arrays, of which one or all are wanted.
    Tensors { path: PathBuf, name: Option<String>, slice: Option<Slice>, input: Input<'static> },
    /// A store of Zarr, and the path in it of the array or the group that is wanted.
    Zarr { path: PathBuf, within: String, slice: Option<Slice>, store: Box<ZarrStore> },
    /// A picture, or a folder of pictures.
    Pictures { path: PathBuf, slice: Option<Slice>, pictures: Pictures },
    /// A table, and the warnings about it and the errors that were tolerated in it.
    Table { path: PathBuf, slice: Option<Slice>, table: TableSource, warnings: Vec<Finding>, tolerated: Vec<Finding> },
}

/// An array of a file of several.
pub enum Held<'o> {
    Plain(Plain<'o>),
    Zarr(ZarrArray<'o>),
}

/// The maximum number of signs `!` of a path that are looked at.
const MOST_SIGNS: usize = 16;

impl Opened {
    /// Opens what a path names. `said` is the kind of lines that it is said to have.
    pub fn open(
        named: &Path,
        said: Option<FileKind>,
        tolerate: &Tolerate,
        context: &Context<'_>,
    ) -> Result<Self, Failure> {
        let error = match context.open(named) {
            Ok(input) => {
                let is_store = is_archive(&input) && !is_standard(named);
                if let Some(table) = is_store.then(|| store_table(named, context)).transpose()?.flatten() {
                    return Ok(Opened::store(named, None, table));
                }
                match Foreign::of(named, &input, said, context.limits) {
                    Some(foreign) => return Opened::foreign(foreign, named, None, None, input, context),
                    // What was opened is read: standard input is there only once.
                    None => return Ok(Opened::of_values(read(named, input, tolerate, context)?)),
                }
            }
            Err(error) => error,
        };
        let (path, slice) = match before_slice(named, &error) {
            Some((path, slice)) => (path, Some(slice)),
            None => (named, None),
        };
        if let Some(table) = store_table(path, context)? {
            return Ok(Opened::store(path, slice.map(str::parse).transpose().map_err(Failure::Words)?, table));
        }
        if let Some((root, within, store)) = zarr_at(path, context) {
            let slice = slice.map(str::parse).transpose().map_err(Failure::Words)?;
            return Ok(Opened::Zarr { path: root.to_owned(), within: within.to_owned(), slice, store: store.into() });
        }
        if let Some(pictures) = path.is_dir().then(|| Pictures::open(path, context.limits)).transpose()?.flatten() {
            let slice = slice.map(str::parse).transpose().map_err(Failure::Words)?;
            return Ok(Opened::Pictures { path: path.to_owned(), slice, pictures });
        }
        let whole = || {
            let input = context.open(path).ok()?;
            Some((Foreign::of(path, &input, said, context.limits)?, path, None, input))
        };
        let member = || {
            // The name of an array may have the sign too.
            divided(path).find_map(|(file, name)| {
                let input = context.open(file).ok().filter(Tensors::is_one)?;
                Some((Foreign::Tensors, file, Some(name.to_owned()), input))
            })
        };
        match whole().or_else(member) {
            Some((foreign, path, name, input)) => {
                let slice = slice.map(str::parse).transpose().map_err(Failure::Words)?;
                Opened::foreign(foreign, path, name, slice, input, context)
            }
            None => Ok(Opened::of_values(values(named, tolerate, context)?)),
        }
    }

    /// A table of python-blosc2.
    fn store(path: &Path, slice: Option<Slice>, table: TableSource) -> Self {
        Opened::Table { path: path.to_owned(), slice, table, warnings: Vec::new(), tolerated: Vec::new() }
    }

    /// A file of a format of ndbytes.
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

    fn foreign(
        foreign: Foreign,
        path: &Path,
        name: Option<String>,
        slice: Option<Slice>,
        input: Input<'static>,
        context: &Context<'_>,
    ) -> Result<Self, Failure> {
        let path = path.to_owned();
        let table = match foreign {
            Foreign::Tensors => return Ok(Opened::Tensors { path, name, slice, input }),
            Foreign::Zarr => {
                let store = ZarrStore::zip(&path, input, context.limits)?.into();
                return Ok(Opened::Zarr { path, within: name.unwrap_or_default(), slice, store });
            }
            Foreign::Picture => {
                let pictures = Pictures::read(text::path(&path), &input, context.limits)?;
                return Ok(Opened::Pictures { path, slice, pictures });
            }
            Foreign::Table(kind) => TableSource::read(name_of(&path), kind, input, context.limits),
            Foreign::Text(kind) => TableSource::text(name_of(&path), kind, &input, context.limits).map_err(failure)?,
        };
        let table = table.at(text::path(&path));
        Ok(Opened::Table { path, slice, table, warnings: Vec::new(), tolerated: Vec::new() })
    }

    /// The file that is read.
    pub fn path(&self) -> &Path {
        match self {
            Opened::File(values) => &values.path,
            Opened::Tensors { path, .. }
            | Opened::Zarr { path, .. }
            | Opened::Pictures { path, .. }
            | Opened::Table { path, .. } => path,
        }
    }

    /// The warnings, and the errors that were tolerated.
    pub fn known(&self) -> (&[Finding], &[Finding]) {
        match self {
            Opened::File(values) => (values.file.warnings(), values.file.tolerated()),
            Opened::Table { warnings, tolerated, .. } => (warnings, tolerated),
            _ => (&[], &[]),
        }
    }

    /// The arrays of a file of several.
    pub fn arrays(&self, context: &Context<'_>) -> Result<Vec<(String, Held<'_>)>, ndbytes_convert::Error> {
        match self {
            Opened::Tensors { input, name, .. } => {
                let tensors = Tensors::read(input, context.limits)?;
                let arrays = match name {
                    Some(name) => vec![(name.clone(), tensors.get(name)?)],
                    None => tensors.all()?,
                };
                Ok(arrays.into_iter().map(|(name, array)| (name, Held::Plain(array))).collect())
            }
            Opened::Zarr { path, within, store, .. } => {
                let open =
                    |name: String| Ok((name_in(&name, path, within), Held::Zarr(ZarrArray::open(store, &name)?)));
                // What is no group, or not there, is named by opening it.
                match store.arrays(within)? {
                    arrays if arrays.is_empty() => vec![within.clone()],
                    arrays => arrays,
                }
                .into_iter()
                .map(open)
                .collect()
            }
            _ => Ok(Vec::new()),
        }
    }

    /// The sources to convert. `arrays` are those of [`Opened::arrays`], and `columns` those that are wanted of a
    /// table, if not all.
    pub fn sources<'s>(
        &'s self,
        arrays: &'s [(String, Held<'s>)],
        columns: &[String],
    ) -> Result<Vec<Source<'s>>, Failure> {
        if !columns.is_empty() && !matches!(self, Opened::Table { .. }) {
            return Err(Failure::Words("`--columns` is for tables, and this is an array".into()));
        }
        match self {
            Opened::File(values) => {
                let File::Array(array) = &values.file else {
                    return Err(ndbytes::Error::NoArray { format: values.file.format() }.into());
                };
                Ok(vec![sliced(ArraySource::new(name_of(&values.path), array), values.slice.as_ref())?])
            }
            Opened::Table { slice, table, .. } => {
                let mut table = table.clone();
                if let Some(slice) = slice {
                    table = rows(table, slice)?;
                }
                if !columns.is_empty() {
                    table = table.columns(columns);
                }
                Ok(vec![Source::Table(table)])
            }
            Opened::Tensors { slice, .. } | Opened::Zarr { slice, .. } => {
                let source = |(name, array): &'s (String, Held<'s>)| match array {
                    Held::Plain(array) => sliced(ArraySource::plain(name, array), slice.as_ref()),
                    Held::Zarr(array) => sliced(ArraySource::zarr_array(name, array), slice.as_ref()),
                };
                arrays.iter().map(source).collect()
            }
            Opened::Pictures { path, slice, pictures } => {
                Ok(vec![sliced(ArraySource::pictures(name_of(path), pictures), slice.as_ref())?])
            }
        }
    }
}

/// The table of python-blosc2 that a store holds.
fn store_table(path: &Path, context: &Context<'_>) -> Result<Option<TableSource>, Failure> {
    let is_store = |archive: &Archive<'_>| archive.members().iter().any(|member| member.name().ends_with(".b2nd"));
    let archive = match Opening::open(path, context.limits) {
        Ok(Opening::Archive(archive)) if is_store(&archive) => archive,
        _ => return Ok(None),
    };
    let length = archive.length();
    match CTable::of(archive, context.limits) {
        Ok(table) => Ok(table.map(|table| TableSource::store(name_of(path), table, length).at(text::path(path)))),
        Err(error) => Err(Failure::Words(format!("{}: {error}", text::path(path)))),
    }
}

/// The ways in which a path can be that of a file and a name in it, those with the shortest path first.
fn divided(path: &Path) -> impl Iterator<Item = (&Path, &str)> {
    let text = path.to_str().unwrap_or_default();
    text.match_indices('!').take(MOST_SIGNS).map(|(at, _)| (Path::new(&text[..at]), &text[at + 1..]))
}

/// The store of Zarr that a path leads to, and the path in it. A folder in a store is a store of its own.
fn zarr_at<'p>(path: &'p Path, context: &Context<'_>) -> Option<(&'p Path, &'p str, ZarrStore)> {
    if ZarrStore::is_folder(path) {
        return Some((path, "", ZarrStore::folder(path, context.limits)));
    }
    divided(path).find_map(|(root, within)| {
        if ZarrStore::is_folder(root) {
            return Some((root, within, ZarrStore::folder(root, context.limits)));
        }
        let input = context.open(root).ok().filter(|input| ZarrStore::is_zip(input, context.limits))?;
        Some((root, within, ZarrStore::zip(root, input, context.limits).ok()?))
    })
}

/// The name of an array of a store: its path below the group that is wanted. The wanted array itself has its own name.
fn name_in(name: &str, path: &Path, group: &str) -> String {
    let below = name.strip_prefix(group).map(|below| below.trim_start_matches('/')).unwrap_or(name);
    match (below, name.rsplit('/').next()) {
        ("", None | Some("")) => name_of(path),
        ("", Some(last)) => last.to_owned(),
        (below, _) => below.to_owned(),
    }
}

/// A part of an array as a slice chooses it.
fn sliced<'s>(part: ArraySource<'s>, slice: Option<&Slice>) -> Result<Source<'s>, Failure> {
    Ok(Source::Array(match slice {
        Some(slice) => {
            let chosen = slice.choose(part.shape()).map_err(Failure::Words)?;
            part.select(&chosen.elements())?
        }
        None => part,
    }))
}

/// The failure of a conversion before it began.
fn failure(error: ndbytes_convert::Error) -> Failure {
    match error {
        ndbytes_convert::Error::Library(error) => Failure::Error(error),
        error => Failure::Words(error.to_string()),
    }
}

/// The rows of a table that a slice chooses.
fn rows(table: TableSource, slice: &Slice) -> Result<TableSource, Failure> {
    let count = table.count().map_err(failure)?;
    let chosen = slice.choose(&[usize::try_from(count).unwrap_or(usize::MAX)]).map_err(Failure::Words)?;
    match chosen.axes().next() {
        Some(axis) if axis.step == 1 || axis.count < 2 => Ok(table.rows(axis.start..axis.start + axis.count)),
        Some(axis) => {
            let words = format!("the slice has the step {}, but the rows of a table keep their order", axis.step);
            Err(Failure::Words(words))
        }
        None => Ok(table),
    }
}

/// The name of a source: that of its file, without folders; that of an entry of an archive, with them.
fn name_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    if let Some(name) = file_of(path).and_then(|file| text.get(file.as_os_str().len() + 1..)) {
        return text::path(Path::new(name));
    }
    let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
    text::path(Path::new(name.rsplit('!').next().unwrap_or(name)))
}
