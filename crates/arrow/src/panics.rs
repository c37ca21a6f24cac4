//! Panics of other crates, converted to errors.

use crate::error::{Error, Result};
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe, catch_unwind};
use std::sync::Once;

thread_local! {
    /// Whether this thread is in a call whose panics are caught.
    static IS_GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Converts a panic to an error. Nothing is printed about it.
///
/// Wraps the panic hook of the process. This is done once; the hook is then silent about guarded threads, and unchanged for all others. A
/// hook that is set later replaces it: panics are printed then, but still caught.
pub(crate) fn guard<T>(call: impl FnOnce() -> Result<T>, error: impl FnOnce(&str) -> Error) -> Result<T> {
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
