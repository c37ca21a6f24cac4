//! Suggests names that the user may have meant instead of an unknown one.

/// The maximum length of a name to compare, in bytes.
const LONGEST: usize = 200;

/// The maximum number of names to compare.
const MOST: usize = 10_000;

/// Returns the closest known name, if it is close enough.
pub fn nearest(name: &str, known: impl IntoIterator<Item = String>) -> Option<String> {
    let small = name.to_lowercase();
    let known = known.into_iter().take(MOST).filter(|known| known.len() <= LONGEST);
    nearest_by(name, known, |known| strsim::osa_distance(&small, &known.to_lowercase()))
}

/// Returns the known name closest to a name, if the distance is at most half of the name's length. Names of more than
/// 200 bytes are not compared, to limit the time.
pub fn nearest_by<T>(name: &str, known: impl IntoIterator<Item = T>, distance: impl Fn(&T) -> usize) -> Option<T> {
    if name.len() > LONGEST {
        return None;
    }
    known.into_iter().min_by_key(&distance).filter(|known| distance(known) <= name.chars().count() / 2)
}
