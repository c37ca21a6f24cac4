//! How a program ends.

/// How a program ends because it could not allocate memory.
#[derive(Debug, Clone, Copy)]
pub struct Answer {
    /// The sentence on standard error, with its line feed.
    pub sentence: &'static str,
    /// The exit status.
    pub status: u8,
    /// Removes anything that the program started to write but did not finish. It may be called when there is no memory left.
    pub tidy: fn(),
}
