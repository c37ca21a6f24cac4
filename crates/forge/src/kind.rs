//! The register of the kinds of files that can be forged.

use super::kind_driver::KindDriver;
use super::{b2nd, gguf, gzip, idv, idx, npy, rawarray, safetensors, zip};
use ndbytes::{Format, Rule, detect, is_gzip};
use ndbytes_schemas::zip::LocalHeader;
use std::fmt;

/// Declares the kinds: one line per kind, with its driver in the module of the same name.
macro_rules! kinds {
    ($($(#[$doc:meta])* $kind:ident = $module:ident,)+) => {
        /// A kind of file that the forge makes: a format, or a container of files (gzip, zip).
        ///
        /// ```
        /// use ndbytes_forge::Kind;
        ///
        /// assert_eq!(Kind::of(b"\x93NUMPY\x01\0"), Some(Kind::Npy));
        /// assert_eq!(Kind::named("rawarray").map(Kind::extension), Some("ra"));
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Kind {
            $($(#[$doc])* $kind,)+
        }

        impl Kind {
            /// Every kind.
            pub const ALL: [Kind; [$(stringify!($kind)),+].len()] = [$(Kind::$kind),+];

            /// Returns the driver of the kind.
            pub(crate) fn driver(self) -> &'static KindDriver {
                match self {
                    $(Kind::$kind => &$module::DRIVER,)+
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
    /// safetensors.
    Safetensors = safetensors,
    /// GGUF.
    Gguf = gguf,
    /// gzip-compressed files of any format.
    Gzip = gzip,
    /// Zip archives of files.
    Zip = zip,
}

impl Kind {
    /// The kind of a file, detected by its first bytes; `None` if it is unknown.
    pub fn of(file: &[u8]) -> Option<Self> {
        if is_gzip(file) {
            return Some(Kind::Gzip);
        }
        if file.starts_with(&LocalHeader::MAGIC[..2]) {
            return Some(Kind::Zip);
        }
        Kind::of_format(detect(file, file.len() as u64)?)
    }

    /// The kind of the files of a format; `None` if the forge does not support it.
    pub fn of_format(format: Format) -> Option<Self> {
        Kind::named(format.name())
    }

    /// The kind of file that a rule is about; `None` for a rule about files of any format.
    pub fn of_rule(rule: &Rule) -> Option<Self> {
        Kind::named(rule.id.split('/').next()?)
    }

    /// The name, which also begins the ids of its rules.
    pub fn name(self) -> &'static str {
        self.driver().name
    }

    /// The kind with this name; `None` if there is none.
    pub fn named(name: &str) -> Option<Self> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The usual file extension, without the dot.
    pub fn extension(self) -> &'static str {
        self.driver().extension()
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
