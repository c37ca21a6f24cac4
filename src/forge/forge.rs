//! The entrance: valid files, and files that break one rule.

use super::kind::Kind;
use super::origin::Origin;
use super::register::craft;
use super::whole::{Content, Whole};
use everybyte::forge::Choices;

/// About the most bytes of a valid file, unless more are asked for.
const SIZE: usize = 4096;

/// Makes files. The same seed, and the same requests in the same order, give the same bytes on every machine.
///
/// ```
/// use ndbytes::forge::{Forge, Kind};
///
/// let mut forge = Forge::new(7);
/// let file = forge.valid(Kind::Idx);
/// assert!(ndbytes::Checker::new().check_slice(&file.bytes)?.findings().is_empty());
/// # Ok::<(), ndbytes::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Forge {
    choices: Choices<'static>,
    size: usize,
}

/// A file that was made.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Forged {
    /// Its kind.
    pub kind: Kind,
    /// Its bytes; of a folder, those of its first file.
    pub bytes: Vec<u8>,
    /// The other files of a folder: their names, and their bytes. Empty of a file.
    pub others: Vec<(String, Vec<u8>)>,
    /// What a reader has to find in it.
    pub content: Content,
}

impl Forge {
    /// A forge whose choices follow from a seed.
    pub fn new(seed: u64) -> Self {
        Forge { choices: Choices::seeded(seed), size: SIZE }
    }

    /// Sets about the most bytes of a valid file. Without it, that is 4,096.
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        Forge { size, ..self }
    }

    /// A whole valid file: it breaks no rule in profile strict.
    pub fn valid(&mut self, kind: Kind) -> Forged {
        let origin = Origin::Valid { size: self.size, seed: self.choices.any() };
        let whole = origin.make(kind).expect("every seed leads to a valid file");
        Forged::of(kind, whole)
    }

    /// A whole valid file whose choices are the bytes of a fuzzer. Any bytes give one.
    pub fn valid_from(&self, kind: Kind, bytes: &[u8]) -> Forged {
        Forged::of(kind, craft(kind).valid(&mut Choices::of_bytes(bytes), self.size))
    }
}

impl Forged {
    fn of(kind: Kind, whole: Whole) -> Self {
        Forged { kind, bytes: whole.bytes, others: whole.others, content: whole.content }
    }
}
