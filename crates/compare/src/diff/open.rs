//! Opening a file for a comparison: strictly or, if it is broken, with every tolerance that leaves values readable.
//!
//! Only errors are tolerated. A tolerated warning could give the values another meaning, such as another byte order,
//! and the comparison would report nonsense.

use ndbytes::{Error, File, Finding, Input, Limits, Options, Result, Severity, UNKNOWN_FORMAT, rules};

/// The rules that are violated if only some items of an array are in the file.
const CUT: [&str; 2] = ["idx/truncated-payload", "gzip/truncated"];

/// The readable part of a file.
pub(super) enum Opened<'i> {
    /// An array or a table. The flag is set if items are missing.
    File(Box<File<'i>>, bool),
    /// Nothing, and the reason.
    Nothing(String),
}

/// Opens a file.
///
/// # Errors
/// [`Error::Io`], [`Error::Time`].
pub(super) fn open<'i>(input: &'i Input<'_>, limits: Limits) -> Result<Opened<'i>> {
    let strict = Options::new().limits(limits);
    let refused = match strict.read(input.again(limits)?) {
        Ok(file) => return Ok(Opened::File(file.into(), false)),
        Err(refused @ Error::Invalid(_)) => refused,
        Err(error) => return nothing(error),
    };
    // Tolerated warnings would give the values another meaning, such as another byte order.
    let tolerable = rules().filter(|rule| rule.is_tolerable() && rule.severity == Some(Severity::Error));
    match tolerable.fold(strict, Options::tolerate).read(input.again(limits)?) {
        Ok(file) => {
            let is_cut = file.tolerated().iter().any(|finding| CUT.contains(&finding.rule.id));
            Ok(Opened::File(file.into(), is_cut))
        }
        Err(Error::Invalid(_)) => nothing(refused),
        Err(error) => nothing(error),
    }
}

/// Returns why nothing can be read.
fn nothing<'i>(error: Error) -> Result<Opened<'i>> {
    match error {
        error @ (Error::Io { .. } | Error::Time { .. }) => Err(error),
        Error::Invalid(finding) => Ok(Opened::Nothing(reason(&finding))),
        error => Ok(Opened::Nothing(error.to_string())),
    }
}

/// Returns why a file cannot be read and, if another program owns its format, how to get its values.
fn reason(finding: &Finding) -> String {
    match &finding.help {
        Some(help) if finding.rule == &UNKNOWN_FORMAT => format!("{}: {help}", finding.message),
        _ => finding.message.clone(),
    }
}
