//! Compares a directory with a copy.

use super::tree::Tree;
use crate::bounds::limits;
use crate::random::Random;
use crate::scratch::Folder;
use ndbytes::b2nd::is_sparse_frame;
use ndbytes::walk::Options;
use ndbytes_compare::diff;
use ndbytes_compare::folders::{Comparer, Outcome, Pairs, Totals};
use std::fs;
use std::path::{Path, PathBuf};

/// The file that only one of the directories has.
const NEW: &str = "zz-new";

/// Asserts that copied files are the same, that a changed one differs, and that a removed or new one exists on only one side.
pub fn examine(tree: &Tree<'_>, folder: &Folder, random: &mut Random) {
    let (a, b) = (tree.write(folder, "a"), tree.write(folder, "b"));
    let change = random.below(4);
    let expected = changed(tree, &b, change, random).expect("scratch files can be changed");
    let comparer = Comparer::new(diff::Options::new().limits(limits())).unknown(true);
    let (mut totals, mut met) = (Totals::default(), Vec::new());
    for pair in Pairs::new(&a, &b, &Options::new()) {
        assert_eq!(pair.problem, None);
        let row = comparer.compare(&pair).expect("there is no limit on time").row;
        totals.add(&row);
        assert!(serde_json::to_string(&row).is_ok(), "a row is JSON");
        match expected.as_ref().filter(|(path, _)| *path == pair.path) {
            Some((_, Some(outcome))) => assert_eq!(row.outcome, *outcome, "{row:?}"),
            Some((_, None)) => assert!(row.outcome != Outcome::Same && !row.equal, "{row:?}"),
            // The other files in the directory of a frame without chunks are not compared, so the verdict is not that
            // all bytes are the same.
            None if is_sparse_frame(a.join(&pair.path)) => assert!(row.outcome != Outcome::Differs, "{row:?}"),
            None => assert!(row.outcome == Outcome::Same && row.equal, "{row:?}"),
        }
        met.push(pair.path);
    }
    let mut all = tree.found();
    all.extend(expected.map(|(path, _)| path));
    all.sort();
    all.dedup();
    assert_eq!(met, all);
    assert_eq!(totals.files(), met.len() as u64);
    assert_eq!(totals.counts().map(|(_, count)| count).sum::<u64>(), totals.files());
}

/// Changes the copy. Returns the path of the pair, and its expected outcome, if known.
fn changed(
    tree: &Tree<'_>,
    copy: &Path,
    change: u64,
    random: &mut Random,
) -> std::io::Result<Option<(PathBuf, Option<Outcome>)>> {
    let (name, bytes) = &tree.files[tree.chosen(random)];
    let around = tree.around(name).expect("a walk finds it");
    let file = copy.join(name);
    Ok(match change {
        0 => None,
        1 => {
            fs::write(copy.join(NEW), b"new")?;
            Some((NEW.into(), Some(Outcome::OnlyInB)))
        }
        // Without one of its files, a frame may remain a frame or become separate files, which the walk decides.
        2 if around == *name => {
            fs::remove_file(file)?;
            Some((around, Some(Outcome::OnlyInA)))
        }
        _ => {
            fs::write(file, [bytes, &b"!"[..]].concat())?;
            Some((around, None))
        }
    })
}
