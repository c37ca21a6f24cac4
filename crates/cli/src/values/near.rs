//! Names that are not known, and those that may have been meant.

/// The longest name that others are compared with, in bytes.
const LONGEST: usize = 200;

/// The most names that are compared.
const MOST: usize = 10_000;

/// The known name that is nearest to this one, if it is near at all.
pub fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    if name.len() > LONGEST {
        return None;
    }
    let small = name.to_lowercase();
    let distance = |known: &String| strsim::osa_distance(&small, &known.to_lowercase());
    let known = known.into_iter().take(MOST).filter(|known| known.len() <= LONGEST);
    known.min_by_key(distance).filter(|known| distance(known) <= name.chars().count() / 2)
}
