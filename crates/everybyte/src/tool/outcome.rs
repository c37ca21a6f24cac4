//! The outcome of a command.

/// The outcome of a command. The number is the exit status.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// No finding, or no difference.
    Clean = 0,
    /// At least one finding, or a difference.
    Findings = 1,
    /// Wrong usage, or a file that cannot be read.
    Unusable = 2,
}
