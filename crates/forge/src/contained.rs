//! The files that containers hold: those of each format.

use super::craft::Craft;
use super::whole::Whole;
use super::{b2nd, idv, idx, npy, rawarray};
use everybyte::forge::Choices;
use ndbytes::detect;

/// The crafts of the formats whose files are in containers.
const CRAFTS: [&Craft; 5] = [&idx::CRAFT, &rawarray::CRAFT, &idv::CRAFT, &b2nd::CRAFT, &npy::CRAFT];

/// The maximum number of tries for a file that is no folder.
const TRIES: usize = 16;

/// The craft of content, by its first bytes.
pub fn craft_of(content: &[u8]) -> Option<&'static Craft> {
    let format = detect(content, content.len() as u64)?;
    CRAFTS.into_iter().find(|craft| craft.name == format.name())
}

/// A valid file of a format by chance, and the usual extension of its name.
pub fn any(choices: &mut Choices<'_>, size: usize) -> (&'static str, Whole) {
    let craft = *choices.pick(&CRAFTS);
    // Containers hold files, and few valid b2nd arrays are folders.
    let file = (0..TRIES).map(|_| (craft.valid)(choices, size)).find(|whole| whole.others.is_empty());
    match file {
        Some(whole) => (craft.extension(), whole),
        None => (npy::CRAFT.extension(), (npy::CRAFT.valid)(choices, size)),
    }
}
