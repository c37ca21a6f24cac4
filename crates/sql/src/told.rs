//! Errors as sentences, including those from a cluster.

use datafusion::common::DataFusionError;
use std::fmt;

/// The delimiter around a sentence in an error that is formatted with its structure, which is how executors send
/// errors.
const SIGN: char = '\u{1e}';

/// An error that consists of a sentence.
struct Told(String);

/// Returns an error that consists of a sentence, which [`message`] finds again.
pub(crate) fn told(sentence: impl Into<String>) -> DataFusionError {
    DataFusionError::External(Box::new(Told(sentence.into())))
}

impl fmt::Display for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Told {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{SIGN}{}{SIGN}", self.0)
    }
}

impl std::error::Error for Told {}

/// Returns only the innermost error, as a sentence, because the context that engines add does not help. An error of an
/// executor results in the same sentence as on one machine.
pub fn message(error: &DataFusionError) -> String {
    let text = match error.find_root() {
        DataFusionError::Plan(text) | DataFusionError::Execution(text) | DataFusionError::Configuration(text) => {
            text.clone()
        }
        DataFusionError::External(error) => error.to_string(),
        DataFusionError::IoError(error) => error.to_string(),
        other => other.strip_backtrace(),
    };
    let mut parts = text.split(SIGN);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(_), Some(sentence), Some(_)) => sentence.to_owned(),
        _ => of_scheduler(&text).map(str::to_owned).unwrap_or(text),
    }
}

/// Returns the sentence of an error that occurred when a scheduler planned a query.
fn of_scheduler(text: &str) -> Option<&str> {
    let (_, error) = text.strip_prefix("Job ")?.split_once(" failed: ")?;
    let error = error.strip_prefix("DataFusion error: ")?;
    ["External error: ", "Error during planning: "].iter().find_map(|kind| error.strip_prefix(kind))
}
