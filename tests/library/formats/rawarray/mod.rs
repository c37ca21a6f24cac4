//! RawArray through the public interface. `peers::rawarray_crate` compares it with the reference reader.

mod encoded;
mod rewrite;
mod write;
