//! The forms of the names of files.

/// The content of the files of a form of names, whatever their format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A file of the format.
    File,
    /// A Blosc2 frame that need not be an array.
    Frame,
    /// A zip archive of files of the format.
    Archive,
}

/// A form of names, in small letters.
#[derive(Debug)]
#[non_exhaustive]
pub struct Form {
    ending: Ending,
    pub(super) holds: Holds,
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

impl Form {
    /// An extension of one format alone.
    pub(super) const fn own(extension: &'static str, holds: Holds) -> Self {
        Form { ending: Ending::Extension(extension), holds, is_shared: false }
    }

    /// An extension that other programs use, too.
    pub(super) const fn shared(extension: &'static str, holds: Holds) -> Self {
        Form { ending: Ending::Extension(extension), holds, is_shared: true }
    }

    /// The names of MNIST's files: one of these words stands last.
    pub(super) const fn axes(words: &'static [&'static str], holds: Holds) -> Self {
        Form { ending: Ending::Axes(words), holds, is_shared: false }
    }

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
    ///
    /// `last` is the part after the last dot; `None` if there is no dot, or nothing before it.
    pub(super) fn fits(&self, name: &[u8], last: Option<&[u8]>) -> bool {
        match self.ending {
            Ending::Extension(extension) => last.is_some_and(|last| last.eq_ignore_ascii_case(extension.as_bytes())),
            Ending::Axes(_) => self.stated(name).is_some(),
        }
    }

    /// The number of axes and the place of the word for the type, as a name of MNIST's files states them.
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

/// The part of a name before an ending in small letters, whose capital letters make no difference.
pub(super) fn before<'n>(name: &'n [u8], ending: &str) -> Option<&'n [u8]> {
    let (rest, last) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    last.eq_ignore_ascii_case(ending.as_bytes()).then_some(rest)
}
