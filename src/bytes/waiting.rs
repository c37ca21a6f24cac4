//! Streams that may block: pipes, terminals and devices.

use super::door;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// A stream whose reads wait for at most a tenth of a second. If no bytes have arrived by then, the read is interrupted, so that
/// the reader can check the clock and retry. If the system does not support this, a read blocks until bytes arrive.
#[derive(Debug)]
pub struct Waiting(File);

impl Waiting {
    /// Uses an open stream.
    pub fn new(stream: File) -> Self {
        Waiting(stream)
    }
}

impl Read for Waiting {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        #[cfg(unix)]
        if !is_ready(&self.0)? {
            return Err(io::ErrorKind::Interrupted.into());
        }
        self.0.read(buffer)
    }
}

/// Waits for bytes, the end of a stream, or a timeout.
#[cfg(unix)]
fn is_ready(stream: &File) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
    Ok(poll(&mut [PollFd::new(stream, PollFlags::IN)], Some(&WAIT))? > 0)
}

/// Opens a file. A pipe with a time limit is opened without waiting for its writer.
pub(crate) fn open(path: &Path, is_timed: bool) -> io::Result<File> {
    #[cfg(target_os = "linux")]
    if is_timed {
        use rustix::fs::{OFlags, fcntl_setfl};
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        if std::fs::metadata(path)?.file_type().is_fifo() {
            let flags = OFlags::NONBLOCK.bits().cast_signed();
            let pipe = File::options().read(true).custom_flags(flags).open(path)?;
            // Reads may block again, because `Waiting` polls before each of them.
            fcntl_setfl(&pipe, OFlags::empty())?;
            return Ok(pipe);
        }
    }
    let _ = is_timed;
    door::named(path)
}
