//! The outcome of a command.

/// The outcome of a command. Its number is the exit status.
///
/// ```
/// use everybyte::tool::{Outcome, run};
/// # use everybyte::{Format, layout};
/// # #[layout]
/// # struct Pair {
/// #     a: u8,
/// #     b: u8,
/// # }
/// # impl Format for Pair { const NAME: &'static str = "pair"; }
///
/// let (mut out, mut err) = (Vec::<u8>::new(), Vec::<u8>::new());
/// let outcome = run::<Pair>(&["polish".into()], &mut out, &mut err)?;
/// assert_eq!((outcome, outcome as u8), (Outcome::Unusable, 2), "there is no command `polish`");
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There are no findings or differences.
    Clean = 0,
    /// There is at least one finding or difference.
    Findings = 1,
    /// The usage is incorrect, or a file cannot be read.
    Unusable = 2,
}
