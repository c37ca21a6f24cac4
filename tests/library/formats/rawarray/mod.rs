//! RawArray through the public interface. `peers::rawarray_crate` holds it against the reference reader.

mod encoded;
mod rewrite;
mod write;
