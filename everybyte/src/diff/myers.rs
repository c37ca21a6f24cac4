//! The longest common subsequence of two lists.
//!
//! Myers' algorithm takes time in proportion to the length times the number of edits, and memory in proportion to the
//! square of the edits. Lists with more than [`MOST_EDITS`] edits have little in common, so only their equal ends are
//! paired.

/// The maximum number of edits to search for.
const MOST_EDITS: usize = 1000;

/// The positions of equal elements in two lists, in order. Myers' algorithm finds them if the lists differ by at most 1,000
/// edits. Otherwise, only a common beginning and end are found. Swapping lists of different lengths swaps the pairs.
pub fn common(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    if a.len() > b.len() {
        return common(b, a).into_iter().map(|(b, a)| (a, b)).collect();
    }
    let start = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let end = a[start..].iter().rev().zip(b[start..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (middle_a, middle_b) = (&a[start..a.len() - end], &b[start..b.len() - end]);
    let mut places: Vec<(usize, usize)> = (0..start).map(|place| (place, place)).collect();
    places.extend(middle(middle_a, middle_b).into_iter().map(|(a, b)| (start + a, start + b)));
    places.extend((0..end).rev().map(|place| (a.len() - 1 - place, b.len() - 1 - place)));
    places
}

/// Like `common`, but for lists that begin and end differently.
fn middle(a: &[u64], b: &[u64]) -> Vec<(usize, usize)> {
    let (length_a, length_b) = (a.len() as isize, b.len() as isize);
    let most = (a.len() + b.len()).min(MOST_EDITS) as isize;
    // The furthest positions reached on each diagonal, before each number of edits.
    let mut trace: Vec<Vec<isize>> = Vec::new();
    let mut furthest = vec![0_isize; 2 * most as usize + 3];
    let at = |diagonal: isize| (diagonal + most + 1) as usize;
    for edits in 0..=most {
        trace.push(furthest[at(-edits) - 1..=at(edits) + 1].to_vec());
        for diagonal in (-edits..=edits).step_by(2) {
            let is_down =
                diagonal == -edits || diagonal != edits && furthest[at(diagonal - 1)] < furthest[at(diagonal + 1)];
            let mut x = if is_down { furthest[at(diagonal + 1)] } else { furthest[at(diagonal - 1)] + 1 };
            let mut y = x - diagonal;
            while x < length_a && y < length_b && a[x as usize] == b[y as usize] {
                (x, y) = (x + 1, y + 1);
            }
            furthest[at(diagonal)] = x;
            if x >= length_a && y >= length_b {
                return back(&trace, (length_a, length_b));
            }
        }
    }
    Vec::new()
}

/// Walks back from the ends of both lists and returns the equal elements.
fn back(trace: &[Vec<isize>], end: (isize, isize)) -> Vec<(usize, usize)> {
    let (mut x, mut y) = end;
    let mut places = Vec::new();
    for (edits, furthest) in trace.iter().enumerate().rev() {
        let edits = edits as isize;
        let reached = |diagonal: isize| furthest[(diagonal + edits + 1) as usize];
        let diagonal = x - y;
        let is_down = diagonal == -edits || diagonal != edits && reached(diagonal - 1) < reached(diagonal + 1);
        let from = if is_down { diagonal + 1 } else { diagonal - 1 };
        let (before_x, before_y) = if edits == 0 { (0, 0) } else { (reached(from), reached(from) - from) };
        while x > before_x && y > before_y {
            (x, y) = (x - 1, y - 1);
            places.push((x as usize, y as usize));
        }
        (x, y) = (before_x, before_y);
    }
    places.reverse();
    places
}
