//! Calls of foreign readers and writers that may panic.

use crate::error::{Error, Result};
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, SchemaRef};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// True while this thread calls a reader or a writer whose panics are caught.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// The batches of a file. A panic of Arrow's reader becomes an error, after which there are no more batches.
#[derive(Debug)]
pub struct Guarded<R> {
    reader: Option<R>,
    schema: SchemaRef,
}

impl<R: RecordBatchReader> Guarded<R> {
    /// The reader that is made here.
    pub(crate) fn new(make: impl FnOnce() -> Result<R>) -> Result<Self> {
        let reader = reading(make)?;
        let schema = reader.schema();
        Ok(Guarded { reader: Some(reader), schema })
    }
}

/// Turns a panic of a reader into an error: a file that it does not expect is broken.
pub(crate) fn reading<T>(read: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(read, |_| Error::Broken("its reader gave up on values that break the rules of the format".into()))
}

/// Turns a panic of a writer into an error.
pub(crate) fn writing<T>(write: impl FnOnce() -> Result<T>) -> Result<T> {
    guard(write, |words| Error::Defect(format!("the writer of another crate panicked: {words}")))
}

/// Turns a panic into an error. Nothing is printed of it.
///
/// The hook of panics belongs to the whole process. It is wrapped once, so that it says nothing of a thread that is guarded, and
/// says what it said before of all others. A hook that is set later replaces it: then panics are printed, and caught all the same.
fn guard<T>(call: impl FnOnce() -> Result<T>, error: impl FnOnce(&str) -> Error) -> Result<T> {
    static WRAPPED: Once = Once::new();
    WRAPPED.call_once(|| {
        // A thread that unwinds cannot change the hook.
        if !std::thread::panicking() {
            let before = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                if !IS_GUARDED.try_with(Cell::get).unwrap_or(false) {
                    before(info);
                }
            }));
        }
    });
    let was_guarded = IS_GUARDED.replace(true);
    let called = catch_unwind(AssertUnwindSafe(call));
    IS_GUARDED.set(was_guarded);
    called.unwrap_or_else(|payload| {
        let words = payload.downcast_ref::<String>().map(String::as_str);
        Err(error(words.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("it said nothing")))
    })
}

impl<R: RecordBatchReader> Iterator for Guarded<R> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let reader = self.reader.as_mut()?;
        let next = reading(|| Ok(reader.next().transpose()?)).transpose()?;
        if next.is_err() {
            self.reader = None;
        }
        Some(next.map_err(ArrowError::from))
    }
}

impl<R: RecordBatchReader> RecordBatchReader for Guarded<R> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
