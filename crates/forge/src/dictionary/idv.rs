//! The words of IDV.

use super::words::Dictionary;
use everybyte::{Endian, bytes::Region, trace::length_of, varint::Leb128};
use ndbytes_schemas::idv::{
    Annotations, Codec, Columns, Compression, Header as IdvHeader, Key, Lookup, NetString, Parameters, SlotNames, Tail,
    VectorOf, Version,
};

/// Names of codecs.
const CODECS: [&str; 25] = [
    "SByte",
    "Int16",
    "Int32",
    "Int64",
    "Byte",
    "UInt16",
    "UInt32",
    "UInt64",
    "Single",
    "Double",
    "Boolean",
    "TextSpan",
    "TimeSpan",
    "DateTime",
    "DateTimeOffset",
    "DataViewRowId",
    "DvBool",
    "DvTimeSpan",
    "DvDateTime",
    "DvDateTimeZone",
    "RowId",
    "UInt128",
    "VBuffer",
    "Key2",
    "Key",
];

/// Kinds of annotations.
const KINDS: [&str; 9] = [
    "SlotNames",
    "KeyValues",
    "IsNormalized",
    "IsUserVisible",
    "CategoricalSlotRanges",
    "ScoreColumnSetId",
    "ScoreColumnKind",
    "ScoreValueKind",
    "TrainingLabelValues",
];

/// Returns the words of IDV.
pub(super) fn idv() -> Dictionary {
    let little = Endian::Little;
    let mut dictionary = Dictionary::default();
    dictionary.magic::<IdvHeader>(little);
    dictionary.magic::<Tail>(little);
    for back in 0..5 {
        let version = Version(Version::V6.0 - back);
        dictionary.written(&format!("version_{version}"), &version, little);
    }
    for name in CODECS {
        let codec = codec(name, Parameters::Other { bytes: Region::default() });
        match codec.storage() {
            Some(_) => dictionary.written(&format!("codec_{name}"), &codec, little),
            // A third-party codec, followed by its parameters.
            None => dictionary.written(&format!("codec_{name}"), &NetString::new(name), little),
        }
    }
    let number = || Box::new(codec("UInt32", Parameters::Other { bytes: Region::default() }));
    let key = || codec("Key2", Parameters::Key { key: Key { number: number(), count: 3 } });
    dictionary.written("codec_of_keys", &key(), little);
    for (name, item) in [("numbers", number()), ("keys", Box::new(key()))] {
        let vector =
            |item: &Codec, dims| Parameters::Vector { vector: VectorOf { item: Box::new(item.clone()), dims } };
        dictionary.written(&format!("codec_of_vectors_of_{name}"), &codec("VBuffer", vector(&item, vec![2])), little);
        dictionary.written(
            &format!("codec_of_any_vectors_of_{name}"),
            &codec("VBuffer", vector(&item, vec![0])),
            little,
        );
    }
    KINDS.iter().for_each(|kind| dictionary.written(&format!("kind_{kind}"), &NetString::new(*kind), little));
    for compression in [Compression::NONE, Compression::DEFLATE, Compression::ZLIB] {
        dictionary.written(&format!("compression_{}", compression.name().unwrap_or_default()), &compression, little);
    }
    dictionary.layout::<IdvHeader>(&[little]);
    dictionary.layout::<Columns>(&[little]);
    dictionary.layout::<Lookup>(&[little]);
    dictionary.layout::<Annotations>(&[little]);
    dictionary.layout::<SlotNames>(&[little]);
    dictionary
}

/// Returns a codec with these parameters.
fn codec(name: &str, parameters: Parameters) -> Codec {
    let parameters_length = Leb128::new(length_of(&parameters, Endian::Little));
    Codec { name: NetString::new(name), parameters_length, parameters, excess: Region::default() }
}
