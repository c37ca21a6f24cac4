//! Tests of the crate `ndbytes-arrow`.
