//! The entrance: valid files, files that break one rule, and mutants.

use super::forged::Forged;
use super::kind::Kind;
use super::origin::Origin;
use super::recipe::Recipe;
use super::register::grammar;
use super::verdict::Judged;
use super::whole::Whole;
use everybyte::forge::{Choices, Grammar, Session};
use ndbytes::Profile;
use std::collections::BTreeMap;

/// The approximate maximum size in bytes of a valid file, unless more are requested.
const SIZE: usize = 4096;

/// The number of valid files of which one has to suit the profile: a bound, and no more.
const TRIES: u32 = 1_000;

/// Makes files. The same seed, and the same requests in the same order, give the same bytes on every machine.
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
    /// The grammar of every file that is mutated; `None` for those of the kinds.
    grammar: Option<&'static (dyn Grammar + Sync)>,
    pub(super) profile: Profile,
    /// The grammars at work: each keeps the map of its last file.
    sessions: BTreeMap<Option<Kind>, Session<'static, dyn Grammar + Sync>>,
}

impl Forge {
    /// A forge whose choices follow from a seed.
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

    /// Sets the approximate maximum size in bytes of a valid file. Without it, that is 4,096.
    #[must_use]
    pub fn size(self, size: usize) -> Self {
        Forge { size, ..self }
    }

    /// Begins again with another seed. What is known of the last file is kept.
    pub fn reseed(&mut self, seed: u64) {
        self.choices = Choices::seeded(seed);
    }

    /// Takes every file that is mutated for one of this kind. Without it, the content decides.
    #[must_use]
    pub fn of_kind(self, kind: Kind) -> Self {
        Forge { kind: Some(kind), ..self }
    }

    /// Mutates every file along another grammar: of a format of one's own, or of a specification. Recipes then name no kind.
    #[must_use]
    pub fn of_grammar(self, grammar: &'static (dyn Grammar + Sync)) -> Self {
        Forge { grammar: Some(grammar), ..self }
    }

    /// Makes valid files that this profile accepts, too: with [`Profile::Reference`], those that the format's reference reader
    /// takes. Without it, valid files break no rule in profile strict.
    #[must_use]
    pub fn profile(self, profile: Profile) -> Self {
        Forge { profile, ..self }
    }

    /// Returns whether files are mutated along another grammar than those of the kinds.
    pub(super) fn has_grammar(&self) -> bool {
        self.grammar.is_some()
    }

    /// The grammar of a kind at work, and the choices.
    pub(super) fn session(
        &mut self,
        kind: Option<Kind>,
    ) -> (&mut Session<'static, dyn Grammar + Sync>, &mut Choices<'static>) {
        let session = || Session::new(self.grammar.unwrap_or_else(|| grammar(kind)));
        (self.sessions.entry(kind).or_insert_with(session), &mut self.choices)
    }

    /// A whole valid file: it breaks no rule in profile strict, nor in that of [`Forge::profile`]. Most files of each kind suit
    /// both profiles.
    pub fn valid(&mut self, kind: Kind) -> Forged {
        let mut tries = TRIES;
        loop {
            let seed = self.choices.any();
            let whole = (kind.craft().valid)(&mut Choices::seeded(seed), self.size);
            tries -= 1;
            if tries == 0 || self.suits(&whole) {
                return Forged::new(whole, begun(Some(kind), Origin::Valid { size: self.size, seed }));
            }
        }
    }

    /// Returns whether the profile accepts a file that profile strict accepts.
    fn suits(&self, whole: &Whole) -> bool {
        self.profile == Profile::Strict
            || Judged { bytes: &whole.bytes, others: &whole.others, memory: None }.is_accepted(self.profile)
    }

    /// A whole valid file whose choices are the bytes of a fuzzer. Any bytes give one.
    pub fn valid_from(&self, kind: Kind, bytes: &[u8]) -> Forged {
        let whole = (kind.craft().valid)(&mut Choices::of_bytes(bytes), self.size);
        Forged::new(whole, begun(Some(kind), Origin::Choices { size: self.size, bytes: bytes.to_vec() }))
    }
}

/// A recipe without steps.
pub(super) fn begun(kind: Option<Kind>, origin: Origin) -> Recipe {
    Recipe { kind, origin, steps: Default::default(), expected: None, memory: None }
}
