//! The layouts, through their public interface.

mod blosc2;
mod idv;
mod properties;
#[allow(dead_code, reason = "the tests of everybyte use the rest")]
#[path = "../../../everybyte/tests/engine/support.rs"]
mod support;
mod values;
