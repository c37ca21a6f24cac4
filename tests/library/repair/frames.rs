//! b2nd files without their trailer, their index, or their last chunks.

use super::{items, limits};
use ndbytes::b2nd::{Codec, Writer};
use ndbytes::ndarray::Array2;
use ndbytes::repair::{Options, Repair, repair};
use ndbytes::{Error, Limits, b2nd};

/// A frame of 4 × 3 stored chunks of 5 × 4 items, and its array.
fn frame(level: u8) -> (Vec<u8>, Array2<i32>) {
    let array = Array2::from_shape_fn((20, 12), |(row, column)| (row * 7919 + column * 104_729) as i32);
    let writer = Writer::new().chunks([5, 4]).blocks([5, 4]).level(level).codec(Codec::LZ4);
    let writer = writer.attribute("unit", &"K".into()).unwrap();
    (writer.to_vec(&array).unwrap(), array)
}

fn repaired(bytes: &[u8]) -> Repair<'_> {
    repair(bytes, &Options::new().limits(limits()).dropping(true)).unwrap()
}

/// The number of bytes before the index, and before the trailer.
fn ends(bytes: &[u8]) -> (usize, usize) {
    let number =
        |at: usize, width: usize| bytes[at..at + width].iter().fold(0, |sum, &byte| sum << 8 | usize::from(byte));
    let header = number(11, 4);
    let chunks = number(39, 8);
    (header + chunks, bytes.len() - number(bytes.len() - 22, 4))
}

#[test]
fn lost_trailer_is_written_and_the_index_kept() {
    let (file, array) = frame(5);
    let (_, trailer) = ends(&file);
    for length in [trailer, trailer + 1, file.len() - 1] {
        let repair = repaired(&file[..length]);
        assert!(repair.is_sound(), "{length}: {:?}", repair.report);
        assert_eq!(repair.steps.len(), 1);
        assert_eq!(repair.steps[0].rule.id, "b2nd/truncated");
        assert_eq!(repair.steps[0].given_up.as_deref(), Some("the attributes (vlmeta) in the trailer"));
        assert_eq!(repair.bytes()[trailer - 40..trailer], file[trailer - 40..trailer]);
        let mended = b2nd::from_slice(repair.bytes()).unwrap();
        assert_eq!(mended.to_array::<i32>().unwrap().into_dimensionality().unwrap(), array);
        assert!(mended.container().attribute_names().is_empty());
    }
}

#[test]
fn lost_index_is_found_by_walking_the_chunks() {
    let (file, _) = frame(5);
    let (index, trailer) = ends(&file);
    let wrong = [&file[..index], &vec![0xFF; trailer - index][..], &file[trailer..]].concat();
    let repair = repaired(&wrong);
    assert!(repair.is_sound(), "{:?}", repair.report);
    assert_eq!(items(repair.bytes()), items(&file));
    assert_eq!(b2nd::from_slice(repair.bytes()).unwrap().container().attribute_names(), ["unit"]);
    let lost = "the order of the chunks, if it was not that in the file: only the index had it";
    assert_eq!(repair.steps[0].given_up.as_deref(), Some(lost));
    let cut = repaired(&file[..index]);
    assert!(cut.is_sound());
    assert_eq!(items(cut.bytes()), items(&file));
}

#[test]
fn index_with_wrong_entries_is_written_anew_if_all_chunks_are_stored() {
    let (file, _) = frame(5);
    let (index, trailer) = ends(&file);
    // The index of an array of zeros has one entry for all chunks.
    let zeros = Writer::new().chunks([5, 4]).blocks([5, 4]).to_vec(&Array2::<i32>::zeros((20, 12))).unwrap();
    let (of_zeros, end) = ends(&zeros);
    for (entry, rule) in [([0xFF; 8], "b2nd/index-entry"), ([0; 8], "b2nd/overlapping-chunks")] {
        let mut wrong = [&file[..index], &zeros[of_zeros..end - 8], &entry, &file[trailer..]].concat();
        let length = (wrong.len() as u64).to_be_bytes();
        wrong[16..24].copy_from_slice(&length);
        let repair = repaired(&wrong);
        assert!(repair.is_sound(), "{:?}", repair.report);
        assert_eq!(repair.steps.iter().map(|step| step.rule.id).collect::<Vec<_>>(), [rule]);
        assert_eq!(items(repair.bytes()), items(&file));
    }
}

#[test]
fn cut_frame_keeps_whole_rows_of_chunks_that_are_proven_to_be_all() {
    let (file, array) = frame(0);
    let (index, _) = ends(&file);
    let repair = repaired(&file[..index - 1]);
    assert!(repair.is_sound(), "{:?}", repair.report);
    assert!(repair.steps[0].done.contains("the first dimension is 15 instead of 20"), "{:?}", repair.steps);
    assert!(repair.steps[0].given_up.as_deref().unwrap().contains("5 items of 20 along the first axis"));
    let mended = b2nd::from_slice(repair.bytes()).unwrap().to_array::<i32>().unwrap();
    assert_eq!(
        mended.into_dimensionality::<ndbytes::ndarray::Ix2>().unwrap(),
        array.slice(ndbytes::ndarray::s![..15, ..])
    );
}

#[test]
fn cut_frame_that_may_have_left_chunks_out_is_not_mended() {
    let array = Array2::from_shape_fn((20, 12), |(row, column)| if row < 5 { 0 } else { (row * 31 + column) as i32 });
    let file = Writer::new().chunks([5, 4]).blocks([5, 4]).to_vec(&array).unwrap();
    let (index, _) = ends(&file);
    for length in [index, index - 1] {
        let repair = repaired(&file[..length]);
        assert!(repair.steps.is_empty() && !repair.is_sound(), "{:?}", repair.steps);
    }
}

#[test]
fn millions_of_chunks_are_walked_within_the_limits() {
    // There is one item per chunk. The header claims them, and each has a 16-byte header that marks it as stored.
    let array = Array2::from_shape_fn((2, 1), |(row, _)| row as u8 + 1);
    let file = Writer::new().chunks([1, 1]).blocks([1, 1]).level(0).to_vec(&array).unwrap();
    let (index, _) = ends(&file);
    let header = u32::from_be_bytes(file[11..15].try_into().unwrap()) as usize;
    let chunk = &file[header..header + (index - header) / 2];
    let count: usize = (4 << 20) / chunk.len();
    let mut many = file[..header].to_vec();
    let shape = many.windows(9).rposition(|nine| nine == [0xD3, 0, 0, 0, 0, 0, 0, 0, 2]).unwrap();
    many[shape + 1..shape + 9].copy_from_slice(&(count as u64).to_be_bytes());
    many[30..38].copy_from_slice(&(count as u64).to_be_bytes());
    many[39..47].copy_from_slice(&((count * chunk.len()) as u64).to_be_bytes());
    many.extend(chunk.repeat(count));
    let mended = repaired(&many);
    assert!(mended.is_sound(), "{:?}", mended.report.findings().first());
    assert_eq!(b2nd::from_slice(mended.bytes()).unwrap().shape(), [count, 1]);
    let little = Options::new().limits(Limits::default().memory(1 << 20));
    assert!(matches!(repair(&many, &little), Err(Error::Limit { .. })));
}
