//! Arbitrary text as the type in the header of a `.npy` file.

use crate::bounds::limits;
use crate::bytes;
use everybyte::{
    Endian,
    bytes::{Region, Rest},
    write,
};
use ndbytes::npy::{Options, Writer};
use ndbytes::{Checker, Error, ItemType, Limits};
use ndbytes_schemas::npy::{Header, Npy, Text};

/// Checks the text. A valid type must be converted to a text for the same type, and NumPy's text for it must be readable.
pub fn examine(text: &[u8]) {
    let text = [&b"{'descr': "[..], text, b", 'fortran_order': False, 'shape': (0,), }\n"].concat();
    for (major, header) in [(2, Header::Long { text: Text(text.clone()) }), (3, Header::Unicode { text: Text(text) })] {
        let file = Npy { major, minor: 0, header, payload: Region::default(), trailing: Rest::default() };
        examine_file(&write(&file, Endian::Little).expect("its length fits"));
    }
}

fn examine_file(file: &[u8]) {
    let report = Checker::new().limits(limits()).check_slice(file).expect("bytes in memory can be read");
    let options = Options::new().limits(limits());
    assert_eq!(options.from_slice(file).is_ok(), bytes::is_accepted(&report), "{report:?}");
    let tolerant = ndbytes::rules().fold(options.clone(), Options::tolerate);
    let Ok(array) = tolerant.from_slice(file) else { return };
    let item_type = array.item_type();
    let said = item_type.to_string();
    assert_eq!(said.parse::<ItemType>().as_ref(), Ok(item_type), "{said}");
    let mut again = Vec::new();
    match Writer::new().write_items_to(&mut again, &mut *array.items(), &Limits::default()) {
        Ok(()) => {}
        Err(Error::Inexpressible { .. }) => return,
        Err(error) => panic!("{error}"),
    }
    let again = options.from_slice(&again).expect("what was written can be read");
    assert_eq!((again.shape(), again.item_type()), (array.shape(), item_type));
}
