//! Directories: the files that a walk finds, their seal, and the differences between two directories.

mod pairs;
mod seal;
mod tree;
mod walks;

use crate::random::Random;
use crate::scratch::Folder;
use crate::share::ask_one_of;
use tree::Tree;

/// The questions about files, one of which is asked for each input.
const QUESTIONS: [fn(&Tree<'_>, &Folder, &mut Random); 3] = [walks::examine, seal::examine, pairs::examine];

/// Asserts that a walk finds all files of a tree, that a seal and a comparison with a copy detect changes, and that
/// arbitrary bytes are either read as a seal or refused with a sentence.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let folder = Folder::new();
    seal::examine_text(&folder, bytes);
    let tree = Tree::of(bytes, &mut random);
    ask_one_of(QUESTIONS, &mut random, |question, random| question(&tree, &folder, random));
}
