//! The codecs of numcodecs, by which Zarr 2 is stored.

use crate::zarr::codecs::steps::Step;
use crate::zarr::flaw::Result;
use serde_json::Value;

/// A codec of numcodecs.
pub fn step(id: &str, configuration: &Value) -> Result<Step> {
    match id {
        "gzip" => Ok(Step::Gzip),
        "zlib" => Ok(Step::Zlib),
        "zstd" => Ok(Step::Zstd),
        "blosc" => Ok(Step::Blosc),
        "lz4" => Ok(Step::Lz4),
        "crc32c" => {
            let place = configuration.get("location").and_then(Value::as_str);
            Ok(Step::Crc32c { is_first: place == Some("start") })
        }
        id => Err(format!("the codec {id:?} is not one that ndbytes reads").into()),
    }
}
