//! The files that containers hold: those of each format.

use super::craft::Craft;
use super::whole::Whole;
use super::{b2nd, idv, idx, npy, rawarray};
use everybyte::forge::Choices;
use ndbytes::{Format, detect};

/// The formats whose files are in containers.
const CRAFTS: [&Craft; 5] = [&idx::CRAFT, &rawarray::CRAFT, &idv::CRAFT, &b2nd::CRAFT, &npy::CRAFT];

/// The maximum number of tries for a file that is no folder.
const TRIES: usize = 16;

/// The craft of a format; `None` if its files are in no container.
pub fn craft(format: Format) -> Option<&'static Craft> {
    CRAFTS.into_iter().find(|craft| craft.name == format.name())
}

/// The craft of content, by its first bytes.
pub fn craft_of(content: &[u8]) -> Option<&'static Craft> {
    detect(content, content.len() as u64).and_then(craft)
}

/// A valid file of a format by chance, and the usual extension of its name.
pub fn any(choices: &mut Choices<'_>, size: usize) -> (&'static str, Whole) {
    let format = *choices.pick(&Format::ALL);
    (format.extension(), of_format(format, choices, size))
}

/// A valid file of a format.
pub fn of_format(format: Format, choices: &mut Choices<'_>, size: usize) -> Whole {
    let craft = craft(format).unwrap_or(&npy::CRAFT);
    // Containers hold files, and few valid b2nd arrays are folders.
    (0..TRIES)
        .map(|_| (craft.valid)(choices, size))
        .find(|whole| whole.others.is_empty())
        .unwrap_or_else(|| (npy::CRAFT.valid)(choices, size))
}
