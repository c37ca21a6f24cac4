//! Large chunked arrays. They are created once, since they are the same for every input.

use super::axis_selection::{self, AxisSelection, is_limit};
use super::pattern;
use crate::bounds::limits;
use crate::ranges::Source;
use crate::share::is_everything_asked;
use ndbytes::b2nd::{Codec, Filter, Writer};
use ndbytes::everybyte::Endian;
use ndbytes::{Dtype, ElementKind, Input, ItemType, Limits, Options};
use std::sync::{Arc, LazyLock};

/// The shape of the arrays. They have 6 MB, which several threads read in parallel.
const SHAPE: [usize; 3] = [1500, 50, 40];

/// The shape of an array that is too large for the processor's caches.
const LONG: [usize; 3] = [2200, 100, 40];

/// Chunks, blocks, codec, level and filter of each array.
type Plan = ([usize; 3], [usize; 3], [usize; 3], Codec, u8, &'static [Filter]);

const PLANS: [Plan; 7] = [
    // Chunks of several MB, from which only a few blocks are read.
    (SHAPE, SHAPE, [50, 50, 20], Codec::LZ4, 1, &[]),
    (SHAPE, SHAPE, [50, 50, 20], Codec::LZ4, 0, &[]),
    (SHAPE, [750, 50, 40], [75, 50, 20], Codec::BLOSCLZ, 1, &[Filter::Shuffle]),
    (SHAPE, [750, 50, 40], [50, 50, 20], Codec::LZ4, 1, &[Filter::Delta]),
    // Many chunks, each in one piece.
    (SHAPE, [50, 25, 40], [25, 25, 20], Codec::LZ4, 1, &[Filter::Shuffle]),
    (LONG, [200, 100, 40], [50, 100, 40], Codec::LZ4, 1, &[Filter::Shuffle]),
    (LONG, [200, 100, 40], [50, 100, 40], Codec::LZ4, 1, &[]),
];

static FILES: [LazyLock<Arc<[u8]>>; PLANS.len()] = [
    LazyLock::new(|| make(0)),
    LazyLock::new(|| make(1)),
    LazyLock::new(|| make(2)),
    LazyLock::new(|| make(3)),
    LazyLock::new(|| make(4)),
    LazyLock::new(|| make(5)),
    LazyLock::new(|| make(6)),
];

fn make(number: usize) -> Arc<[u8]> {
    let (shape, chunks, blocks, codec, level, filters) = PLANS[number];
    let writer = Writer::new().chunks(chunks).blocks(blocks).codec(codec).level(level).filters(filters);
    let item_type = ItemType::Plain(Dtype::new(ElementKind::U16, Endian::NATIVE));
    let mut bytes = vec![0; shape.iter().product::<usize>() * 2];
    pattern::fill(&mut bytes, 0);
    writer.delta_blocks(true).bytes_to_vec(&shape, &item_type, &bytes).expect("the format says it").into()
}

/// Asserts that the items of a selection match the pattern. For one cut in eight, all items must also match, in memory
/// and read in ranges.
pub fn examine(number: usize, picks: &[AxisSelection], pages: [u64; 3], cut: u16) {
    let number = number % PLANS.len();
    let file = &*FILES[number];
    let open = |input, limits| Options::new().limits(limits).read(input)?.into_array();
    let by_ranges = |limits| {
        let input = Input::from_source_in_pages(Source::sound(file.clone()), limits, pages)?;
        open(input, limits)
    };
    let read = by_ranges(limits()).and_then(|array| axis_selection::examine(&array, picks, cut));
    read.unwrap_or_else(|error| assert!(is_limit(&error), "{error}"));
    if cut.is_multiple_of(8) || is_everything_asked() {
        let in_memory = open(Input::from_slice(file, Limits::default()), Limits::default());
        for array in [in_memory, by_ranges(Limits::default())] {
            let array = array.expect("it was written");
            let bytes = array.bytes().expect("there is memory for it");
            assert!(pattern::is_at(&bytes, 0), "all items of plan {number}");
        }
    }
}
