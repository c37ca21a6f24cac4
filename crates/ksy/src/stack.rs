//! Room for the deepest nesting.

/// The stack of the thread that reads. It has room for the deepest structures, each with the deepest expression.
const STACK: usize = 128 << 20;

/// Performs something on a thread whose stack is large enough for the deepest nesting.
///
/// # Errors
/// A sentence, if the system has no room for the thread.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("there is no room for a stack of {STACK} bytes: {error}"))?;
        match thread.join() {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
