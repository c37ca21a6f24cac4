//! Walks through a directory.

use super::tree::Tree;
use crate::random::Random;
use crate::scratch::Folder;
use ndbytes::Limits;
use ndbytes::walk::{Options, Walk};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// Asserts that a walk finds all files in name order and counts skipped ones, and that rules only leave files out.
pub fn examine(tree: &Tree<'_>, folder: &Folder, random: &mut Random) {
    let root = tree.write(folder, "walked");
    let expected: Vec<PathBuf> = tree.found().iter().map(|name| root.join(name)).collect();
    let mut walk = Walk::of_path(&root, Options::new());
    let found: Vec<PathBuf> = walk.by_ref().map(|found| found.expect("all can be listed").path).collect();
    assert_eq!(found, expected);
    assert_eq!(walk.passed().git, u64::from(tree.has_history()));
    assert_eq!(
        (walk.passed().is_empty(), walk.passed().to_string().is_empty()),
        (!tree.has_history(), !tree.has_history())
    );
    match random.below(4) {
        0 => examine_links(&root, &expected),
        1 => examine_rules(&root, &expected, Options::new().gitignore(true)),
        2 => {
            let glob = ["*.npy", "!b", "**/d/**", "[", "frame", "!*", ".h*"][random.below(7) as usize];
            match Options::new().globs([glob]) {
                Ok(options) => examine_rules(&root, &expected, options.gitignore(random.one_in(2))),
                Err(error) => assert!(error.to_string().contains('[')),
            }
        }
        _ => {
            let confined = Options::new().limits(Limits::default().memory(random.below(400)));
            let (found, refused): (Vec<_>, Vec<_>) = Walk::of_path(&root, confined).partition(Result::is_ok);
            assert!(found.len() == expected.len() || !refused.is_empty(), "files are missing without a word");
        }
    }
}

/// Asserts that a link to a file counts as the file, a link to a directory is skipped, and a dangling link is a problem.
fn examine_links(root: &Path, expected: &[PathBuf]) {
    for (name, target) in [("z-file", &*expected[0]), ("z-folder", root), ("z-nothing", Path::new("nothing"))] {
        symlink(target, root.join(name)).expect("a link can be made");
    }
    let mut walk = Walk::of_path(root, Options::new());
    let (found, problems): (Vec<_>, Vec<_>) = walk.by_ref().partition(Result::is_ok);
    assert_eq!(found.len() as u64, expected.len() as u64 + 1);
    assert_eq!((walk.passed().links, problems.len()), (1, 1));
    let problem = problems[0].as_ref().expect_err("it is a problem");
    assert_eq!(problem.path.as_deref(), Some(&*root.join("z-nothing")));
}

/// Asserts that rules leave files out, and do not add any.
fn examine_rules(root: &Path, expected: &[PathBuf], options: Options) {
    for found in Walk::of_path(root, options).flatten() {
        assert!(expected.contains(&found.path), "{}", found.path.display());
    }
}
