//! The inputs of a conversion.

use crate::context::Context;
use crate::show::text;
use crate::values::open::{Failure, Values, before_slice, values};
use crate::values::slice::Slice;
use crate::values::tolerate::Tolerate;
use ndbytes::{Error, File, Finding, Input, Plain};
use ndbytes_convert::{Part, Source, Tensors};
use std::path::{Path, PathBuf};

/// An input that was opened.
pub enum Opened {
    /// A file of a format that ndbytes reads.
    File(Box<Values>),
    /// A file of arrays, of which one or all are wanted.
    Tensors { path: PathBuf, name: Option<String>, slice: Option<Slice>, input: Input<'static> },
}

impl Opened {
    /// Opens what a path names.
    pub fn open(named: &Path, tolerate: &Tolerate, context: &Context<'_>) -> Result<Self, Failure> {
        let error = match context.open(named) {
            Ok(input) if Tensors::is_one(&input) => return Ok(Opened::tensors(named, None, None, input)),
            Ok(_) => return values(named, tolerate, context).map(|values| Opened::File(Box::new(values))),
            Err(error) => error,
        };
        let (path, slice) = match before_slice(named, &error) {
            Some((path, slice)) => (path, Some(slice)),
            None => (named, None),
        };
        let whole = context.open(path).ok().filter(Tensors::is_one).map(|input| (path, None, input));
        let member = || {
            let (file, name) = path.to_str()?.rsplit_once('!')?;
            let input = context.open(Path::new(file)).ok().filter(Tensors::is_one)?;
            Some((Path::new(file), Some(name.to_owned()), input))
        };
        match whole.or_else(member) {
            Some((path, name, input)) => {
                let slice = slice.map(str::parse).transpose().map_err(Failure::Words)?;
                Ok(Opened::tensors(path, name, slice, input))
            }
            None => values(named, tolerate, context).map(|values| Opened::File(Box::new(values))),
        }
    }

    fn tensors(path: &Path, name: Option<String>, slice: Option<Slice>, input: Input<'static>) -> Self {
        Opened::Tensors { path: path.to_owned(), name, slice, input }
    }

    /// The file that is read.
    pub fn path(&self) -> &Path {
        match self {
            Opened::File(values) => &values.path,
            Opened::Tensors { path, .. } => path,
        }
    }

    /// The errors that were tolerated.
    pub fn tolerated(&self) -> &[Finding] {
        match self {
            Opened::File(values) => values.file.tolerated(),
            Opened::Tensors { .. } => &[],
        }
    }

    /// The arrays of a file of several.
    pub fn arrays(&self, context: &Context<'_>) -> Result<Vec<(String, Plain<'_>)>, ndbytes_convert::Error> {
        match self {
            Opened::File(_) => Ok(Vec::new()),
            Opened::Tensors { input, name, .. } => {
                let tensors = Tensors::read(input, context.limits)?;
                match name {
                    Some(name) => Ok(vec![(name.clone(), tensors.get(name)?)]),
                    None => tensors.all(),
                }
            }
        }
    }

    /// What is converted. `arrays` are those of [`Opened::arrays`].
    pub fn sources<'s>(&'s self, arrays: &'s [(String, Plain<'s>)]) -> Result<Vec<Source<'s>>, Failure> {
        match self {
            Opened::File(values) => {
                let File::Array(array) = &values.file else {
                    let (shown, error) = (text::path(&values.path), Error::NoArray { format: values.file.format() });
                    let words = format!("{error}; `ndbytes cat --json {shown}` prints the values of a table");
                    return Err(Failure::Words(words));
                };
                let part = Part::new(name_of(&values.path), array);
                let part = if values.slice.is_some() { part.select(&values.chosen()?.elements())? } else { part };
                Ok(vec![Source::Array(part)])
            }
            Opened::Tensors { slice, .. } => {
                let source = |(name, array): &'s (String, Plain<'s>)| {
                    let part = Part::plain(name, array);
                    Ok(Source::Array(match slice {
                        Some(slice) => part.select(&slice.choose(array.shape()).map_err(Failure::Words)?.elements())?,
                        None => part,
                    }))
                };
                arrays.iter().map(source).collect()
            }
        }
    }
}

/// The name of a source: that of its file, without folders.
fn name_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
    text::path(Path::new(name.rsplit('!').next().unwrap_or(name)))
}
