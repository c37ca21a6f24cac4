//! Names that are not known, and those that may have been meant.

/// The longest name that others are compared with, in bytes.
const LONGEST: usize = 200;

/// The maximum number of names that are compared.
const MOST: usize = 10_000;

/// The known name that is nearest to this one, if it is near at all.
pub fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let small = name.to_lowercase();
    let known = known.into_iter().take(MOST).filter(|known| known.len() <= LONGEST);
    nearest_by(name, known, |known| strsim::osa_distance(&small, &known.to_lowercase()))
}

/// The one of these with the least distance from a name, if that is at most half of the name's letters. No distance is
/// measured from a name of more than 200 bytes: its time is bounded.
pub fn nearest_by<T>(name: &str, known: impl IntoIterator<Item = T>, distance: impl Fn(&T) -> usize) -> Option<T> {
    if name.len() > LONGEST {
        return None;
    }
    known.into_iter().min_by_key(&distance).filter(|known| distance(known) <= name.chars().count() / 2)
}
