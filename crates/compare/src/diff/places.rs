//! The positions of items in an array.

/// The index on each axis of the item with this number in C order.
///
/// ```
/// use ndbytes_compare::diff::coordinates;
///
/// assert_eq!(coordinates(&[4, 6], 13), [2, 1]); // 2 · 6 + 1
/// ```
pub fn coordinates(shape: &[u64], index: u64) -> Vec<u64> {
    let mut left = index;
    let mut coordinates: Vec<u64> = shape
        .iter()
        .rev()
        .map(|&extent| {
            let coordinate = left % extent.max(1);
            left /= extent.max(1);
            coordinate
        })
        .collect();
    coordinates.reverse();
    coordinates
}
