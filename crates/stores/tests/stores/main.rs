//! Files at URLs, on servers of this machine: honest ones, and ones that lie.

mod lies;
mod objects;
mod web;
