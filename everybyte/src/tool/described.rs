//! Formats as the tool sees them.

use super::limits;
use crate::definition::{Subject, imhex, kaitai};
use crate::finding::Finding;
#[cfg(feature = "forge")]
use crate::forge::{Grammar, Of};
use crate::format::{Explained, Format, check_within, explain_within};
use crate::limits::Limits;
use crate::map::unclaimed;
use crate::reference::Book;
use std::marker::PhantomData;

/// A format that a tool supports. A format declared with everybyte is [`Declared`]. Others are described differently,
/// for example by a specification that is loaded at run time.
///
/// ```
/// use everybyte::tool::{Declared, Described, Outcome, run_for};
/// use everybyte::{Format, layout};
///
/// #[layout]
/// struct Pair {
///     a: u8,
///     b: u8,
/// }
///
/// impl Format for Pair {
///     const NAME: &'static str = "pair";
/// }
///
/// let pair: &dyn Described = &Declared::<Pair>::new();
/// let (findings, unclaimed) = pair.check(&[1]);
/// assert_eq!((findings[0].path.as_str(), unclaimed), ("b", 0));
///
/// let (mut out, mut err) = (Vec::<u8>::new(), Vec::<u8>::new());
/// assert_eq!(run_for(pair, &["schema".into()], &mut out, &mut err)?, Outcome::Clean);
/// assert!(String::from_utf8_lossy(&out).contains("Pair"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub trait Described {
    /// The name of the format.
    fn name(&self) -> &str;

    /// Maps every byte of a file: see [`explain`](crate::explain). Never panics, whatever the file contains.
    fn explain(&self, file: &[u8]) -> Explained;

    /// The findings of a file and the number of bytes that no field claims. Formats that can compute both without a map do so.
    fn check(&self, file: &[u8]) -> (Vec<Finding>, u64) {
        let Explained { spaces, findings, .. } = self.explain(file);
        (findings, unclaimed(&spaces))
    }

    /// The field reference.
    fn book(&self) -> Book;

    /// The format as a definition in another language; `None` if that language is not supported.
    fn definition(&self, _language: Language) -> Option<String> {
        None
    }

    /// The help for options that only this tool has.
    fn options(&self) -> &str {
        ""
    }

    /// The grammar of its files, for the forge.
    #[cfg(feature = "forge")]
    fn grammar(&self) -> Box<dyn Grammar + '_>;
}

/// A language of definitions.
///
/// ```
/// use everybyte::tool::{Declared, Described, Language};
/// # use everybyte::{Format, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let definition = Declared::<Pair>::new().definition(Language::Kaitai).unwrap();
/// assert!(definition.contains("id: pair"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Kaitai Struct.
    Kaitai,
    /// ImHex patterns.
    ImHex,
}

/// A format that is declared with everybyte.
///
/// ```
/// use everybyte::Limits;
/// use everybyte::tool::{Declared, Described};
/// # use everybyte::{Format, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let pair = Declared::<Pair>::within(Limits::default().depth(8));
/// assert_eq!(pair.name(), "pair");
/// assert!(pair.explain(&[1, 2]).findings.is_empty());
/// ```
#[derive(Debug)]
pub struct Declared<F> {
    limits: Limits,
    format: PhantomData<fn() -> F>,
}

impl<F: Format> Declared<F> {
    /// Creates the format with its own limits.
    pub fn new() -> Self {
        Declared::within(F::limits())
    }

    /// Creates the format with limits chosen by the caller.
    pub fn within(limits: Limits) -> Self {
        Declared { limits, format: PhantomData }
    }
}

impl<F: Format> Default for Declared<F> {
    fn default() -> Self {
        Declared::new()
    }
}

impl<F: Format> Described for Declared<F> {
    fn name(&self) -> &str {
        F::NAME
    }

    fn explain(&self, file: &[u8]) -> Explained {
        explain_within::<F>(file, self.limits)
    }

    fn check(&self, file: &[u8]) -> (Vec<Finding>, u64) {
        // Unclaimed bytes are already reported as findings.
        (check_within::<F>(file, self.limits), 0)
    }

    fn book(&self) -> Book {
        F::book()
    }

    fn definition(&self, language: Language) -> Option<String> {
        let (name, books) = (F::NAME.to_lowercase(), [F::book()]);
        let subject = Subject::new(&name, F::NAME, &books);
        let subject = Subject { license: F::LICENSE, byte_order: F::BYTE_ORDER, ..subject };
        Some(match language {
            Language::Kaitai => kaitai(subject),
            Language::ImHex => imhex(subject),
        })
    }

    fn options(&self) -> &str {
        limits::HELP
    }

    #[cfg(feature = "forge")]
    fn grammar(&self) -> Box<dyn Grammar + '_> {
        Box::new(Of::<F>::new())
    }
}
