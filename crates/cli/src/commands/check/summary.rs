//! The summary page of a step in GitHub workflows.

use crate::show::check::Output;
use crate::show::check::totals::Totals;
use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};

/// The maximum number of bytes that GitHub accepts per step.
const MOST: u64 = 1 << 20;

/// Appends the output's text to the page, if both exist.
pub fn write(output: &dyn Output, totals: &Totals) -> io::Result<()> {
    let Some(path) = env::var_os("GITHUB_STEP_SUMMARY").filter(|path| !path.is_empty()) else { return Ok(()) };
    let taken = fs::metadata(&path).map_or(0, |page| page.len());
    match output.step_summary(totals, MOST.saturating_sub(taken) as usize) {
        Some(text) => OpenOptions::new().create(true).append(true).open(path)?.write_all(text.as_bytes()),
        None => Ok(()),
    }
}
