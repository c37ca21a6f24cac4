//! The words of safetensors.

use super::words::Dictionary;
use everybyte::{
    Endian,
    bytes::{Region, Rest},
};
use ndbytes_schemas::npy::Text;
use ndbytes_schemas::safetensors::SafeTensors;

/// Returns the words of safetensors.
pub(super) fn safetensors() -> Dictionary {
    const WORDS: [&str; 18] = [
        "{\"__metadata__\":{\"format\":\"pt\"},",
        "\"dtype\":",
        "\"shape\":",
        "\"data_offsets\":",
        "\"BOOL\"",
        "\"U8\"",
        "\"F8_E4M3\"",
        "\"F4\"",
        "\"F6_E2M3\"",
        "\"BF16\"",
        "\"F32\"",
        "\"C64\"",
        "\"I64\"",
        "[0,4]",
        "[18446744073709551615,2]",
        "null",
        "\\u0061",
        "}}",
    ];
    let mut dictionary = Dictionary::default();
    dictionary.layout::<SafeTensors>(&[Endian::Little]);
    let header = br#"{"a":{"dtype":"U8","shape":[],"data_offsets":[0,1]}}"#.to_vec();
    let file = SafeTensors { header: Text(header), tensors: Region::default(), trailing: Rest::default() };
    dictionary.written("one_tensor", &file, Endian::Little);
    for (number, word) in WORDS.iter().enumerate() {
        dictionary.add(format!("word_{number}"), (*word).into());
    }
    dictionary
}
