//! The record of a run: the accepted inputs, and the locations of failures.

use super::readers::Reader;
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::panic;
use std::sync::{LazyLock, Mutex, Once};

/// The file with a byte for each accepted input.
static ACCEPTED: LazyLock<Option<File>> = LazyLock::new(|| opened("NDBYTES_FUZZERS_ACCEPTED"));

/// The file with a line for each location of a failure.
static FAILED: LazyLock<Option<File>> = LazyLock::new(|| opened("NDBYTES_FUZZERS_FAILED"));

/// Opens the file named in an environment variable for appending.
fn opened(variable: &str) -> Option<File> {
    let path = std::env::var_os(variable)?;
    Some(OpenOptions::new().create(true).append(true).open(path).expect("the record can be written"))
}

/// Passes an input to a reader. A panic is recorded once per location, and the run continues.
pub fn examine(reader: &Reader, input: &[u8]) {
    static NOTED: Once = Once::new();
    NOTED.call_once(|| panic::set_hook(Box::new(note)));
    if let Ok(Some(())) = panic::catch_unwind(|| (reader.read)(input))
        && let Some(mut file) = ACCEPTED.as_ref()
    {
        file.write_all(b"+").expect("the record can be written");
    }
}

fn note(info: &panic::PanicHookInfo<'_>) {
    static PLACES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let place = info.location().map(ToString::to_string).unwrap_or_default();
    let is_new = PLACES.lock().is_ok_and(|mut places| places.insert(place.clone()));
    if let Some(mut file) = FAILED.as_ref().filter(|_| is_new) {
        writeln!(file, "{place}").expect("the record can be written");
    }
}
