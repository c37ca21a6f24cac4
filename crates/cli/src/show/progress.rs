//! The progress bar, with finished files and bytes, the rate, and the current file.
//!
//! Files are found while others are checked, so the total grows; an estimate is shown only once all files are found.
//! For short work, no bar is shown, since it would only flicker. Printing a finding hides the bar temporarily.

use crate::show::text;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::collections::VecDeque;
use std::fmt::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The delay before a bar is shown.
const DELAY: Duration = Duration::from_millis(500);

/// For a file of at least this length, a bar is shown at once.
const LARGE: u64 = 256 << 20;

/// The time between two updates of a bar while nothing happens.
const TICK: Duration = Duration::from_millis(200);

/// The maximum width of a file name next to the bar.
const WIDEST: usize = 60;

const TEMPLATE: &str = "[{bar:20}] {counts}  {wide_msg}";

/// Progress on several files. All functions are cheap if no bar can be shown.
///
/// ```text
/// [█████▌              ] 11/21 files  3.2/9.1 GiB  410 MiB/s  eta 12 s  z3.gz
/// ```
pub struct Progress {
    bar: ProgressBar,
    counts: Arc<Mutex<Counts>>,
    started: Instant,
    /// The target, until the bar is shown.
    target: Mutex<Option<ProgressDrawTarget>>,
    /// Whether a bar can be shown.
    is_visible: bool,
}

#[derive(Default)]
struct Counts {
    done: u64,
    found: u64,
    /// Whether all files have been found.
    all_found: bool,
    /// The number of the next file, and the current files with their numbers, the oldest first.
    next: u64,
    at_hand: VecDeque<(u64, String)>,
}

impl Progress {
    /// Creates the progress. Without a terminal, nothing is ever shown.
    pub fn new(target: ProgressDrawTarget) -> Self {
        let counts = Arc::new(Mutex::new(Counts::default()));
        let is_visible = !target.is_hidden();
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::hidden());
        if is_visible {
            let shown = counts.clone();
            let style = ProgressStyle::with_template(TEMPLATE).expect("the template is valid");
            let words = move |state: &ProgressState, to: &mut dyn Write| {
                // A failure here affects only a word of the bar.
                let _ = write_counts(&lock(&shown), state, to);
            };
            bar.set_style(style.with_key("counts", words).progress_chars("█▉▊▋▌▍▎▏ "));
        }
        Progress { bar, counts, started: Instant::now(), target: Mutex::new(Some(target)), is_visible }
    }

    /// Returns whether a bar may be shown. Lengths of files are needed only in that case.
    pub fn is_visible(&self) -> bool {
        self.is_visible
    }

    /// Adds a file of this length to the work.
    pub fn expect(&self, length: u64) {
        if self.is_visible {
            lock(&self.counts).found += 1;
            self.bar.inc_length(length);
        }
    }

    /// Records that no more files follow.
    pub fn all_found(&self) {
        lock(&self.counts).all_found = true;
    }

    /// Begins a file, which is finished when the result is dropped. Its length must be the one passed to
    /// [`Progress::expect`].
    pub fn begin(&self, path: &Path, length: u64) -> AtHand<'_> {
        let mut number = 0;
        if self.is_visible {
            let mut counts = lock(&self.counts);
            number = counts.next;
            counts.next += 1;
            let name = text::cut(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy(), WIDEST);
            let is_oldest = counts.at_hand.is_empty();
            counts.at_hand.push_back((number, name.clone()));
            // Drawing the bar locks the counts, so a thread that has locked the counts must not wait for the bar.
            drop(counts);
            if is_oldest {
                self.bar.set_message(name);
            }
            self.show(length >= LARGE || self.started.elapsed() >= DELAY);
        }
        AtHand { progress: self, number, left: length }
    }

    /// Runs a closure that prints while the bar is hidden.
    pub fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        if self.bar.is_hidden() { print() } else { self.bar.suspend(print) }
    }

    /// Shows the bar, if it is due and has not been shown yet.
    fn show(&self, is_due: bool) {
        if is_due && let Some(target) = lock(&self.target).take() {
            self.bar.set_draw_target(target);
            self.bar.enable_steady_tick(TICK);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// A file that is being processed.
pub struct AtHand<'p> {
    progress: &'p Progress,
    number: u64,
    /// The number of remaining bytes.
    left: u64,
}

impl AtHand<'_> {
    /// Records that more bytes of the file are finished.
    pub fn advance(&mut self, bytes: u64) {
        if self.progress.is_visible {
            let done = bytes.min(self.left);
            self.left -= done;
            self.progress.bar.inc(done);
            self.progress.show(self.progress.started.elapsed() >= DELAY);
        }
    }
}

impl Drop for AtHand<'_> {
    fn drop(&mut self) {
        if !self.progress.is_visible {
            return;
        }
        let mut counts = lock(&self.progress.counts);
        counts.done += 1;
        counts.at_hand.retain(|(number, _)| *number != self.number);
        // The name of the file that has been in progress for the longest time.
        let oldest = counts.at_hand.front().map(|(_, name)| name.clone()).unwrap_or_default();
        drop(counts);
        self.progress.bar.set_message(oldest);
        self.advance(self.left);
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes `11/21 files 3.2/9.1 GiB 410 MiB/s eta 12 s`. A `+` means that more files may be found.
fn write_counts(counts: &Counts, state: &ProgressState, to: &mut dyn Write) -> fmt::Result {
    let more = if counts.all_found { "" } else { "+" };
    if counts.found != 1 || !counts.all_found {
        write!(to, "{}/{}{more} files  ", counts.done, counts.found)?;
    }
    let (done, all) = (state.pos(), state.len().unwrap_or(0));
    write!(to, "{}/{}{more}", size_in(done, unit_of(all)), size(all))?;
    if done == 0 {
        return write!(to, "  {} s", state.elapsed().as_secs());
    }
    write!(to, "  {}/s", size(state.per_sec() as u64))?;
    match counts.all_found {
        true => write!(to, "  eta {} s", state.eta().as_secs()),
        false => Ok(()),
    }
}

const UNITS: [&str; 7] = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];

/// Returns the index of the best unit for a number of bytes.
fn unit_of(bytes: u64) -> u32 {
    bytes.max(1).ilog2() / 10
}

/// Formats a number of bytes with its unit: `9.1 GiB`.
fn size(bytes: u64) -> String {
    let unit = unit_of(bytes);
    format!("{} {}", size_in(bytes, unit), UNITS[unit as usize])
}

/// Formats a number of bytes in a unit, without the unit: `9.1`.
fn size_in(bytes: u64, unit: u32) -> String {
    let number = bytes as f64 / 1024_f64.powi(unit as i32);
    if unit == 0 || number >= 99.5 { format!("{number:.0}") } else { format!("{number:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use indicatif::TermLike;
    use std::io;

    /// A terminal that records all lines drawn on it.
    #[derive(Debug, Clone, Default)]
    struct Terminal(Arc<Mutex<String>>);

    impl TermLike for Terminal {
        fn width(&self) -> u16 {
            120
        }
        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }
        fn write_line(&self, line: &str) -> io::Result<()> {
            self.write_str(line)
        }
        fn write_str(&self, text: &str) -> io::Result<()> {
            lock(&self.0).push_str(text);
            Ok(())
        }
        fn clear_line(&self) -> io::Result<()> {
            lock(&self.0).push('\n');
            Ok(())
        }
        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    fn drawn(work: impl FnOnce(&Progress)) -> String {
        let terminal = Terminal::default();
        let progress = Progress::new(ProgressDrawTarget::term_like(Box::new(terminal.clone())));
        work(&progress);
        drop(progress);
        std::mem::take(&mut lock(&terminal.0))
    }

    #[test]
    fn sizes_have_three_digits() {
        assert_eq!(
            [0, 999, 1024, 1536, 100 << 10, 9_771_050_598].map(size),
            ["0 B", "999 B", "1.0 KiB", "1.5 KiB", "100 KiB", "9.1 GiB"]
        );
        assert_eq!(size(u64::MAX), "16.0 EiB");
    }

    #[test]
    fn the_bar_names_the_slowest_file() {
        let text = drawn(|progress| {
            progress.expect(3 << 30);
            progress.expect(1 << 30);
            progress.all_found();
            let slow = progress.begin(Path::new("slow\u{202e}\u{1b}[2J.gz"), 3 << 30);
            drop(progress.begin(Path::new("fast.gz"), 1 << 30));
            progress.bar.force_draw();
            drop(slow);
        });
        let shown = "1/2 files  1.0/4.0 GiB";
        let line = text.lines().find(|line| line.contains(shown)).unwrap_or_else(|| panic!("{text:?}"));
        assert!(line.contains("slow\\u{202e}\\u{1b}[2J.gz") && line.contains("  eta "), "{line:?}");
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'), "{text:?}");
    }

    #[test]
    fn more_files_are_said_to_follow_until_all_are_found() {
        let text = drawn(|progress| {
            progress.expect(LARGE);
            let mut file = progress.begin(Path::new("one"), LARGE);
            progress.bar.force_draw();
            progress.all_found();
            file.advance(LARGE / 2);
            progress.bar.force_draw();
        });
        assert!(text.contains("0/1+ files  0.0/256 MiB+"), "{text:?}");
        assert!(text.contains("] 128/256 MiB  "), "{text:?}");
    }

    #[test]
    fn threads_do_not_wait_for_each_other_while_the_bar_is_drawn() {
        drawn(|progress| {
            drop(progress.begin(Path::new("large"), LARGE));
            std::thread::scope(|scope| {
                for _ in 0..3 {
                    scope.spawn(|| (0..2000).for_each(|_| drop(progress.begin(Path::new("one"), 1))));
                }
                scope.spawn(|| (0..2000).for_each(|_| progress.bar.force_draw()));
            });
            assert_eq!(lock(&progress.counts).done, 6001);
        });
    }

    #[test]
    fn short_work_shows_no_bar() {
        let text = drawn(|progress| {
            progress.expect(10);
            drop(progress.begin(Path::new("one"), 10));
        });
        assert_eq!(text, "");
    }
}
