//! Large arrays from small inputs. The payload is computed on request, so no file of that length is needed.

mod axis_selection;
mod chunks;
mod pattern;
mod sample;
mod source;

pub use sample::Sample;
