//! The memory of this process, as counted by Linux.

use super::bench::Outcome;
use std::fs;

/// Resets the peak and returns the currently resident bytes.
pub fn begin() -> Outcome<u64> {
    fs::write("/proc/self/clear_refs", "5")?;
    resident("VmRSS:")
}

/// Returns the peak of resident bytes since `begin`.
pub fn peak() -> Outcome<u64> {
    resident("VmHWM:")
}

fn resident(name: &str) -> Outcome<u64> {
    let status = fs::read_to_string("/proc/self/status")?;
    let value = status.lines().find_map(|line| line.strip_prefix(name)).ok_or("/proc/self/status lacks a line")?;
    Ok(value.trim().trim_end_matches(" kB").parse::<u64>()? << 10)
}
