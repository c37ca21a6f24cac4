//! Text from a file, escaped and deduplicated.

use crate::escape;
use std::collections::HashMap;

/// The maximum number of characters of a string that are shown.
pub const LONGEST: usize = 300;

/// The strings of a page. The first one is empty.
pub struct Strings {
    list: Vec<String>,
    places: HashMap<String, usize>,
    /// The size of the strings on the page in bytes.
    taken: usize,
}

impl Strings {
    pub fn new() -> Self {
        Strings { list: vec![String::new()], places: HashMap::from([(String::new(), 0)]), taken: 2 }
    }

    /// Returns the index of a string, which is cut to a readable length.
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

    /// The size of the strings on the page in bytes.
    pub fn taken(&self) -> usize {
        self.taken
    }

    pub fn into_list(self) -> Vec<String> {
        self.list
    }
}

/// The beginning of a string, with invisible characters and characters that reorder others escaped. The time depends
/// on `most`, not on the length of the string.
pub fn shown(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => escape(&text[..end]) + "…",
        None => escape(text),
    }
}
