//! The memory of this process, as Linux counts it.

use super::bench::Outcome;
use std::fs;

/// Forgets the peak so far, and returns the bytes that are resident now.
pub fn begin() -> Outcome<u64> {
    fs::write("/proc/self/clear_refs", "5")?;
    resident("VmRSS:")
}

/// The maximum number of bytes that were resident since then.
pub fn peak() -> Outcome<u64> {
    resident("VmHWM:")
}

fn resident(name: &str) -> Outcome<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("/proc/self/status lacks a line")?;
    Ok(value.trim().trim_end_matches(" kB").parse::<u64>()? << 10)
}
