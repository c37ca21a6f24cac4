//! Tests of the command `convert`.
