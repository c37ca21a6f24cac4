//! Listed files that are about to be opened. A file that is known to be short is read completely, with one request.

use ndbytes::stores::Listed;
use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// The maximum number of remembered files, enough for the files that threads open in parallel and those that wait for a thread.
const MOST: usize = 1024;

/// URLs and lengths, the oldest first.
static EXPECTED: Mutex<VecDeque<(String, u64)>> = Mutex::new(VecDeque::new());

/// Remembers the length of a file.
pub fn note(file: &Listed) {
    let Some(stat) = file.stat else { return };
    let mut expected = EXPECTED.lock().unwrap_or_else(PoisonError::into_inner);
    if expected.len() == MOST {
        expected.pop_front();
    }
    expected.push_back((file.url.clone(), stat.length));
}

/// Returns a recorded length of a file, and forgets it.
pub fn take(url: &str) -> Option<u64> {
    let mut expected = EXPECTED.lock().unwrap_or_else(PoisonError::into_inner);
    let place = expected.iter().position(|(noted, _)| noted == url)?;
    expected.remove(place).map(|(_, length)| length)
}
