//! The reason why there are no values.

use super::slice::{Chosen, Slice};
use ndbytes::Error;

/// The reason why there are no values.
#[derive(Debug)]
pub enum Failure {
    Error(Error),
    /// The user requested something that does not exist.
    Words(String),
}

impl Failure {
    /// Returns the reason as text.
    pub fn reason(&self) -> String {
        match self {
            Failure::Error(Error::Io { source, .. }) => source.to_string(),
            Failure::Error(error) => error.to_string(),
            Failure::Words(words) => words.clone(),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Error(error)
    }
}

/// Returns the items that a slice selects in values of this shape, or all items if there is no slice.
pub fn chosen(slice: Option<&Slice>, shape: &[usize]) -> Result<Chosen, Failure> {
    match slice {
        None => Ok(Chosen::all(shape)),
        Some(slice) => slice.choose(shape).map_err(Failure::Words),
    }
}
