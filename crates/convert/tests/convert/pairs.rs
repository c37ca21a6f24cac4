//! Every pair of kinds, every element type and every order yields equal values, or a known refusal.

use crate::support::{Values, array, kinds, written};
use ndbytes::ndarray::{ArrayD, IxDyn, SliceInfoElem, s};
use ndbytes::num_complex::Complex;
use ndbytes::{Array, Limits, b2nd, idx, npy, rawarray};
use ndbytes_convert::{ArraySource, Error, FileKind, Options, Source, Target, convert};
use std::fs;

const SHAPE: [usize; 3] = [5, 3, 4];

fn as_kind(parts: Vec<ArraySource<'_>>, kind: FileKind) -> Result<Vec<u8>, Error> {
    let sources: Vec<Source<'_>> = parts.into_iter().map(Source::Array).collect();
    let mut bytes = Vec::new();
    convert(&sources, kind, Target::Stream(&mut bytes), &Options::new().strict(true))?;
    Ok(bytes)
}

/// Writes one array as a file of every kind that can hold it.
fn files<T>(item: impl Fn(usize) -> T) -> Vec<(FileKind, Vec<u8>)>
where
    T: npy::NpyElement,
{
    let array = ArrayD::from_shape_fn(IxDyn(&SHAPE), |place| item(place[0] * 12 + place[1] * 4 + place[2]));
    let mut in_c = Vec::new();
    npy::Writer::new().write_to(&mut in_c, &array).unwrap();
    let mut in_fortran = Vec::new();
    npy::Writer::new().fortran_order(true).write_to(&mut in_fortran, &array).unwrap();
    let mut files = vec![(FileKind::Npy, in_c), (FileKind::Npy, in_fortran)];
    for kind in kinds() {
        let stored = crate::support::array(&files[0].1);
        match as_kind(vec![ArraySource::new("it", &stored)], kind) {
            Ok(bytes) => files.push((kind, bytes)),
            Err(error) => assert!(error.to_string().contains(" cannot hold "), "{kind}: {error}"),
        }
    }
    files
}

/// Converts these elements from every kind that can hold them to every other.
fn assert_pairs<T: npy::NpyElement>(item: impl Fn(usize) -> T, expected: &[FileKind]) {
    let files = files(item);
    let mut held: Vec<FileKind> = files[2..].iter().map(|(kind, _)| *kind).collect();
    held.sort();
    assert_eq!(held, expected);
    let values = Values::of(&array(&files[0].1));
    // Containers are read in a different way.
    for (from, bytes) in files.iter().filter(|(kind, _)| !kind.holds_several()) {
        let source = array(bytes);
        assert_eq!(Values::of(&source), values, "{from}");
        for kind in kinds() {
            match as_kind(vec![ArraySource::new("it", &source)], kind) {
                Ok(bytes) => assert_eq!(written(kind, &bytes), values, "{from} → {kind}"),
                Err(error) => {
                    assert!(!expected.contains(&kind), "{from} → {kind}: {error}");
                    assert!(error.to_string().contains(" cannot hold "), "{from} → {kind}: {error}");
                }
            }
        }
    }
}

#[test]
fn every_kind_of_every_kind_has_equal_values() {
    let all = &kinds().collect::<Vec<_>>();
    let no_idx = &all[2..];
    let without = |kinds: &[FileKind], other| kinds.iter().copied().filter(|kind| *kind != other).collect::<Vec<_>>();
    let no_gguf = &without(all, FileKind::Gguf);
    let of_python = &no_gguf[2..];
    let complex = &without(of_python, FileKind::Safetensors);
    assert_pairs(|number| number as u8, no_gguf);
    assert_pairs(|number| number as i8 - 30, all);
    assert_pairs(|number| number as i16 * -500, all);
    assert_pairs(|number| number as i32 * -35_000_000, all);
    assert_pairs(|number| f32::from_bits(0x7f80_0001 + number as u32 * 0x0101_0101), all);
    assert_pairs(|number| f64::from_bits(0x7ff0_0000_0000_0001 + number as u64), all);
    assert_pairs(|number| number as u16 * 1000, of_python);
    assert_pairs(|number| number as u32 * 70_000_000, of_python);
    assert_pairs(|number| number as u64 * 0x0123_4567_89ab, of_python);
    assert_pairs(|number| number as i64 * -0x0123_4567_89ab, no_idx);
    assert_pairs(|number| number % 3 == 0, of_python);
    assert_pairs(|number| ndbytes::half::f16::from_bits(number as u16 * 999), no_idx);
    assert_pairs(|number| Complex::new(number as f32, -1.5), complex);
    assert_pairs(|number| Complex::new(f64::NAN, number as f64), complex);
}

#[test]
fn types_that_a_kind_lacks_are_refused_by_name() {
    let array = ArrayD::from_elem(IxDyn(&[2]), 3_u16);
    let mut bytes = Vec::new();
    npy::Writer::new().write_to(&mut bytes, &array).unwrap();
    let stored = crate::support::array(&bytes);
    let refusal = |array: &Array<'_>, kind| as_kind(vec![ArraySource::new("it", array)], kind).unwrap_err().to_string();
    assert_eq!(refusal(&stored, FileKind::Idx), "IDX cannot hold the type u16 of it");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ra");
    let refusals = |kind| {
        let stored = ndbytes::open(&path).unwrap().into_array().unwrap();
        refusal(&stored, kind)
    };
    rawarray::write(&path, &ArrayD::from_elem(IxDyn(&[2]), -3_i128), rawarray::Order::Fortran).unwrap();
    assert_eq!(refusals(FileKind::Idx), "IDX cannot hold items of i128");
    assert_eq!(refusals(FileKind::Npy), ".npy cannot hold the type i128 of it");
    assert_eq!(refusals(FileKind::B2nd), "b2nd cannot hold the type i128 of it");
    let one = ArrayD::from_elem(IxDyn(&[2]), 1_u8);
    rawarray::Writer::new().metadata(*b"kelvin").write(&path, &one, rawarray::Order::Fortran).unwrap();
    assert_eq!(refusals(FileKind::Npy), ".npy cannot hold the 6 bytes of metadata of it");
    rawarray::write(&path, &ArrayD::from_elem(IxDyn(&[]), 1_u8), rawarray::Order::Fortran).unwrap();
    assert_eq!(refusals(FileKind::Idx), "IDX cannot hold an array without axes");
    // An empty array whose items would have 2^62 + 10 bytes each.
    let words: [u64; 6] = [0, 0, (1 << 62) + 10, 0, 1, 0];
    fs::write(&path, [b"rawarray".to_vec(), words.map(u64::to_le_bytes).concat()].concat()).unwrap();
    assert_eq!(
        refusals(FileKind::Npy),
        "NumPy cannot hold items of 4611686018427387914 bytes, which exceed the maximum of 2147483647"
    );
}

#[test]
fn metadata_are_kept_where_they_can_be() {
    let folder = tempfile::tempdir().unwrap();
    let (ra, frame, out) = (folder.path().join("a.ra"), folder.path().join("a.b2nd"), folder.path().join("out"));
    let array = ArrayD::from_elem(IxDyn(&[2, 3]), 7_i32);
    rawarray::Writer::new().metadata(*b"kelvin").write(&ra, &array, rawarray::Order::Fortran).unwrap();
    let writer = b2nd::Writer::new().metalayer("grid", &3.into()).unwrap().attribute("unit", &"K".into()).unwrap();
    writer.write(&frame, &array).unwrap();
    let to = |path, kind| {
        let stored = ndbytes::open(path).unwrap().into_array().unwrap();
        let part = ArraySource::new("it", &stored).select(s![1.., ..].as_ref()).unwrap();
        convert(&[Source::Array(part)], kind, Target::File(&out), &Options::new()).unwrap();
    };
    to(&ra, FileKind::RawArray);
    assert_eq!(rawarray::open(&out).unwrap().metadata().unwrap(), b"kelvin");
    to(&frame, FileKind::B2nd);
    let kept = b2nd::open(&out).unwrap();
    assert_eq!((kept.attribute_value("unit").unwrap().as_str(), kept.shape()), (Some("K"), &[1, 3][..]));
    assert_eq!(kept.metalayer("grid").unwrap(), [3]);
}

#[test]
fn several_arrays_become_one_along_the_first_axis() {
    let files = files(|number| number as i32);
    let single = files.iter().filter(|(kind, _)| !kind.holds_several());
    let arrays: Vec<Array<'_>> = single.map(|(_, bytes)| array(bytes)).collect();
    let one = Values::of(&arrays[0]);
    let slices: [Vec<SliceInfoElem>; 3] =
        [s![.., .., ..].as_ref().to_vec(), s![1..;2, .., ..].as_ref().to_vec(), s![..;-1, .., ..].as_ref().to_vec()];
    let parts = || -> Vec<ArraySource<'_>> {
        let numbered = arrays.iter().enumerate();
        numbered.map(|(place, array)| ArraySource::new("it", array).select(&slices[place % 3]).unwrap()).collect()
    };
    let rows: Vec<&[u8]> = one.bytes.chunks(12 * 4).collect();
    let orders = [vec![0, 1, 2, 3, 4], vec![1, 3], vec![4, 3, 2, 1, 0]];
    let expected: Vec<u8> =
        (0..arrays.len()).flat_map(|place| &orders[place % 3]).flat_map(|row| rows[*row].iter().copied()).collect();
    for kind in kinds().filter(|kind| !kind.holds_several()) {
        let joined = written(kind, &as_kind(parts(), kind).unwrap());
        assert_eq!(joined.shape[1..], SHAPE[1..]);
        assert_eq!(joined.bytes, expected, "{kind}");
    }
}

#[test]
fn arrays_that_are_unlike_are_refused_by_name() {
    let npy = |shape: &[usize]| {
        let mut bytes = Vec::new();
        npy::Writer::new().write_to(&mut bytes, &ArrayD::from_elem(IxDyn(shape), 1_i32)).unwrap();
        bytes
    };
    let (one, other, scalar) = (npy(&[2, 3]), npy(&[2, 4]), npy(&[]));
    let mut wide = Vec::new();
    npy::Writer::new().write_to(&mut wide, &ArrayD::from_elem(IxDyn(&[2, 3]), 1_i64)).unwrap();
    let refusal = |first: &[u8], second: &[u8]| {
        let (first, second) = (array(first), array(second));
        as_kind(vec![ArraySource::new("a", &first), ArraySource::new("b", &second)], FileKind::Npy)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        refusal(&one, &other),
        "b cannot follow a: it has the shape [2, 4], not [2, 3] apart from the first axis"
    );
    assert_eq!(refusal(&one, &wide), "b cannot follow a: it has items of <i8, not <i4");
    assert_eq!(refusal(&scalar, &scalar), "b cannot follow a: it has no axes, or follows an array without axes");
}

#[test]
fn orders_are_exchanged_a_slab_at_a_time() {
    let array =
        ArrayD::from_shape_fn(IxDyn(&[37, 11, 5]), |place| (place[0] * 10_000 + place[1] * 100 + place[2]) as i32);
    let chunked = b2nd::Writer::new().chunks([10, 4, 5]).blocks([5, 2, 5]).to_vec(&array).unwrap();
    let mut row_major = Vec::new();
    npy::Writer::new().write_to(&mut row_major, &array).unwrap();
    for bytes in [&chunked, &row_major] {
        let stored = crate::support::array(bytes);
        // The memory limit determines the size of the slabs.
        for memory in [300, 4_000, 20_000, 1 << 20] {
            let sources = [Source::Array(ArraySource::new("it", &stored))];
            let options = Options::new().limits(Limits::default().memory(memory));
            let mut written = Vec::new();
            convert(&sources, FileKind::RawArray, Target::Stream(&mut written), &options).unwrap();
            let back = rawarray::from_slice(&written).unwrap();
            assert_eq!(back.to_array::<i32>(rawarray::Order::Fortran).unwrap(), array, "{memory}");
        }
    }
}

#[test]
fn idx_of_bits_that_idx_lacks_is_the_same_numbers_with_losses() {
    let array = ArrayD::from_shape_fn(IxDyn(&[3, 2]), |place| (place[0] * 30_000 + place[1]) as u16);
    let mut bytes = Vec::new();
    npy::Writer::new().write_to(&mut bytes, &array).unwrap();
    let stored = crate::support::array(&bytes);
    let mut written = Vec::new();
    let sources = [Source::Array(ArraySource::new("it", &stored))];
    let losses = convert(&sources, FileKind::Idx, Target::Stream(&mut written), &Options::new().lossy(true)).unwrap();
    let words = "IDX cannot hold the type u16 of it, whose items become the same numbers of type i32";
    assert_eq!(losses.iter().map(ToString::to_string).collect::<Vec<_>>(), [words]);
    let back = idx::from_slice(&written).unwrap().to_array::<i32>().unwrap();
    assert_eq!(back, array.mapv(i32::from));
}
