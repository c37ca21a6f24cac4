//! Files that are read by ranges.

mod changing;
mod corpus;
mod ends;
mod faults;
mod large;
mod requests;
mod web;
