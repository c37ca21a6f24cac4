//! A stack for the deepest nesting.

/// The stack size of the thread that reads. It is enough for the deepest structures, each with the deepest expression.
const STACK: usize = 128 << 20;

/// Runs a function on a thread whose stack is large enough for the deepest nesting.
///
/// # Errors
/// Fails with a message if the system cannot create the thread.
pub fn with_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, String> {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| format!("cannot allocate a stack of {STACK} bytes: {error}"))?;
        match thread.join() {
            Ok(done) => Ok(done),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}
