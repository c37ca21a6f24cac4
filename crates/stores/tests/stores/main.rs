//! Files at URLs, on local servers, both honest and lying.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod lies;
mod objects;
mod web;
