//! Files of tensors, in any format: their checks, their maps, and the tensors as arrays.

pub(crate) mod answer;
pub(crate) mod info;
mod map;
pub(crate) mod open;
