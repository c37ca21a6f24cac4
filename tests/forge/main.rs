//! What the forge makes: a module a kind.

mod support;
