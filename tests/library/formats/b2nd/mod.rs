//! b2nd through the public interface.

mod read;
mod structures;
mod write;
