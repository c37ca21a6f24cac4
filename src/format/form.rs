//! The forms of file names.

/// The kind of content that files with names of a certain form have, regardless of their format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A file of the format.
    File,
    /// A Blosc2 frame that need not be an array.
    Frame,
    /// A zip archive of files of the format.
    Archive,
}

/// A form of file names, in lower case.
///
/// ```
/// use ndbytes::names::Name;
///
/// let form = Name::of("weights.npy").unwrap().form;
/// assert_eq!((form.extension(), form.globs(), form.is_shared), (Some("npy"), vec!["*.npy".to_owned()], false));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Form {
    ending: Ending,
    pub(super) holds: Holds,
    /// True if other programs also use names of this form.
    pub is_shared: bool,
}

/// The end of a name.
#[derive(Debug)]
enum Ending {
    /// The part after the last dot.
    Extension(&'static str),
    /// The ending of the names of MNIST files, such as `-idx3-ubyte` or `.idx1-int`. It ends with one of these words.
    Axes(&'static [&'static str]),
}

impl Form {
    /// An extension that only one format uses.
    pub(super) const fn own(extension: &'static str, holds: Holds) -> Self {
        Form { ending: Ending::Extension(extension), holds, is_shared: false }
    }

    /// An extension that other programs also use.
    pub(super) const fn shared(extension: &'static str, holds: Holds) -> Self {
        Form { ending: Ending::Extension(extension), holds, is_shared: true }
    }

    /// The names of MNIST files, which end with one of these words.
    pub(super) const fn axes(words: &'static [&'static str], holds: Holds) -> Self {
        Form { ending: Ending::Axes(words), holds, is_shared: false }
    }

    /// The extension; `None` if names of this form end differently.
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

    /// Returns whether a name has this form. This is called for every file that is opened by its path, so in most cases it does not
    /// copy anything.
    ///
    /// `last` is the part after the last dot; `None` if there is no dot, or nothing before it.
    pub(super) fn fits(&self, name: &[u8], last: Option<&[u8]>) -> bool {
        match self.ending {
            Ending::Extension(extension) => last.is_some_and(|last| last.eq_ignore_ascii_case(extension.as_bytes())),
            Ending::Axes(_) => self.stated(name).is_some(),
        }
    }

    /// Returns the number of axes that the name of an MNIST file states, and the index of its word for the type.
    pub(super) fn stated(&self, name: &[u8]) -> Option<(u8, usize)> {
        let Ending::Axes(words) = self.ending else { return None };
        words.iter().find(|word| before(name, word).is_some())?;
        let name = String::from_utf8_lossy(name).to_ascii_lowercase();
        let (stem, ending) = name.split_at(name.rfind("idx")?);
        let (axes, word) = ending.strip_prefix("idx")?.split_once('-')?;
        let place = words.iter().position(|known| *known == word)?;
        axes.parse().ok().filter(|_| stem.ends_with(['-', '.'])).map(|axes| (axes, place))
    }
}

/// Returns the part of a name before an ending, which is given in lower case. The case of the name is ignored.
pub(super) fn before<'n>(name: &'n [u8], ending: &str) -> Option<&'n [u8]> {
    let (rest, last) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    last.eq_ignore_ascii_case(ending.as_bytes()).then_some(rest)
}
