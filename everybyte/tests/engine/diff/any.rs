//! Properties of any two files.

use super::diff;
use super::formats::{Album, Pairs, Steps, TWO, album, steps};
use everybyte::Format;
use everybyte::diff::{Kind, Structure};

/// Checks the properties that hold for any two files.
fn hold<F: Format>(a: &[u8], b: &[u8]) {
    let (there, back) = (diff::<F>(a, b), diff::<F>(b, a));
    assert_eq!(there.is_empty(), a == b, "{a:?} {b:?} {there:#?}");
    let numbers = |it: &Structure| (it.follows, it.recoded, it.elsewhere, it.unread, it.further);
    assert_eq!(numbers(&there), numbers(&back), "{a:?} {b:?}");
    let count = |it: &Structure, kind: Kind| {
        it.changes.iter().filter(|change| change.kind == kind).map(|change| change.times.0).sum::<u64>()
    };
    let mirrored = [
        (Kind::Changed, Kind::Changed),
        (Kind::Added, Kind::Removed),
        (Kind::Removed, Kind::Added),
        (Kind::Reordered, Kind::Reordered),
        (Kind::PointsElsewhere, Kind::PointsElsewhere),
    ];
    for (kind, mirror) in mirrored {
        assert_eq!(count(&there, kind), count(&back, mirror), "{kind:?} {a:?} {b:?}\n{there:#?}\n{back:#?}");
    }
    for line in there.lines(false).chain(there.lines(true)) {
        assert!(line.chars().all(|letter| !letter.is_control()), "{line:?}");
    }
}

/// Changes, cuts, repeats and removes some bytes.
fn mutated(file: &[u8], seed: &mut u64) -> Vec<u8> {
    let mut next = |below: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % below.max(1)
    };
    let mut file = file.to_vec();
    for _ in 0..=next(3) {
        let at = next(file.len());
        match next(6) {
            0 => file.truncate(at),
            1 if at < file.len() => drop(file.remove(at)),
            2 => file.insert(at, next(256) as u8),
            3 => file.extend_from_within(at..),
            _ if at < file.len() => file[at] = next(12) as u8,
            _ => {}
        }
    }
    file
}

#[test]
fn any_two_files_are_compared() {
    let mut seed = 7;
    for _ in 0..150 {
        let tracks = [TWO[0], TWO[1], (7, 20, 1, b"la la"), (3, 1, 9, b"")];
        let file = album("Blue", &tracks[..(seed % 5) as usize]);
        let (a, b) = (mutated(&file, &mut seed), mutated(&file, &mut seed));
        hold::<Album>(&file, &a);
        hold::<Album>(&a, &b);
        let file = steps(&[1, 2, 3, 4, 1, 2], b"text");
        hold::<Steps>(&mutated(&file, &mut seed), &mutated(&file, &mut seed));
        let file = [5, 1, 1, 2, 1, 3, 1, 1, 9, 2, 8];
        hold::<Pairs>(&mutated(&file, &mut seed), &mutated(&file, &mut seed));
    }
}
