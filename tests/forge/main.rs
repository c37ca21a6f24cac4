//! What the forge makes: a module a kind.

mod idv;
mod idx;
mod b2nd;
mod support;
