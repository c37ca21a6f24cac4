//! What the forge makes: a module a kind.

mod idx;
mod b2nd;
mod support;
