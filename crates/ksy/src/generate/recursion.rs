//! Types that contain themselves, which a layout would read as deep as a file says.

use super::model::{Model, structures};

/// A type while those inside it are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Done,
}

impl Model<'_> {
    /// Refuses each field whose type contains the type around it.
    pub fn refuse_recursion(&self) {
        let mut states = vec![None; self.plan.types.len()];
        let mut stack: Vec<(usize, usize)> = vec![(0, 0)];
        states[0] = Some(State::Open);
        // Each level of the stack is a type, and the number of its structures that were looked at.
        while let Some((number, seen)) = stack.last_mut() {
            let own = &self.plan.types[*number];
            let inner = own.fields.iter().take(own.sequence);
            let mut inner =
                inner.flat_map(|field| structures(&field.content).into_iter().map(move |(it, _)| (field, it)));
            let Some((field, target)) = inner.nth(*seen) else {
                states[*number] = Some(State::Done);
                stack.pop();
                continue;
            };
            *seen += 1;
            match states[target] {
                None => {
                    states[target] = Some(State::Open);
                    stack.push((target, 0));
                }
                Some(State::Open) => {
                    let name = self.plan.types[target].name;
                    self.refuse(field.at, format!("`{}` is a `{name}` inside a `{name}`", field.name));
                }
                Some(State::Done) => {}
            }
        }
    }
}
