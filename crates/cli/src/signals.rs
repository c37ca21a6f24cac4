//! Signals that end the tool. Unfinished files are removed first, since an atomic writer cannot clean up after it is killed.

/// Removes unfinished files when a signal ends the process. If that fails, the next writer removes them.
#[cfg(unix)]
pub fn remove_unfinished_on_signals() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;

    let ignored = ignored();
    let awaited = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = Signals::new(awaited.collect::<Vec<_>>()) else { return };
    let wait = move || {
        if let Some(signal) = signals.forever().next() {
            ndbytes::remove_unfinished();
            // This lets a waiting process see the signal.
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    let _ = std::thread::Builder::new().name("signals".into()).spawn(wait);
}

/// On other systems, the next writer of the same target removes them.
#[cfg(not(unix))]
pub fn remove_unfinished_on_signals() {}

/// Returns the signals that the parent process set to be ignored, one bit each, as `nohup` does, and shells for
/// background jobs. Only Linux reports them.
#[cfg(unix)]
fn ignored() -> u64 {
    #[expect(clippy::disallowed_methods, reason = "the system made it")]
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|signals| u64::from_str_radix(signals.trim(), 16).ok()).unwrap_or(0)
}
