//! The vocabulary of field types that formats share.

mod leb128;
mod net_string;
mod nul_string;
mod numbers;
pub(crate) mod region;
mod zeros;

pub use leb128::Leb128;
pub(crate) use net_string::ensure_net_length;
pub use net_string::{NetString, net_text};
pub use nul_string::NulString;
pub use numbers::{Number, Numbers, NumbersArgs};
pub use region::{Bytes, Region, RegionArgs, Rest};
pub use zeros::Zeros;
