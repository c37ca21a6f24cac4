//! The forms of file names, each with the content of such files. They are part of the facts about each format.
//!
//! The content of a file determines its format. A name is reserved if no other program uses such names.

use super::Format;
use super::form::{Holds, before};
use std::path::Path;

pub use super::form::Form;

/// The content of files with a certain name.
///
/// ```
/// use ndbytes::Format;
/// use ndbytes::names::{Content, Name};
///
/// let content = |name: &str| Name::of(name).map(|name| name.content);
/// assert_eq!(content("weights.npz"), Some(Content::Archive(Format::Npy)));
/// assert_eq!(content("store.b2d/embed.b2e"), Some(Content::Frame));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// A file of a format.
    File(Format),
    /// A Blosc2 frame that may not be an array, because python-blosc2 uses such names for the files of its stores.
    Frame,
    /// A zip archive of files of a format.
    Archive(Format),
}

impl Content {
    fn of(format: Format, form: &Form) -> Self {
        match form.holds {
            Holds::File => Content::File(format),
            Holds::Frame => Content::Frame,
            Holds::Archive => Content::Archive(format),
        }
    }
}

/// All forms, grouped by format, with the content of their files. The first form of a format is the usual one.
pub fn forms() -> impl Iterator<Item = (&'static Form, Content)> {
    let of_format = |format: Format| format.facts().forms.iter().map(move |form| (form, Content::of(format, form)));
    Format::ALL.into_iter().flat_map(of_format)
}

/// The ending of gzip files.
const GZIP: &str = ".gz";

impl Format {
    /// The usual extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        let forms = self.facts().forms.iter().filter(|form| form.holds == Holds::File);
        forms.filter_map(Form::extension).next().expect("every format has an extension")
    }
}

/// A name that has one of the [`forms`], optionally followed by `.gz`.
///
/// ```
/// use ndbytes::names::Name;
///
/// assert!(Name::of("train-labels-idx1-ubyte").unwrap().binds());
/// assert!(!Name::of("labels.idx").unwrap().binds()); // other programs have `.idx` files, too
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Name {
    /// The form of the name.
    pub form: &'static Form,
    /// The content of files with such a name.
    pub content: Content,
    /// True if it ends with `.gz`.
    pub is_gzip: bool,
}

impl Name {
    /// Parses a file name; `None` if it does not have any of the forms. Case is ignored.
    ///
    /// ```
    /// use ndbytes::Format;
    /// use ndbytes::names::{Content, Name};
    ///
    /// let name = Name::of("data/train-images-idx3-ubyte.gz").unwrap();
    /// assert_eq!((name.content, name.is_gzip), (Content::File(Format::Idx), true));
    /// assert!(Name::of("notes.txt").is_none());
    /// ```
    pub fn of(path: impl AsRef<Path>) -> Option<Name> {
        let name = path.as_ref().file_name()?.as_encoded_bytes();
        let (name, is_gzip) = before(name, GZIP).map_or((name, false), |stem| (stem, true));
        let dot = name.iter().rposition(|&byte| byte == b'.').filter(|&dot| dot > 0);
        let last = dot.map(|dot| &name[dot + 1..]);
        for format in Format::ALL {
            if let Some(form) = format.facts().forms.iter().find(|form| form.fits(name, last)) {
                return Some(Name { form, content: Content::of(format, form), is_gzip });
            }
        }
        None
    }

    /// Returns the number of axes that a file name states, and the index of its word for the type.
    pub(super) fn axes_of(path: &Path) -> Option<(u8, usize)> {
        let name = path.file_name()?.as_encoded_bytes();
        let name = before(name, GZIP).unwrap_or(name);
        Name::of(path)?.form.stated(name)
    }

    /// Returns whether a name has the ending of a gzip file.
    pub(crate) fn is_of_gzip(path: &Path) -> bool {
        path.file_name().is_some_and(|name| before(name.as_encoded_bytes(), GZIP).is_some_and(|stem| !stem.is_empty()))
    }

    /// Returns whether the name is reserved, which means that no other program uses such names.
    pub fn binds(&self) -> bool {
        !self.form.is_shared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_by_their_ends() {
        for (name, expected) in [
            ("x.npy", Some((Content::File(Format::Npy), false, true))),
            ("x.NPY", Some((Content::File(Format::Npy), false, true))),
            ("x.npy.gz", Some((Content::File(Format::Npy), true, true))),
            ("x.npz", Some((Content::Archive(Format::Npy), false, true))),
            ("store.b2z!embed.b2e", Some((Content::Frame, false, true))),
            ("x.idx", Some((Content::File(Format::Idx), false, false))),
            ("x.idx.gz", Some((Content::File(Format::Idx), true, false))),
            ("train-images-idx3-ubyte", Some((Content::File(Format::Idx), false, true))),
            ("train-images.idx3-ubyte.gz", Some((Content::File(Format::Idx), true, true))),
            ("qmnist-labels-idx2-int", Some((Content::File(Format::Idx), false, true))),
            ("x.ra", Some((Content::File(Format::RawArray), false, false))),
            ("npy", None),
            (".npy", None),
            (".npy.gz", None),
            ("x.gz", None),
            ("x-idx3-words", None),
            ("x-idx300-ubyte", None),
            ("idx3-ubyte", None),
            ("x", None),
            ("", None),
        ] {
            let found = Name::of(name).map(|it| (it.content, it.is_gzip, it.binds()));
            assert_eq!(found, expected, "{name:?}");
        }
    }

    #[test]
    fn extensions_are_those_of_the_first_forms() {
        assert_eq!(
            Format::ALL.map(Format::extension),
            ["idx", "ra", "idv", "b2nd", "npy", "safetensors", "gguf", "toy"]
        );
    }
}
