//! The default shapes of chunks and blocks.

/// The maximum number of bytes in a block and in a chunk, unless a single item has more.
const BLOCK: u64 = 128 << 10;
const CHUNK: u64 = 4 << 20;

/// Along the last axis, items are contiguous, so this many of them count as one item along another axis.
const LAST: u64 = 8;

/// The maximum length of a chunk along an axis.
const LONGEST: u64 = i32::MAX as u64;

/// The shape of a chunk, which is that of the array, with the longest axis halved repeatedly until there are few enough items. It
/// is a multiple of the block shape if that is given; otherwise it does not exceed the array's. An axis without items counts as
/// infinitely long, because it is meant to be extended.
pub fn chunk_shape(shape: &[u64], item_size: u64, block: Option<&[u64]>) -> Vec<u64> {
    let most = CHUNK / item_size.max(1);
    let mut chunk: Vec<u64> = shape.iter().map(|&extent| if extent == 0 { LONGEST } else { extent }).collect();
    chunk.iter_mut().for_each(|extent| *extent = (*extent).min(LONGEST));
    halve(&mut chunk, most);
    let Some(block) = block else { return chunk };
    for (extent, &block) in chunk.iter_mut().zip(block) {
        *extent = extent.next_multiple_of(block.max(1));
    }
    chunk
}

/// The shape of a block, which is that of the chunk, with the longest axis halved repeatedly until there are few enough items.
pub fn block_shape(chunk: &[u64], item_size: u64) -> Vec<u64> {
    let mut block = chunk.to_vec();
    halve(&mut block, BLOCK / item_size.max(1));
    block
}

/// Extends chunks that do not span the whole array to multiples of the blocks, which would be padded anyway.
pub fn fill_chunk(shape: &[u64], chunk: &mut [u64], block: &[u64]) {
    for ((&extent, chunk), &block) in shape.iter().zip(chunk).zip(block) {
        let whole = chunk.next_multiple_of(block.max(1));
        if whole <= extent || extent == 0 && whole <= LONGEST {
            *chunk = whole;
        }
    }
}

/// Halves the longest axis until the shape has few enough items. The last axis counts less, because its items are contiguous.
fn halve(extents: &mut [u64], most: u64) {
    let items = |extents: &[u64]| extents.iter().fold(1_u64, |items, &extent| items.saturating_mul(extent));
    let Some(last) = extents.len().checked_sub(1) else { return };
    while items(extents) > most {
        // If axes are equally long, the first one is halved.
        let weight = |axis: usize, extent: u64| if axis == last { extent.div_ceil(LAST) } else { extent };
        let weights = extents.iter().enumerate().map(|(axis, &extent)| (weight(axis, extent), extent > 1, axis));
        let longest =
            weights.filter(|&(_, divisible, _)| divisible).max_by_key(|&(weight, _, axis)| (weight, last - axis));
        let Some((_, _, axis)) = longest else { return };
        extents[axis] = extents[axis].div_ceil(2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shapes(shape: &[u64], item_size: u64) -> (Vec<u64>, Vec<u64>) {
        let mut chunk = chunk_shape(shape, item_size, None);
        let block = block_shape(&chunk, item_size);
        fill_chunk(shape, &mut chunk, &block);
        (chunk, block)
    }

    #[test]
    fn arrays_are_cut_evenly() {
        assert_eq!(shapes(&[], 8), (vec![], vec![]));
        assert_eq!(shapes(&[100], 8), (vec![100], vec![100]));
        assert_eq!(shapes(&[10_000, 10_000], 8), (vec![160, 2504], vec![40, 313]));
    }

    #[test]
    fn axes_without_items_are_there_to_be_extended() {
        let (chunk, block) = shapes(&[0, 100], 8);
        assert!(chunk[0] > 1000 && chunk[1] == 100, "{chunk:?} {block:?}");
        assert!(block[0] > 100 && block[1] == 100);
    }

    #[test]
    fn large_items_have_blocks_of_their_own() {
        assert_eq!(shapes(&[3, 2], 1 << 20), (vec![2, 2], vec![1, 1]));
    }
}
