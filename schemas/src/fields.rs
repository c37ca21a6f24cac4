//! The vocabulary of field types that formats share.

mod nul_string;
pub(crate) mod region;
mod zeros;

pub use nul_string::NulString;
pub use region::{Region, RegionArgs, Rest};
pub use zeros::Zeros;
