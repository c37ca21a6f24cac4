//! Formats as the tool sees them.

use super::limits;
use crate::definition::{Subject, imhex, kaitai};
use crate::finding::Finding;
#[cfg(feature = "forge")]
use crate::forge::{Grammar, Of};
use crate::format::{Explained, Format, check_within, explain_within};
use crate::limits::Limits;
use crate::map::{GAP, spans};
use crate::reference::Book;
use std::marker::PhantomData;

/// A format that has a tool. One that is declared with everybyte is [`Declared`]. Others are described otherwise, such as
/// by a specification that is read when the tool runs.
pub trait Described {
    /// The name of the format.
    fn name(&self) -> &str;

    /// Every byte of a file: see [`explain`](crate::explain). No bytes panic.
    fn explain(&self, file: &[u8]) -> Explained;

    /// The findings of a file, and the number of bytes that no field claims. A format that knows both without a map makes none.
    fn check(&self, file: &[u8]) -> (Vec<Finding>, u64) {
        let Explained { spaces, findings, .. } = self.explain(file);
        let gaps = spans(&spaces).into_iter().filter(|span| span.node.name() == GAP);
        let unclaimed = gaps.map(|gap| gap.node.length()).sum();
        (findings, unclaimed)
    }

    /// The field reference.
    fn book(&self) -> Book;

    /// The format as a definition in another language; `None` if it is not given in that one.
    fn definition(&self, _language: Language) -> Option<String> {
        None
    }

    /// Lines of the help about options that its tool alone has.
    fn options(&self) -> &str {
        ""
    }

    /// The grammar of its files, for the forge.
    #[cfg(feature = "forge")]
    fn grammar(&self) -> Box<dyn Grammar + '_>;
}

/// A language of definitions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Language {
    /// Kaitai Struct.
    Kaitai,
    /// ImHex patterns.
    ImHex,
}

/// A format that is declared with everybyte.
#[derive(Debug)]
pub struct Declared<F> {
    limits: Limits,
    format: PhantomData<fn() -> F>,
}

impl<F: Format> Declared<F> {
    /// The format, within its own limits.
    pub fn new() -> Self {
        Declared::within(F::limits())
    }

    /// The format, within limits of the caller.
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
        // A gap is a finding.
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
