//! Lines that are written to a sink.

use crate::error::Result;
use ndbytes::Limits;
use std::io::Write;

/// The number of bytes of lines that are gathered before they are written.
const GATHERED: usize = 1 << 16;

/// Lines of text that are written within the limit on output.
#[derive(Debug)]
pub struct Lines<W: Write> {
    sink: W,
    limits: Limits,
    written: u64,
}

impl<W: Write> Lines<W> {
    pub fn new(sink: W, limits: Limits) -> Self {
        Lines { sink, limits, written: 0 }
    }

    /// Writes lines.
    pub fn put(&mut self, lines: &str) -> Result<()> {
        self.written = self.written.saturating_add(lines.len() as u64);
        self.limits.ensure_output("the lines of a table", self.written)?;
        Ok(self.sink.write_all(lines.as_bytes())?)
    }

    /// Writes and clears the gathered lines if there are enough of them.
    pub fn put_gathered(&mut self, lines: &mut String) -> Result<()> {
        if lines.len() >= GATHERED {
            self.put(lines)?;
            lines.clear();
        }
        Ok(())
    }

    /// Completes the file and returns the sink.
    pub fn finish(mut self) -> Result<W> {
        self.sink.flush()?;
        Ok(self.sink)
    }
}
