//! Files in the form of SARIF.

use super::location::{file_in, location};
use ndbytes::{Input, Limits};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Longer files get no checksum, since computing it would take longer than the check.
const LONGEST: u64 = 1 << 30;

/// The number of bytes to read at once for a checksum.
const STEP: usize = 64 << 10;

/// The files that results refer to.
#[derive(Default)]
pub struct Artifacts {
    pub list: Vec<Value>,
    places: HashMap<PathBuf, usize>,
}

impl Artifacts {
    /// Returns the index of a file in the list.
    pub fn index(&mut self, file: &Path, limits: Limits) -> usize {
        if let Some(&place) = self.places.get(file) {
            return place;
        }
        let mut artifact = json!({ "location": location(file, None), "mimeType": "application/octet-stream" });
        if let Ok(input) = Input::open(file_in(file), limits) {
            artifact["length"] = input.length().into();
            if let Some(sum) = sum(&input) {
                artifact["hashes"] = json!({ "sha-256": sum });
            }
        }
        self.list.push(artifact);
        self.places.insert(file.to_owned(), self.list.len() - 1);
        self.list.len() - 1
    }
}

/// Returns the SHA-256 of all bytes.
fn sum(input: &Input<'_>) -> Option<String> {
    let length = Some(input.length()).filter(|length| *length <= LONGEST)?;
    let (mut hasher, mut bytes) = (Sha256::new(), vec![0; STEP]);
    for start in (0..length).step_by(STEP) {
        let step = &mut bytes[..(length - start).min(STEP as u64) as usize];
        input.read_at(step, start).ok()?;
        hasher.update(step);
    }
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}
