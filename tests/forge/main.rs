//! What the forge makes: a module a kind.

mod b2nd;
mod idx;
mod mutants;
mod support;
