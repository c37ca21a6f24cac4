//! Text from a file, made harmless, and kept once.

use crate::escape;
use std::collections::HashMap;

/// The number of letters that are shown of one text.
pub const LONGEST: usize = 300;

/// The texts of a page. The first one is empty.
pub struct Strings {
    list: Vec<String>,
    places: HashMap<String, usize>,
    /// The bytes that the texts take in the page.
    taken: usize,
}

impl Strings {
    pub fn new() -> Self {
        Strings { list: vec![String::new()], places: HashMap::from([(String::new(), 0)]), taken: 2 }
    }

    /// The place of a text, which is cut to a readable length.
    pub fn place(&mut self, text: &str) -> usize {
        if let Some(&place) = self.places.get(text) {
            return place;
        }
        let shown = shown(text, LONGEST);
        if let Some(&place) = self.places.get(&shown) {
            return place;
        }
        self.taken += shown.len() + 3;
        self.places.insert(shown.clone(), self.list.len());
        self.list.push(shown);
        self.list.len() - 1
    }

    /// The bytes that the texts take in the page.
    pub fn taken(&self) -> usize {
        self.taken
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// The beginning of a text, with escapes for letters that are unseen or change the order of others. The time depends on
/// `most`, not on the length of the text.
pub fn shown(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => escape(&text[..end]) + "…",
        None => escape(text),
    }
}
