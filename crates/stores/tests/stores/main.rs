//! Files at URLs, on servers of this machine: honest ones, and ones that lie.

#![allow(clippy::disallowed_methods, reason = "the tests trust their own files")]

mod lies;
mod objects;
mod web;
