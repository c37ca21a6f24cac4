//! What the forge makes: a module a kind.

mod idx;
mod support;
