//! Lists whose number of elements the file does not state.

use super::region::bytes_left;
use crate::label::SHOWN_ELEMENTS;
use crate::node::Index;
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult, Endian};

/// A parser of elements that follow each other for `length` bytes, or to the end of the space if that comes first. The last
/// element may reach further. `u64::MAX` reads to the end of the space.
///
/// ```
/// use everybyte::{Endian, Source, filling, layout, read};
///
/// /// Bytes of the pairs, and the pairs.
/// #[layout]
/// struct Pairs {
///     length: u8,
///     #[br(parse_with = filling(length.into()))]
///     pairs: Vec<Pair>,
/// }
///
/// #[layout]
/// struct Pair {
///     name: u8,
///     value: u8,
/// }
///
/// let pairs: Pairs = read(Source::new(&[4, 1, 10, 2, 20, 99]), Endian::Little, ())?;
/// assert_eq!(pairs.pairs.len(), 2);
/// # Ok::<(), Box<everybyte::ParseError>>(())
/// ```
pub fn filling<'a, T, R: Read + Seek>(length: u64) -> impl Fn(&mut R, Endian, T::Args<'a>) -> BinResult<Vec<T>>
where
    T: BinRead + Layout,
    T::Args<'a>: Clone,
{
    const { assert!(T::MIN_SIZE > 0, "elements without a least size would make their number unbounded") };
    move |reader, endian, args: T::Args<'a>| {
        let start = reader.stream_position()?;
        let end = start + bytes_left(reader)?.min(length);
        let is_traced = recorder::is_on() && !T::IS_BYTE;
        let name = recorder::open_name();
        let mut list = Vec::new();
        let mut rest = start;
        while reader.stream_position()? < end {
            let place = list.len();
            let element = if is_traced && place < SHOWN_ELEMENTS {
                let read = |reader: &mut R| T::read_options(reader, endian, args.clone());
                let element = recorder::element(reader, name, place as u64, read)?;
                rest = reader.stream_position()?;
                element
            } else {
                let reached = reader.stream_position()?;
                match recorder::paused(|| T::read_options(reader, endian, args.clone())) {
                    Ok(element) => element,
                    Err(error) if !is_traced => return Err(error),
                    // Once more, so that the failing element has its node.
                    Err(_) => {
                        summarise::<T>(name, place, rest, reached);
                        reader.seek(SeekFrom::Start(reached))?;
                        let read = |reader: &mut R| T::read_options(reader, endian, args.clone());
                        recorder::element(reader, name, place as u64, read)?
                    }
                }
            };
            list.push(element);
        }
        if is_traced {
            summarise::<T>(name, list.len(), rest, reader.stream_position()?);
        }
        Ok(list)
    }
}

/// One node for the elements up to `count` that have none of their own.
fn summarise<T: Layout>(name: &'static str, count: usize, start: u64, end: u64) {
    if count > SHOWN_ELEMENTS {
        recorder::summary::<T>(name, Index::Range(SHOWN_ELEMENTS as u64, count as u64), start..end);
    }
}
