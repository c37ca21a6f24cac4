//! The path steps of structures at offsets.

use super::frame::{Frame, Part};
use super::recording::Recording;
use crate::elsewhere;
use crate::label::Label;
use crate::nodes::{Index, NONE};
use crate::reference::Layout;

impl Recording {
    /// The step of the field that is being read; [`NONE`] for the root.
    pub fn step(&mut self) -> u32 {
        let mut around = NONE;
        for place in 1..self.open.len() {
            let Frame { part, step, .. } = self.open[place];
            around = match step {
                NONE => self.asides.push(part.name, part.index, around),
                step => step,
            };
            self.open[place].step = around;
        }
        around
    }

    /// The step of the structure that is being read, which may have no node.
    pub fn step_of_paused(&mut self) -> u32 {
        if self.asides.under != NONE {
            return self.asides.under;
        }
        let list = self.step();
        match self.asides.element {
            Some((name, index)) => self.asides.push(name, Some(Index::One(index)), list),
            None => list,
        }
    }

    /// Opens a field at an offset, after the step of its enclosing field.
    pub fn begin_aside<V: Layout>(&mut self, part: Part, label: Option<&'static Label>, around: u32) {
        let number = self.unlinked::<V>(part, label);
        match number {
            NONE => elsewhere::cut(),
            number => self.asides.all.push((number, around)),
        }
        let mark = self.nodes.mark();
        self.open.push(Frame::new(part, number, mark));
    }
}
