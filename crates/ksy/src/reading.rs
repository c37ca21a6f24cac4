//! Files that a specification reads, on a stack with room for them.

use crate::read::{DEPTH, Machine};
use crate::spec::Spec;
use crate::stack::with_stack;

/// The nesting of structures and instances, and the levels of an expression, that every stack has room for.
const SHALLOW: u32 = 12;
const FEW_LEVELS: u32 = 8;

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
