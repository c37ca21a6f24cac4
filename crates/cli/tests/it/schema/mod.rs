//! `schema`: the declarations as documentation, and as definitions for other programs.

mod definitions;
mod json;
mod read_back;
