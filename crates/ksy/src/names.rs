//! Names for the life of the process: the nodes of a byte map hold names that never end.

use std::collections::HashSet;
use std::sync::{LazyLock, Mutex, PoisonError};

/// The bytes of all names together, at most: a process that reads specifications of strangers does not grow without end.
pub const MOST_BYTES: usize = 64 << 20;

#[derive(Default)]
struct Names {
    known: HashSet<&'static str>,
    bytes: usize,
}

static NAMES: LazyLock<Mutex<Names>> = LazyLock::new(Mutex::default);

/// A name that never ends, the same one for equal texts; `None` if all names together would have more than
/// [`MOST_BYTES`] bytes.
pub fn kept(text: &str) -> Option<&'static str> {
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.known.get(text) {
        return Some(known);
    }
    if text.len() > MOST_BYTES - names.bytes {
        return None;
    }
    names.bytes += text.len();
    let name: &'static str = Box::leak(text.into());
    names.known.insert(name);
    Some(name)
}
