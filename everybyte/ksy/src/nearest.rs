//! Suggestions for misspelled names.

/// Returns the name that differs from a misspelled one in the fewest letters, unless it differs in many.
pub fn nearest<'n>(wrong: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    if wrong.len() > 40 {
        return None;
    }
    let names = names.filter(|name| name.len() <= 40).map(|name| (distance(wrong.as_bytes(), name.as_bytes()), name));
    let (distance, name) = names.min()?;
    (distance <= 1 + wrong.len() / 4 && distance < wrong.len()).then_some(name)
}

/// Returns the number of letters that are added, removed or replaced between two names.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.iter().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
