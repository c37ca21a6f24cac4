//! The codecs of the library numcodecs, which Zarr 2 uses.

use crate::zarr::codecs::steps::{Step, named};
use crate::zarr::read_error::Result;
use serde_json::Value;

/// Returns the numcodecs codec with this id and configuration.
pub fn step(id: &str, configuration: &Value) -> Result<Step> {
    match named(id) {
        Some(Step::Crc32c { .. }) => {
            let place = configuration.get("location").and_then(Value::as_str);
            Ok(Step::Crc32c { is_first: place == Some("start") })
        }
        Some(step) => Ok(step),
        None => Err(format!("the codec {id:?} is not one that ndbytes reads").into()),
    }
}
