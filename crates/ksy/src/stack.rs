//! Room for the deepest nesting.

use crate::read::{DEPTH, Machine};
use crate::spec::Spec;

/// The nesting of structures and instances, and the levels of an expression, that every stack has room for.
const SHALLOW: u32 = 12;
const FEW_LEVELS: u32 = 8;

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

impl Spec {
    /// Reads a file by `read`, and performs something with what was read. The stack of the caller has room for a few levels,
    /// which is all that most files have. To start a thread for the others takes longer than to read a small file.
    ///
    /// # Errors
    /// A sentence, if the system has no room for the thread.
    pub(crate) fn with_machine<T: Send>(
        &self,
        file: &[u8],
        read: fn(&mut Machine<'_>),
        work: impl FnOnce(Machine<'_>) -> T + Send,
    ) -> Result<T, String> {
        let read_to = |deepest: u32| {
            let mut machine = Machine::new(&self.plan, file, deepest);
            read(&mut machine);
            machine
        };
        if self.plan.levels <= FEW_LEVELS {
            let machine = read_to(SHALLOW);
            if !machine.is_cut {
                return Ok(work(machine));
            }
        }
        with_stack(|| work(read_to(DEPTH)))
    }
}
