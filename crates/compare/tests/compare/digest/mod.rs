//! Digests of bytes and of values, through the public interface. Equal values have equal digests, and different values
//! have different ones.

mod definition;

use ndarray::{Array2, ArrayD, IxDyn, arr1};
use ndbytes::b2nd::{self, B2ndElement, Codec};
use ndbytes::idv::Compression;
use ndbytes::npy::NpyElement;
use ndbytes::rawarray::{self, Order};
use ndbytes::{Error, Input, ItemType, Limits, Options, idx, npy};
use ndbytes_compare::digest;
use ndbytes_testkit::tables::made;
use ndbytes_testkit::tables::model::Settings;
use ndbytes_testkit::{corpus, project};
use std::fs;

/// The digest of the values of a file in memory.
pub fn values(file: &[u8]) -> String {
    let limits = Limits::default();
    digest::values(&Input::from_slice(file, limits), &limits).unwrap().to_string()
}

pub fn npy_of<T: NpyElement>(array: &ArrayD<T>, is_fortran_order: bool) -> Vec<u8> {
    let mut file = Vec::new();
    npy::Writer::new().fortran_order(is_fortran_order).write_to(&mut file, array).unwrap();
    file
}

fn b2nd_of<T: B2ndElement>(array: &ArrayD<T>, writer: b2nd::Writer) -> Vec<u8> {
    writer.to_vec(array).unwrap()
}

/// An array with several leaves.
fn numbers(shape: &[usize]) -> ArrayD<f32> {
    let count = shape.iter().product::<usize>();
    ArrayD::from_shape_vec(IxDyn(shape), (0..count).map(|item| item as f32 * 0.37 - 3e4).collect()).unwrap()
}

#[test]
fn digests_of_bytes_are_those_of_blake3() {
    let file = fs::read(project().join("samples/temperatures.b2nd")).unwrap();
    let of_slice = digest::bytes(&Input::from_slice(&file, Limits::default())).unwrap();
    assert_eq!(of_slice.as_bytes()[..], blake3::hash(&file).as_bytes()[..16]);
    assert_eq!(of_slice.to_string(), blake3::hash(&file).to_hex()[..32]);
    let mapped = Input::open(project().join("samples/temperatures.b2nd"), Limits::default()).unwrap();
    assert_eq!(digest::bytes(&mapped).unwrap(), of_slice);
}

#[test]
fn digests_of_values_are_the_same_in_any_format_order_codec_and_chunks() {
    for shape in [&[168, 6][..], &[3, 700, 41], &[5], &[1, 90_000], &[], &[0, 4]] {
        let array = numbers(shape);
        let file = npy_of(&array, false);
        let expected = values(&file);
        assert_eq!(values(&npy_of(&array, true)), expected, "{shape:?} in Fortran order");
        let folder = tempfile::tempdir().unwrap();
        if !shape.is_empty() {
            let path = folder.path().join("array.idx");
            idx::write(&path, &array).unwrap();
            assert_eq!(values(&fs::read(&path).unwrap()), expected, "{shape:?} as IDX, big-endian");
        }
        let path = folder.path().join("array.ra");
        rawarray::write(&path, &array, Order::Fortran).unwrap();
        assert_eq!(values(&fs::read(&path).unwrap()), expected, "{shape:?} as RawArray");
        for codec in [Codec::BLOSCLZ, Codec::ZSTD] {
            let writer = b2nd::Writer::new().codec(codec);
            assert_eq!(values(&b2nd_of(&array, writer)), expected, "{shape:?} in {codec:?}");
        }
        if shape.len() == 2 && array.len() > 1 {
            let writer = b2nd::Writer::new().chunks([shape[0].min(50), 4]).blocks([7.min(shape[0]), 3]);
            assert_eq!(values(&b2nd_of(&array, writer)), expected, "{shape:?} in other chunks");
        }
    }
}

#[test]
fn digests_of_values_are_the_same_from_memory_and_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let (path, limits) = (folder.path().join("large.npy"), Limits::default());
    let file = npy_of(&numbers(&[1000, 2011]), false);
    fs::write(&path, &file).unwrap();
    let mapped = digest::values(&Input::open(&path, limits).unwrap(), &limits).unwrap();
    assert_eq!(mapped.to_string(), values(&file));
    let one_thread = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    assert_eq!(one_thread.install(|| values(&file)), values(&file));
}

#[test]
fn digests_of_values_differ_by_every_bit_the_shape_and_the_type() {
    let array = numbers(&[40, 1000]);
    let expected = values(&npy_of(&array, false));
    for item in [0, 1, 16_383, 16_384, 39_999] {
        let mut other = array.clone();
        let changed = other.as_slice_mut().unwrap();
        changed[item] = f32::from_bits(changed[item].to_bits() ^ 1);
        assert_ne!(values(&npy_of(&other, false)), expected, "item {item}");
    }
    let reshaped = array.clone().into_shape_with_order(IxDyn(&[1000, 40])).unwrap();
    assert_ne!(values(&npy_of(&reshaped, false)), expected);
    let bits = array.mapv(|item| item.to_bits());
    assert_ne!(values(&npy_of(&bits, false)), expected);

    let of = |item: u32| values(&npy_of(&arr1(&[f32::from_bits(item)]).into_dyn(), false));
    assert_ne!(of(0), of(0x8000_0000), "the sign of zero");
    assert_ne!(of(0x7FC0_0000), of(0x7FC0_0001), "the payload of NaN");
}

#[test]
fn digests_of_values_leave_out_padding() {
    let of = |item_type: &str, items: &[u8]| {
        let item_type: ItemType = item_type.parse().unwrap();
        let shape = [items.len() / item_type.size() as usize];
        values(&b2nd::Writer::new().bytes_to_vec(&shape, &item_type, items).unwrap())
    };
    let aligned = "{'names': ['a', 'b'], 'formats': ['i1', '<i2'], 'offsets': [0, 2], 'itemsize': 6}";
    let packed = of("[('a', 'i1'), ('b', '<i2')]", &[1, 2, 3, 4, 5, 6]);
    assert_eq!(of(aligned, &[1, 99, 2, 3, 98, 97, 4, 96, 5, 6, 95, 94]), packed);
    assert_eq!(of("[('a', 'i1'), ('b', '>i2')]", &[1, 3, 2, 4, 6, 5]), packed);
    assert_ne!(of("[('a', 'i1'), ('c', '<i2')]", &[1, 2, 3, 4, 5, 6]), packed);

    let mut number = [0_u8; 16];
    number[9] = 0x3F;
    let clean = of("<f16", &number);
    number[15] = 7;
    assert_eq!(of("<f16", &number), clean);
    number[9] = 0x3E;
    assert_ne!(of("<f16", &number), clean);
}

#[test]
fn digests_of_values_tell_what_was_never_written_from_zeros() {
    let of = |name: &str| values(&fs::read(corpus::root().join("b2nd/ok").join(name)).unwrap());
    assert_ne!(of("special-uninitialised.b2nd"), of("special-zeros.b2nd"));
    let array = b2nd::open(corpus::root().join("b2nd/ok/special-zeros.b2nd")).unwrap();
    let zeros = array.to_bytes().unwrap();
    let written = b2nd::Writer::new().bytes_to_vec(array.shape(), array.item_type(), &zeros).unwrap();
    assert_eq!(of("special-zeros.b2nd"), values(&written));
}

#[test]
fn digests_of_tables_are_the_same_in_any_blocks_and_compression() {
    for model in [made::all_scalars(9), made::annotated(20, 3), made::all_scalars(5000)] {
        let expected = values(&model.bytes(Settings::new(Compression::NONE)));
        for settings in [
            Settings::new(Compression::DEFLATE),
            Settings::new(Compression::NONE).rows_per_block(7),
            Settings::new(Compression::DEFLATE).rows_per_block(4097),
        ] {
            assert_eq!(values(&model.bytes(settings)), expected, "{settings:?}");
        }
        let mut renamed = model.clone();
        renamed.columns[0].name.push('2');
        assert_ne!(values(&renamed.bytes(Settings::new(Compression::NONE))), expected, "a column is renamed");
        let mut changed = model.clone();
        let last = changed.columns[0].cells.len() - 1;
        changed.columns[0].cells.swap(0, last);
        assert_ne!(values(&changed.bytes(Settings::new(Compression::NONE))), expected, "two rows change places");
    }
}

#[test]
fn digests_of_values_are_refused_beyond_the_limits() {
    let limits = Limits::default().output(99);
    let array: Array2<u8> = Array2::zeros((10, 10));
    let file = npy_of(&array.into_dyn(), false);
    let refused = digest::values(&Input::from_slice(&file, limits), &limits).unwrap_err();
    assert!(matches!(refused, Error::Invalid(finding) if finding.rule.id == "limit-exceeded"));
    let array = Options::new().from_slice(&file).unwrap().into_array().unwrap();
    assert_eq!(digest::of_array(&array, &Limits::default().output(100)).unwrap().to_string(), values(&file));
}
