//! The inputs of a conversion.

use crate::context::Context;
use crate::show::text;
use crate::values::open::{Failure, Values, before_slice, values};
use crate::values::slice::Slice;
use crate::values::tolerate::Tolerate;
use ndbytes::{Error, File, Finding, Input, Plain};
use ndbytes_convert::{Part, Pictures, Source, Tensors};
use std::path::{Path, PathBuf};

/// An input that was opened.
pub enum Opened {
    /// A file of a format that ndbytes reads.
    File(Box<Values>),
    /// A file of arrays, of which one or all are wanted.
    Tensors { path: PathBuf, name: Option<String>, slice: Option<Slice>, input: Input<'static> },
    /// A folder of pictures.
    Pictures { path: PathBuf, slice: Option<Slice>, pictures: Pictures },
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
        if let Some(pictures) = path.is_dir().then(|| Pictures::open(path, context.limits)).transpose()?.flatten() {
            let slice = slice.map(str::parse).transpose().map_err(Failure::Words)?;
            return Ok(Opened::Pictures { path: path.to_owned(), slice, pictures });
        }
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
            Opened::Tensors { path, .. } | Opened::Pictures { path, .. } => path,
        }
    }

    /// The errors that were tolerated.
    pub fn tolerated(&self) -> &[Finding] {
        match self {
            Opened::File(values) => values.file.tolerated(),
            _ => &[],
        }
    }

    /// The arrays of a file of several.
    pub fn arrays(&self, context: &Context<'_>) -> Result<Vec<(String, Plain<'_>)>, ndbytes_convert::Error> {
        match self {
            Opened::Tensors { input, name, .. } => {
                let tensors = Tensors::read(input, context.limits)?;
                match name {
                    Some(name) => Ok(vec![(name.clone(), tensors.get(name)?)]),
                    None => tensors.all(),
                }
            }
            _ => Ok(Vec::new()),
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
                Ok(vec![sliced(Part::new(name_of(&values.path), array), values.slice.as_ref())?])
            }
            Opened::Tensors { slice, .. } => {
                let source = |(name, array): &'s (String, Plain<'s>)| sliced(Part::plain(name, array), slice.as_ref());
                arrays.iter().map(source).collect()
            }
            Opened::Pictures { path, slice, pictures } => {
                Ok(vec![sliced(Part::pictures(name_of(path), pictures), slice.as_ref())?])
            }
        }
    }
}

/// A part of an array as a slice chooses it.
fn sliced<'s>(part: Part<'s>, slice: Option<&Slice>) -> Result<Source<'s>, Failure> {
    Ok(Source::Array(match slice {
        Some(slice) => {
            let chosen = slice.choose(part.shape()).map_err(Failure::Words)?;
            part.select(&chosen.elements())?
        }
        None => part,
    }))
}

/// The name of a source: that of its file, without folders.
fn name_of(path: &Path) -> String {
    let text = path.to_string_lossy();
    let name = text.rsplit(['/', '\\']).next().unwrap_or(&text);
    text::path(Path::new(name.rsplit('!').next().unwrap_or(name)))
}
