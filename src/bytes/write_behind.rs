//! Writes on a separate thread while the next bytes are being produced.

use crate::error::Result;
use std::cell::RefCell;
use std::io::{self, ErrorKind, Write};
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// The channel to the writing thread.
pub struct WriteBehind<'w>(Way<'w>);

/// The thread that writes.
enum Way<'w> {
    /// A separate thread. A single buffer is passed back and forth.
    Thread { filled: SyncSender<Vec<u8>>, written: Receiver<Vec<u8>> },
    /// The calling thread, if the system does not provide another one.
    Here(RefCell<(&'w mut (dyn Write + Send), Vec<u8>)>),
}

impl WriteBehind<'_> {
    /// Hands over the bytes that `fill` writes to an empty buffer. Blocks until the previous bytes are written.
    ///
    /// # Errors
    /// A broken pipe if writing has failed. [`write_behind`] then returns the reason.
    pub fn write(&self, fill: impl FnOnce(&mut Vec<u8>)) -> Result<()> {
        let ended = || io::Error::from(ErrorKind::BrokenPipe);
        match &self.0 {
            Way::Thread { filled, written } => {
                let mut buffer = written.recv().map_err(|_| ended())?;
                buffer.clear();
                fill(&mut buffer);
                Ok(filled.send(buffer).map_err(|_| ended())?)
            }
            Way::Here(here) => {
                let (to, buffer) = &mut *here.borrow_mut();
                buffer.clear();
                fill(buffer);
                Ok(to.write_all(buffer)?)
            }
        }
    }
}

/// Writes what `make` hands over.
///
/// # Errors
/// The first write error; otherwise, the error from `make`.
pub fn write_behind(to: &mut (dyn Write + Send), make: impl FnOnce(&WriteBehind<'_>) -> Result<()>) -> Result<()> {
    let (filled, to_write) = sync_channel::<Vec<u8>>(1);
    let (done, written) = sync_channel(1);
    let target = &mut *to;
    let write = move || -> io::Result<()> {
        // The receiver of the buffer may be gone.
        let _ = done.send(Vec::new());
        for buffer in to_write {
            target.write_all(&buffer)?;
            let _ = done.send(buffer);
        }
        Ok(())
    };
    let written = thread::scope(|scope| {
        let Ok(writer) = thread::Builder::new().spawn_scoped(scope, write) else { return Err(make) };
        let behind = WriteBehind(Way::Thread { filled, written });
        let made = make(&behind);
        // The thread ends once nothing more can arrive.
        drop(behind);
        let ended = writer.join().unwrap_or_else(|panic| resume_unwind(panic));
        Ok(ended.map_err(Into::into).and(made))
    });
    match written {
        Ok(result) => result,
        Err(make) => make(&WriteBehind(Way::Here(RefCell::new((to, Vec::new()))))),
    }
}
