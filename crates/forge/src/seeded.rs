//! The entry point: a seeded generator of valid files, broken files and mutants.
//!
//! All randomness comes from [`Choices`], which derive from the seed. There is no other source: no clock, no addresses,
//! no hash map order. So a seed in a bug report is enough to reproduce the file.

use super::forged::Forged;
use super::forged_file::ForgedFile;
use super::kind::Kind;
use super::origin::Origin;
use super::recipe::Recipe;
use super::register::grammar;
use super::verdict::Judged;
use everybyte::forge::{Choices, Grammar, Session};
use ndbytes::Profile;
use std::collections::BTreeMap;

/// The default for the approximate maximum size of a valid file, in bytes.
const SIZE: usize = 4096;

/// The maximum number of valid files to try until the profile accepts one.
const TRIES: u32 = 1_000;

/// Generates files. The same seed and the same calls in the same order produce the same bytes on every machine.
///
/// ```
/// use ndbytes_forge::{Forge, Kind};
///
/// let mut forge = Forge::new(7);
/// let file = forge.valid(Kind::Idx);
/// assert!(ndbytes::Checker::new().check_slice(&file.bytes)?.findings().is_empty());
/// # Ok::<(), ndbytes::Error>(())
/// ```
pub struct Forge {
    pub(super) choices: Choices<'static>,
    pub(super) size: usize,
    pub(super) kind: Option<Kind>,
    /// The grammar of all files to mutate; `None` to use the grammar of each file's kind.
    grammar: Option<&'static (dyn Grammar + Sync)>,
    pub(super) profile: Profile,
    /// The grammars in use, each of which keeps the map of its last file.
    sessions: BTreeMap<Option<Kind>, Session<'static, dyn Grammar + Sync>>,
}

impl Forge {
    /// A forge whose choices derive from a seed.
    pub fn new(seed: u64) -> Self {
        Forge {
            choices: Choices::seeded(seed),
            size: SIZE,
            kind: None,
            grammar: None,
            profile: Profile::Strict,
            sessions: BTreeMap::new(),
        }
    }

    /// Sets the approximate maximum size in bytes of a valid file. The default is 4,096.
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        Forge { size, ..self }
    }

    /// Restarts with another seed. The analysis of the last file is kept.
    pub fn reseed(&mut self, seed: u64) {
        self.choices = Choices::seeded(seed);
    }

    /// Treats every file to mutate as a file of this kind. By default, the content decides.
    #[must_use]
    pub fn of_kind(self, kind: Kind) -> Self {
        Forge { kind: Some(kind), ..self }
    }

    /// Mutates every file with another grammar, such as the grammar of a custom format or of a specification. Recipes
    /// then name no kind.
    #[must_use]
    pub fn of_grammar(self, grammar: &'static (dyn Grammar + Sync)) -> Self {
        Forge { grammar: Some(grammar), ..self }
    }

    /// Makes valid files that this profile also accepts. With [`Profile::Reference`], the format's reference reader
    /// accepts them. By default, valid files break no rule in profile strict.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Forge { profile, ..self }
    }

    /// Returns whether files are mutated with a custom grammar instead of the grammars of the kinds.
    pub(super) fn has_grammar(&self) -> bool {
        self.grammar.is_some()
    }

    /// Returns the active grammar of a kind, and the choices.
    pub(super) fn session(
        &mut self,
        kind: Option<Kind>,
    ) -> (&mut Session<'static, dyn Grammar + Sync>, &mut Choices<'static>) {
        let session = || Session::new(self.grammar.unwrap_or_else(|| grammar(kind)));
        (self.sessions.entry(kind).or_insert_with(session), &mut self.choices)
    }

    /// A complete valid file, which breaks no rule in profile strict, or in the profile set with [`Forge::profile`].
    /// Most files of each kind satisfy both profiles.
    pub fn valid(&mut self, kind: Kind) -> Forged {
        let mut tries = TRIES;
        loop {
            let seed = self.choices.any();
            let whole = (kind.driver().valid)(&mut Choices::seeded(seed), self.size);
            tries -= 1;
            if tries == 0 || self.suits(&whole) {
                return Forged::new(whole, begun(Some(kind), Origin::Valid { size: self.size, seed }));
            }
        }
    }

    /// Returns whether the profile accepts a file that profile strict accepts.
    fn suits(&self, whole: &ForgedFile) -> bool {
        self.profile == Profile::Strict
            || Judged { bytes: &whole.bytes, others: &whole.others, memory: None }.is_accepted(self.profile)
    }

    /// A complete valid file whose choices come from the bytes of a fuzzer. Any bytes produce one.
    ///
    /// ```
    /// use ndbytes_forge::{Forge, Kind};
    ///
    /// let forge = Forge::new(0);
    /// let file = forge.valid_from(Kind::Idx, b"any bytes of a fuzzer");
    /// assert!(ndbytes::Checker::new().check_slice(&file.bytes)?.findings().is_empty());
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    pub fn valid_from(&self, kind: Kind, bytes: &[u8]) -> Forged {
        let whole = (kind.driver().valid)(&mut Choices::of_bytes(bytes), self.size);
        Forged::new(whole, begun(Some(kind), Origin::Choices { size: self.size, bytes: bytes.to_vec() }))
    }
}

/// Returns a recipe without steps.
pub(super) fn begun(kind: Option<Kind>, origin: Origin) -> Recipe {
    Recipe { kind, origin, steps: Default::default(), expected: None, memory: None }
}
