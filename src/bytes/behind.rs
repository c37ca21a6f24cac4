//! Writing in a thread of its own, while the next bytes are made.

use crate::error::Result;
use std::io::{self, ErrorKind, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The way to the thread that writes. One buffer goes back and forth.
pub struct Behind {
    filled: SyncSender<Vec<u8>>,
    written: Receiver<Vec<u8>>,
}

impl Behind {
    /// Hands over bytes, which `fill` puts into an empty buffer. Waits until those before are written.
    ///
    /// # Errors
    /// That of a broken pipe if writing has failed; [`write_behind`] returns the reason.
    pub fn write(&self, fill: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let ended = || io::Error::from(ErrorKind::BrokenPipe);
        let mut buffer = self.written.recv().map_err(|_| ended())?;
        buffer.clear();
        fill(&mut buffer);
        Ok(self.filled.send(buffer).map_err(|_| ended())?)
    }
}

/// Writes what `make` hands over.
///
/// # Errors
/// The first one of writing, or else that of `make`.
pub fn write_behind(to: &mut (dyn Write + Send), make: impl FnOnce(&Behind) -> Result<()>) -> Result<()> {
    let (filled, to_write) = sync_channel::<Vec<u8>>(1);
    let (done, written) = sync_channel(1);
    let write = move || -> io::Result<()> {
        // Whoever waits for the buffer may be gone.
        let _ = done.send(Vec::new());
        for buffer in to_write {
            to.write_all(&buffer)?;
            let _ = done.send(buffer);
        }
        Ok(())
    };
    thread::scope(|scope| {
        let writer = thread::Builder::new().spawn_scoped(scope, write)?;
        let behind = Behind { filled, written };
        let made = make(&behind);
        // The thread ends when nothing more can come.
        drop(behind);
        writer.join().unwrap_or_else(|panic| resume_unwind(panic))?;
        made
    })
}
