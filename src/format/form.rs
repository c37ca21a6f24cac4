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
pub(super) fn before<'n>(name: &'n [u8], ending: &str) -> Option<&'n [u8]> {
    let (rest, last) = name.split_at_checked(name.len().checked_sub(ending.len())?)?;
    last.eq_ignore_ascii_case(ending.as_bytes()).then_some(rest)
}
