//! Computes the sizes of structures and choices from the sizes of their fields.

/// The sum of sizes; `None` if one of them is unknown.
pub const fn sum(sizes: &[Option<u64>]) -> Option<u64> {
    let mut total = 0;
    let mut at = 0;
    while at < sizes.len() {
        match sizes[at] {
            Some(size) => total += size,
            None => return None,
        }
        at += 1;
    }
    Some(total)
}

/// The smallest of some sizes.
pub const fn least(sizes: &[u64]) -> u64 {
    let mut least = u64::MAX;
    let mut at = 0;
    while at < sizes.len() {
        if sizes[at] < least {
            least = sizes[at];
        }
        at += 1;
    }
    least
}

/// The common size; `None` if the sizes differ.
pub const fn same(sizes: &[Option<u64>]) -> Option<u64> {
    let mut at = 0;
    while at < sizes.len() {
        match (sizes[at], sizes[0]) {
            (Some(size), Some(first)) if size == first => at += 1,
            _ => return None,
        }
    }
    if sizes.is_empty() { Some(0) } else { sizes[0] }
}
