//! A small corpus of valid files that together have every feature.

use super::features::Features;
use super::forged::Forged;
use super::kind::Kind;
use super::seeded::Forge;
use std::collections::{BTreeMap, BTreeSet};

/// The number of candidates for the seeds.
const CANDIDATES: usize = 2_000;

/// The maximum number of seeds of a kind. Engines run all of them first.
const MOST: usize = 64;

/// A file that may become a seed.
struct Candidate {
    file: Forged,
    /// The numbers of its features.
    features: BTreeSet<usize>,
    has_payload: bool,
}

impl Forge {
    /// Selects at most 64 valid files of a kind that cover the features of thousands.
    ///
    /// Features are types, byte orders, numbers of axes, versions, codecs, filters, and fields with their codes. The file with the most new
    /// features comes first; ties prefer files with items, rows or members, then the smallest. If 64 files cannot cover all features, rare
    /// ones are left out.
    ///
    /// ```
    /// use ndbytes_forge::{Forge, Kind};
    ///
    /// let seeds = Forge::new(0).seeds(Kind::Npy);
    /// assert!(seeds.len() <= 64);
    /// assert!(ndbytes::npy::from_slice(&seeds[0].bytes)?.shape().iter().all(|&extent| extent > 0));
    /// # Ok::<(), ndbytes::Error>(())
    /// ```
    pub fn seeds(&mut self, kind: Kind) -> Vec<Forged> {
        let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
        let candidate = |file: Forged| {
            let Features { names, has_payload } = Features::of(&file.bytes);
            let number = |name: String| {
                let next = numbers.len();
                *numbers.entry(name).or_insert(next)
            };
            let features = names.into_iter().map(number).collect();
            Candidate { file, features, has_payload }
        };
        let mut left: Vec<Candidate> = (0..CANDIDATES).map(|_| self.valid(kind)).map(candidate).collect();
        let mut seeds = Vec::new();
        while let Some(best) = best(&left)
            && seeds.len() < MOST
        {
            let chosen = left.swap_remove(best);
            for candidate in &mut left {
                candidate.features.retain(|feature| !chosen.features.contains(feature));
            }
            left.retain(|candidate| !candidate.features.is_empty());
            seeds.push(chosen.file);
        }
        seeds
    }
}

/// Returns the index of the candidate that adds the most.
fn best(candidates: &[Candidate]) -> Option<usize> {
    let worth = |candidate: &Candidate| (candidate.features.len(), candidate.has_payload);
    let smaller = |one: &Candidate, other: &Candidate| {
        let [one, other] = [one, other].map(|candidate| &candidate.file.bytes);
        (other.len(), other).cmp(&(one.len(), one))
    };
    let compared = |one: &Candidate, other: &Candidate| worth(one).cmp(&worth(other)).then_with(|| smaller(one, other));
    (0..candidates.len()).max_by(|&one, &other| compared(&candidates[one], &candidates[other]))
}
