//! Metalayers and attributes.

use super::{assert_clean, assert_slice_clean, inexpressible, ramp};
use ndbytes::b2nd::{self, Writer};
use ndbytes_testkit::b2nd::Numbers;
use std::fs;

#[test]
fn metalayers_and_attributes_are_written() {
    let value = rmpv::Value::Map(vec![
        ("unit".into(), "K".into()),
        ("range".into(), rmpv::Value::Array(vec![1.into(), 2.5.into()])),
    ]);
    let long = rmpv::Value::from("x".repeat(5_000_000));
    let name = "n".repeat(31);
    let writer = Writer::new()
        .metalayer("first", &value)
        .and_then(|writer| writer.metalayer_bytes(&name, [0xc1, 0xff]))
        .and_then(|writer| writer.attribute("description", &value))
        .and_then(|writer| writer.attribute("long", &long))
        .and_then(|writer| writer.attribute_bytes("\u{e9}", [7]))
        .unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (path, sparse) in [("a.b2nd", false), ("folder.b2nd", true)] {
        let path = folder.path().join(path);
        writer.clone().sparse(sparse).write(&path, &ramp(&[10, 20])).unwrap();
        assert_clean(&path);
        let array = b2nd::open(&path).unwrap();
        assert_eq!(array.metalayer_names(), ["first", &name]);
        assert_eq!(array.metalayer_value("first").unwrap(), value);
        assert_eq!(array.metalayer(&name).unwrap(), [0xc1, 0xff]);
        assert_eq!(array.attribute_names(), ["description", "long", "\u{e9}"]);
        assert_eq!(array.attribute_value("description").unwrap(), value);
        assert_eq!(array.attribute_value("long").unwrap(), long);
        assert_eq!(array.attribute("\u{e9}").unwrap(), [7]);
        assert!(fs::metadata(if sparse { path.join("chunks.b2frame") } else { path }).unwrap().len() < 20_000);
    }
}

#[test]
fn metalayers_and_attributes_that_do_not_fit_are_refused() {
    let nil = rmpv::Value::Nil;
    for name in ["", &"n".repeat(32), "b2nd", "caterva", "LazyArray", "b2o", "proxy-source"] {
        inexpressible(Writer::new().metalayer(name, &nil));
    }
    for name in ["", &"n".repeat(32)] {
        inexpressible(Writer::new().attribute(name, &nil));
    }
    inexpressible(Writer::new().metalayer_bytes("a", []));
    inexpressible(Writer::new().attribute_bytes("a", []));
    let mut writer =
        Writer::new().metalayer("0", &nil).unwrap().attribute("0", &nil).unwrap().attribute("b2nd", &nil).unwrap();
    inexpressible(writer.clone().metalayer("0", &nil));
    inexpressible(writer.clone().attribute("0", &nil));
    for number in 1..15 {
        writer = writer.metalayer(&number.to_string(), &nil).unwrap().attribute(&number.to_string(), &nil).unwrap();
    }
    inexpressible(writer.clone().metalayer("15", &nil));
    inexpressible(writer.clone().attribute("15", &nil));
    let bytes = writer.to_vec(&ramp(&[3])).unwrap();
    assert_slice_clean(&bytes);
    let array = b2nd::from_slice(&bytes).unwrap();
    assert_eq!((array.metalayer_names().len(), array.attribute_names().len()), (15, 16));
    // The header must be read before anything else.
    let writer = Writer::new().metalayer_bytes("large", vec![0; 1 << 20]).unwrap();
    inexpressible(writer.to_vec(&ramp(&[3])));
    let writer = Writer::new().metalayer_bytes("large", vec![0; (1 << 20) - 1000]).and_then(|w| w.metalayer("b", &nil));
    assert_slice_clean(&writer.unwrap().to_vec(&ramp(&[3])).unwrap());
}

#[test]
fn long_attributes_are_written() {
    let mut numbers = Numbers::new("attributes");
    let noise: Vec<u8> = (0..300_000).map(|_| numbers.below(256) as u8).collect();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.b2nd");
    let mut writer = Writer::new();
    for number in 0..4 {
        writer = writer.attribute_bytes(&number.to_string(), noise.clone()).unwrap();
    }
    writer.write(&path, &ramp(&[0])).unwrap();
    assert_clean(&path);
    let array = b2nd::open(&path).unwrap();
    assert!((0..4).all(|number: u8| array.attribute(&number.to_string()).unwrap() == noise));
}
