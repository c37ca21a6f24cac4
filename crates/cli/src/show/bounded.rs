//! Output within a budget.

use crate::show::style::grouped;
use std::io::{self, Write};

/// A stream that accepts a limited number of bytes.
pub struct Bounded<'a> {
    to: &'a mut dyn Write,
    left: u64,
    limit: u64,
}

/// The error of output that exceeds its budget.
#[derive(Debug, thiserror::Error)]
#[error("the output exceeds the maximum of {} bytes", grouped(*_0))]
pub struct OutputLimit(u64);

impl<'a> Bounded<'a> {
    /// Creates a stream for at most `limit` bytes.
    pub fn new(to: &'a mut dyn Write, limit: u64) -> Self {
        Bounded { to, left: limit, limit }
    }
}

impl Write for Bounded<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let Some(left) = self.left.checked_sub(bytes.len() as u64) else {
            return Err(io::Error::other(OutputLimit(self.limit)));
        };
        self.to.write_all(bytes)?;
        self.left = left;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}
