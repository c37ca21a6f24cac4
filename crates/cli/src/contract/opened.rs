//! Opens files whose content is checked.

use ndbytes::{File, Input, Limits, Options};
use std::path::Path;

/// A file whose content is checked.
pub struct Opened {
    pub file: File<'static>,
    /// The shape of an array, or the numbers of rows and columns of a table.
    pub shape: Vec<u64>,
}

/// Opens a file, or returns why it cannot be read.
pub fn open(path: &Path, limits: Limits) -> Result<Opened, String> {
    let file = Input::open(path, limits).and_then(|input| Options::new().limits(limits).read(input));
    let file = file.map_err(|error| match error.finding() {
        Some(finding) => finding.message.clone(),
        None => error.to_string(),
    })?;
    let shape = match &file {
        File::Array(array) => array.shape().iter().map(|&length| length as u64).collect(),
        File::Table(table) => vec![table.rows(), table.columns().len() as u64],
    };
    Ok(Opened { file, shape })
}
