//! The layouts of IDV, through the public interface.

use everybyte::{Layout, bytes::Region, varint::Leb128};
use ndbytes_schemas::idv::{Codec, Key, NetString, Parameters};

#[test]
fn what_a_value_holds_in_memory_is_its_texts_lists_and_boxes() {
    let plain = |name: &str| Codec {
        name: NetString::new(name),
        parameters_length: Leb128::new(0),
        parameters: Parameters::Other { bytes: Region::default() },
        excess: Region::default(),
    };
    assert_eq!(plain("Byte").heap(), 4);
    let key = Key { number: Box::new(plain("Int32")), count: 2 };
    assert_eq!(key.heap(), size_of::<Codec>() as u64 + 5);
    let outer = Codec { parameters: Parameters::Key { key: key.clone() }, ..plain("Key2") };
    assert_eq!(outer.heap(), key.heap() + 4);
    assert_eq!(vec![outer.clone()].heap(), size_of::<Codec>() as u64 + outer.heap());
}
