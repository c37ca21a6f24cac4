//! The names of files: the one list of their forms, each with the content of such files.
//!
//! The content of a file says what it is. Its name binds where no other program has files of such a name.

use super::Format;
use std::path::Path;

/// The content of the files of a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// A file of a format.
    File(Format),
    /// A Blosc2 frame that need not be an array: python-blosc2 gives such names to the files of its stores.
    Frame,
    /// A zip archive of files of a format.
    Archive(Format),
}

/// A form of names, in small letters.
#[derive(Debug)]
#[non_exhaustive]
pub struct Form {
    ending: Ending,
    /// The content of files of this form.
    pub content: Content,
    /// True if other programs have files of this form, too.
    pub is_shared: bool,
}

/// The end of a name.
#[derive(Debug)]
enum Ending {
    /// The part after the last dot.
    Extension(&'static str),
    /// The end of the names of MNIST's files, such as `-idx3-ubyte` or `.idx1-int`: one of these words stands last.
    Axes(&'static [&'static str]),
}

/// Every form. The first one of a format is the usual one.
pub static FORMS: &[Form] = &[
    shared("idx", Content::File(Format::Idx)),
    Form {
        ending: Ending::Axes(&["ubyte", "byte", "short", "int", "float", "double"]),
        content: Content::File(Format::Idx),
        is_shared: false,
    },
    shared("ra", Content::File(Format::RawArray)),
    shared("idv", Content::File(Format::Idv)),
    own("b2nd", Content::File(Format::B2nd)),
    own("b2frame", Content::File(Format::B2nd)),
    own("b2f", Content::Frame),
    own("b2b", Content::Frame),
    own("b2e", Content::Frame),
    own("b2z", Content::Archive(Format::B2nd)),
    own("npy", Content::File(Format::Npy)),
    own("npz", Content::Archive(Format::Npy)),
];

/// An extension of one format alone.
const fn own(extension: &'static str, content: Content) -> Form {
    Form { ending: Ending::Extension(extension), content, is_shared: false }
}

/// An extension that other programs use, too.
const fn shared(extension: &'static str, content: Content) -> Form {
    Form { ending: Ending::Extension(extension), content, is_shared: true }
}

/// The ending of what is compressed with gzip.
const GZIP: &str = ".gz";

impl Form {
    /// The extension; `None` if names of this form have another ending.
    pub fn extension(&self) -> Option<&'static str> {
        match self.ending {
            Ending::Extension(extension) => Some(extension),
            Ending::Axes(_) => None,
        }
    }

    /// Patterns for names of this form, such as `*.npy`, in the syntax of .gitattributes.
    pub fn globs(&self) -> Vec<String> {
        match self.ending {
            Ending::Extension(extension) => vec![format!("*.{extension}")],
            Ending::Axes(words) => words.iter().map(|word| format!("*[-.]idx[0-9]*-{word}")).collect(),
        }
    }

    /// Returns whether a name has this form. Every file that is opened by its path is asked, so that nothing is copied for most.
    fn fits(&self, name: &[u8]) -> bool {
        match self.ending {
            Ending::Extension(extension) => {
                let stem = before(name, extension).and_then(|rest| rest.strip_suffix(b"."));
                stem.is_some_and(|stem| !stem.is_empty())
            }
            Ending::Axes(words) => {
                if words.iter().all(|word| before(name, word).is_none()) {
                    return false;
                }
                let name = String::from_utf8_lossy(name).to_ascii_lowercase();
                let ending = name.rfind("idx").map(|at| name.split_at(at));
                let parts =
                    ending.and_then(|(stem, ending)| Some((stem, ending.strip_prefix("idx")?.split_once('-')?)));
                parts.is_some_and(|(stem, (axes, word))| {
                    stem.ends_with(['-', '.']) && axes.parse::<u8>().is_ok() && words.contains(&word)
                })
            }
        }
    }
}

/// The part of a name before an ending in small letters, whose capital letters make no difference.
fn before<'n>(name: &'n [u8], ending: &str) -> Option<&'n [u8]> {
    let (rest, last) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    last.eq_ignore_ascii_case(ending.as_bytes()).then_some(rest)
}

impl Format {
    /// The usual extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        let forms = FORMS.iter().filter(|form| form.content == Content::File(self));
        forms.filter_map(Form::extension).next().expect("every format has an extension")
    }
}

/// A name of one of the [`FORMS`], as it is or with `.gz` after it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Name {
    /// The form that it has.
    pub form: &'static Form,
    /// True if it ends with `.gz`.
    pub is_gzip: bool,
}

impl Name {
    /// The form of the name of a file; `None` if it has none of the list. Capital letters make no difference.
    ///
    /// ```
    /// use ndbytes::Format;
    /// use ndbytes::names::{Content, Name};
    ///
    /// let name = Name::of("data/train-images-idx3-ubyte.gz").unwrap();
    /// assert_eq!((name.form.content, name.is_gzip), (Content::File(Format::Idx), true));
    /// assert!(Name::of("notes.txt").is_none());
    /// ```
    pub fn of(path: impl AsRef<Path>) -> Option<Name> {
        let name = path.as_ref().file_name()?.as_encoded_bytes();
        let (name, is_gzip) = before(name, GZIP).map_or((name, false), |stem| (stem, true));
        let form = FORMS.iter().find(|form| form.fits(name))?;
        Some(Name { form, is_gzip })
    }

    /// Returns whether no other program has files of such a name.
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
            let found = Name::of(name).map(|it| (it.form.content, it.is_gzip, it.binds()));
            assert_eq!(found, expected, "{name:?}");
        }
    }

    #[test]
    fn extensions_are_those_of_the_first_forms() {
        assert_eq!(Format::ALL.map(Format::extension), ["idx", "ra", "idv", "b2nd", "npy"]);
    }
}
