//! The kinds of files that are forged: one line a kind.

use super::craft::Craft;
use super::{b2nd, gzip, idv, idx, npy, rawarray, zip};
use ndbytes::{Format, Rule, detect, is_gzip};
use ndbytes_schemas::zip::LocalHeader;
use std::fmt;

/// Declares the kinds: one line a kind, whose craft stands in the module of its name.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $module:ident,)+) => {
        /// A kind of file that the forge makes: the formats, and their containers (gzip, zip).
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: [Kind; [$(stringify!($kind)),+].len()] = [$(Kind::$kind),+];

            /// The craft of the kind.
            pub(crate) fn craft(self) -> &'static Craft {
                match self {
                    $(Kind::$kind => &$module::CRAFT,)+
                }
            }
        }
    };
}

kinds! {
    /// IDX.
    Idx = idx,
    /// RawArray.
    RawArray = rawarray,
    /// IDV, ML.NET's tables.
    Idv = idv,
    /// b2nd, Blosc2's arrays.
    B2nd = b2nd,
    /// NumPy's `.npy`.
    Npy = npy,
    /// Files of any format in gzip.
    Gzip = gzip,
    /// Zip archives of files.
    Zip = zip,
}

impl Kind {
    /// The kind of a file by its first bytes; `None` if it is of none.
    pub fn of(file: &[u8]) -> Option<Self> {
        if is_gzip(file) {
            return Some(Kind::Gzip);
        }
        if file.starts_with(&LocalHeader::MAGIC[..2]) {
            return Some(Kind::Zip);
        }
        Kind::of_format(detect(file, file.len() as u64)?)
    }

    /// The kind of the files of a format; `None` if the forge does not make them.
    pub fn of_format(format: Format) -> Option<Self> {
        Kind::named(format.name())
    }

    /// The kind of file that a rule is about; `None` of a rule about files of any format.
    pub fn of_rule(rule: &Rule) -> Option<Self> {
        Kind::named(rule.id.split('/').next()?)
    }

    /// Its name, with which the ids of its rules begin.
    pub fn name(self) -> &'static str {
        self.craft().name
    }

    /// The kind of this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The usual end of the names of its files, without the dot.
    pub fn extension(self) -> &'static str {
        self.craft().extension()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
