//! The frozen files, compared with the values that ML.NET reads.

use super::open;
use ndbytes::idv::{self, DateTimeOffset, Items, Options, Value};
use ndbytes::schemas::idv::Version;
use ndbytes::{Input, Limits, Verdict};
use ndbytes_testkit::tables::json::{Json, Nulls, difference};
use ndbytes_testkit::tables::{self, all_frozen, made};

#[test]
fn frozen_files_hold_what_mlnet_reads() {
    for path in all_frozen() {
        let what = path.display();
        let expected = Json::parse(&std::fs::read_to_string(format!("{what}.json")).unwrap());
        let table = idv::open(&path).unwrap_or_else(|error| panic!("{what}: {error}"));
        let nulls = if table.version() <= Version::V5 { Nulls::Defaults } else { Nulls::None };
        let found = tables::read(&table).unwrap();
        assert_eq!(difference(&found, &expected, nulls), None, "{what}");
        let report = ndbytes::check(&path, &Limits::default()).unwrap();
        assert_ne!(report.verdict(), Verdict::Error, "{what}: {:?}", report.findings());

        // The values are the same, whatever the source of the bytes.
        let bytes = std::fs::read(&path).unwrap();
        let from_slice = tables::read(&idv::from_slice(&bytes).unwrap()).unwrap();
        let from_reader = tables::read(&idv::from_reader(&bytes[..]).unwrap()).unwrap();
        let from_input =
            tables::read(&Options::new().read(Input::from_slice(&bytes, Limits::default())).unwrap()).unwrap();
        assert!(from_slice == found && from_reader == found && from_input == found, "{what}");
    }
}

#[test]
fn frozen_values_are_read_exactly() {
    let table = open("mlnet/prims_none.idv");
    assert_eq!((table.rows(), table.version(), table.compatible_version()), (15, Version::V6, Version::V6));
    let items = |name: &str| table.column(name).unwrap().read().unwrap().into_items();
    let Items::I8(i1) = items("i1") else { panic!() };
    assert_eq!(i1[..7], [0, 1, -1, i8::MIN, i8::MAX, 42, 0]);
    let Items::U64(u8) = items("u8") else { panic!() };
    assert_eq!(u8[..6], [0, 1, 1 << 32, i64::MAX as u64, 1 << 63, u64::MAX]);
    let Items::F32(r4) = items("r4") else { panic!() };
    let bits: Vec<u32> = r4.iter().map(|number| number.to_bits()).collect();
    assert_eq!(bits[3..7], [0xFFC0_0000, 0x7F80_0000, 0xFF80_0000, 0x8000_0000]);
    assert_eq!(bits[12..14], [0x7FC1_2345, 0x7F80_0001]);
    let Items::Bool(bl) = items("bl") else { panic!() };
    assert_eq!(bl[..11], [false, true, true, false, true, false, false, false, true, true, true]);
    let Items::Text(tx) = items("tx") else { panic!() };
    let tx: Vec<&str> = tx.iter().map(|text| text.to_str().unwrap()).collect();
    assert_eq!(tx[4..8], ["éüß", "日本語", "😀🌍", "tab\there \"quoted\" back\\slash"]);
    assert_eq!(tx[14], "\u{10437}x");
    let Items::DateTimeOffset(dz) = items("dz") else { panic!() };
    assert_eq!(dz[3], DateTimeOffset { ticks: 636_977_989_230_000_000, offset_minutes: -570 });
    let Items::RowId(ri) = items("ri") else { panic!() };
    assert_eq!(ri[4], 0xFEDC_BA98_7654_3210_0123_4567_89AB_CDEF);
    let Items::I64(dt) = items("dt") else { panic!() };
    assert_eq!(dt[..2], [0, made::LAST_TICK]);

    let table = open("mlnet/vec_sparse_dense_mix.idv");
    let values = table.column("v").unwrap().read().unwrap();
    let vector = values.vector(7).unwrap();
    assert_eq!((vector.len(), vector.indices()), (6, Some(&[0, 5][..])));
    assert_eq!(vector.get(0), Some(Value::F64(f64::MAX)));
    assert_eq!(
        (vector.get(1), vector.get(5), vector.get(6)),
        (Some(Value::F64(0.0)), Some(Value::F64(f64::MIN)), None)
    );
    let dense = values.vector(0).unwrap();
    assert_eq!((dense.indices(), dense.get(2), dense.is_empty()), (None, Some(Value::F64(-1.5)), false));
    assert_eq!((values.vector(20), values.get(20)), (None, None));
}
