//! Reads files with a specification, on a stack that is large enough.
//!
//! The reader is recursive, and both the file and the specification determine how deep. Most files are shallow, so they
//! are read on the stack of the caller, with a low limit on depth. Only a file that exceeds it is read again, on a
//! thread with a large stack.

use crate::read::{DEPTH, Machine};
use crate::spec::Spec;
use crate::stack::with_stack;

/// The nesting of structures and instances, and the depth of an expression, for which every stack is large enough.
const SHALLOW: u32 = 12;
const FEW_LEVELS: u32 = 8;

impl Spec {
    /// Reads a file with `read`, and processes the result. The caller's stack is large enough for a few levels, which
    /// suffice for most files. Starting a thread for the others takes longer than reading a small file.
    ///
    /// # Errors
    /// Fails with a message if the system cannot create the thread.
    pub(crate) fn with_machine<T: Send>(
        &self,
        file: &[u8],
        read: fn(&mut Machine<'_>),
        work: impl FnOnce(Machine<'_>) -> T + Send,
    ) -> Result<T, String> {
        let read_to = |deepest: u32| {
            let mut machine = Machine::new(&self.plan, file, deepest, self.granted);
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
