//! Folders: the files that a walk finds, their seal, and how two folders differ.

mod pairs;
mod seal;
mod tree;
mod walks;

use crate::random::Random;
use crate::scratch::Folder;
use crate::share::ask_one_of;
use tree::Tree;

/// The questions about files. Each input is asked one of them.
const QUESTIONS: [fn(&Tree<'_>, &Folder, &mut Random); 3] = [walks::examine, seal::examine, pairs::examine];

/// A walk finds all files of a tree. A seal of them holds, and names what was changed. So does the comparison with a copy. Any
/// bytes are read as a seal, or refused by a sentence.
pub fn examine(bytes: &[u8]) {
    let mut random = Random::of(bytes);
    let folder = Folder::new();
    seal::examine_text(&folder, bytes);
    let tree = Tree::of(bytes, &mut random);
    ask_one_of(QUESTIONS, &mut random, |question, random| question(&tree, &folder, random));
}
