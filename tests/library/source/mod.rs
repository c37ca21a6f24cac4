//! Files that are read in ranges.

mod changing;
mod corpus;
mod ends;
mod faults;
mod large;
mod requests;
mod web;
