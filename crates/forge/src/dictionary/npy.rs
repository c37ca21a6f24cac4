//! The words of `.npy`.

use super::words::Dictionary;
use everybyte::{
    Endian,
    bytes::{Region, Rest},
};
use ndbytes_schemas::npy::{Header as NpyHeader, Npy, Text};

/// Returns the words of `.npy`.
pub(super) fn npy() -> Dictionary {
    const WORDS: [&str; 24] = [
        "{'descr': ",
        "'fortran_order': ",
        "'shape': ",
        "True",
        "False",
        "None",
        "'<f4'",
        "'>i8'",
        "'|u1'",
        "'|b1'",
        "'|O'",
        "'|S3'",
        "'<U2'",
        "'|V4'",
        "'<M8[ns]'",
        "'>m8[25s]'",
        "'<c16'",
        "[('a', '|u1'), ('b', '<i2', (2,))]",
        "(3,)",
        "()",
        "3L",
        "0x3",
        "9223372036854775807",
        ", }",
    ];
    let mut dictionary = Dictionary::default();
    dictionary.layout::<Npy>(&[Endian::Little]);
    let file = |major, header| Npy { major, minor: 0, header, payload: Region::default(), trailing: Rest::default() };
    let text = || b"{'descr':'|u1','fortran_order':False,'shape':()}".to_vec();
    dictionary.magic::<Npy>(Endian::Little);
    dictionary.written("version_1", &file(1, NpyHeader::Short { text: Text(text()) }), Endian::Little);
    dictionary.written("version_3", &file(3, NpyHeader::Unicode { text: Text(text()) }), Endian::Little);
    for (number, word) in WORDS.iter().enumerate() {
        dictionary.add(format!("word_{number}"), (*word).into());
    }
    dictionary
}
