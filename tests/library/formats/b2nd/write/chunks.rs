//! Chunks and blocks.

use super::{assert_slice_clean, inexpressible, pool, ramp};
use ndarray::Array;
use ndbytes::b2nd::{self, Codec, Writer};
use ndbytes::{Dtype, ItemType};

#[test]
fn shapes_that_do_not_fit_are_refused() {
    let array = ramp(&[10, 20]);
    let refuse = |writer: Writer| inexpressible(writer.to_vec(&array));
    refuse(Writer::new().chunks([10]));
    refuse(Writer::new().blocks([1, 2, 3]));
    refuse(Writer::new().chunks([0, 20]));
    refuse(Writer::new().blocks([0, 20]));
    refuse(Writer::new().chunks([5, 5]).blocks([5, 6]));
    refuse(Writer::new().chunks([5, 5]).blocks([0, 5]));
    refuse(Writer::new().chunks([1 << 31, 1]));
    refuse(Writer::new().chunks([1 << 16, 1 << 15]));
    refuse(Writer::new().chunks([1 << 30, 1 << 30]));
    refuse(Writer::new().blocks([usize::MAX, 1]));
    refuse(Writer::new().chunks([1 << 14, 1 << 13]).blocks([1 << 13, 1 << 13]));
    refuse(Writer::new().level(10));
    refuse(Writer::new().codec(Codec(3)));
    refuse(Writer::new().codec(Codec(35)));
    let double: ItemType = "<f8".parse().unwrap();
    for (shape, bytes) in [(&[3][..], 23), (&[3], 25), (&[], 0), (&[usize::MAX, 2], 8), (&[usize::MAX, 0], 8)] {
        inexpressible(Writer::new().bytes_to_vec(shape, &double, &vec![0; bytes]));
    }
    let large = ItemType::from("|V536866817".parse::<Dtype>().unwrap());
    inexpressible(Writer::new().bytes_to_vec(&[0], &large, &[]));
    // Chunks that extend beyond the array are valid in the format.
    let bytes = Writer::new().chunks([300, 30]).blocks([30, 30]).to_vec(&array).unwrap();
    assert_slice_clean(&bytes);
    assert_eq!(b2nd::from_slice(&bytes).unwrap().to_array::<f64>().unwrap(), array);
}

#[test]
fn large_arrays_are_cut_and_written_in_parallel() {
    // The array has 18 MiB, in several chunks of several blocks.
    let array = Array::from_shape_fn((1100, 2200), |(row, column)| ((row * row) ^ column) as f64);
    let writer = Writer::new().codec(Codec::LZ4);
    let one = pool(1).install(|| writer.to_vec(&array).unwrap());
    let three = pool(3).install(|| writer.to_vec(&array).unwrap());
    assert!(one == three, "the threads show");
    assert_slice_clean(&one);
    let written = b2nd::from_slice(&one).unwrap();
    assert!(written.chunk_count() > 4);
    for (extents, smallest, largest) in
        [(written.chunk_shape(), 1 << 20, 8 << 20), (written.block_shape(), 1 << 15, 1 << 18)]
    {
        let bytes = extents.iter().product::<usize>() * 8;
        assert!((smallest..=largest).contains(&bytes), "{extents:?}");
    }
    assert_eq!(written.to_array::<f64>().unwrap(), array.into_dyn());
}

#[test]
fn large_arrays_are_read_whatever_the_blocks_have_of_a_row() {
    // Slightly more than 16 MiB. The length of a row is not a multiple of a cache line, and a chunk is smaller or
    // larger than what is written to memory at once.
    let narrow: &[usize] = &[8, 16, 32, 64, 300, 700, 1031];
    let wide: &[usize] = &[64, 100, 512, 1500, 4096, 5000];
    for (rows, columns, chunk, widths) in [(1 << 14, 1031, [1 << 11, 1031], narrow), (1700, 10_007, [512, 9001], wide)]
    {
        let array = Array::from_shape_fn((rows, columns), |(row, column)| ((row >> 3) ^ column) as u8);
        let mut items = vec![0; array.len() + 1];
        for &width in widths {
            let writer = Writer::new().codec(Codec::LZ4).level(1).chunks(chunk).blocks([1 << 8, width]);
            let bytes = writer.to_vec(&array).unwrap();
            let written = b2nd::from_slice(&bytes).unwrap();
            for (threads, skipped) in [(1, 0), (3, 1)] {
                let items = &mut items[skipped..array.len() + skipped];
                items.fill(0xaa);
                pool(threads).install(|| written.read_into::<u8>(items)).unwrap();
                assert!(
                    items == array.as_slice().unwrap(),
                    "blocks of {width} columns of {columns}, {threads} threads"
                );
            }
        }
    }
}
