//! b2nd files from values, which are written, read and compared.

use super::written::ArraySample;
use crate::layout::read_back;
use arbitrary::Arbitrary;
use binrw::{BinRead, BinWrite};
use everybyte::{Endian, Layout, Source, bytes::Region, trace::length_of, write};
use ndbytes_schemas::b2nd::{ArrayLayer, InnerShape, Parts};
use ndbytes_schemas::blosc2::{
    AxesHead, ChunkHeader, Dictionary, Header, Int32, Int64, Metalayers, Stream, Trailer, TrailerTail,
};
use std::fmt::Debug;

/// A value to write.
#[derive(Debug, Arbitrary)]
pub enum Sample<'a> {
    /// Any layout, valid or not (`mend` makes its parts consistent).
    Header(Box<Header>),
    Trailer(Trailer),
    Tail(TrailerTail),
    Array {
        mend: bool,
        layer: ArrayLayer,
    },
    ChunkHeader {
        mend: bool,
        header: ChunkHeader,
    },
    Dictionary(Dictionary),
    Stream {
        mend: bool,
        stream: Stream,
    },
    /// An array for the writer, and the bytes for its items.
    Written {
        array: ArraySample,
        content: &'a [u8],
    },
    /// The same again, so that it is chosen more often.
    WrittenAgain {
        array: ArraySample,
        content: &'a [u8],
    },
}

impl Sample<'_> {
    /// Asserts the guarantees for any value.
    pub fn examine(self) {
        match self {
            Sample::Header(header) => {
                let forget = |header: &mut Header| forget_places(&mut header.metalayers);
                examine(*header, Endian::Big, true, forget, |header| super::any_bytes::contents(&header.metalayers));
            }
            Sample::Trailer(trailer) => {
                let forget = |trailer: &mut Trailer| forget_places(&mut trailer.attributes);
                examine(trailer, Endian::Big, true, forget, |trailer| super::any_bytes::contents(&trailer.attributes));
            }
            Sample::Tail(tail) => examine(tail, Endian::Big, true, |_| {}, |_| vec![]),
            Sample::Array { mend, mut layer } => {
                if mend {
                    mend_layer(&mut layer);
                }
                examine(layer, Endian::Big, mend, |_| {}, |_| vec![]);
            }
            Sample::ChunkHeader { mend, mut header } => {
                let is_extended = header.flags.shuffle() && header.flags.bitshuffle();
                if mend && !is_extended {
                    header.extension = None;
                }
                let fits = header.extension.is_some() == is_extended;
                examine(header, Endian::Little, fits, |_| {}, |_| vec![]);
            }
            Sample::Dictionary(dictionary) => {
                let forget = |dictionary: &mut Dictionary| dictionary.bytes.offset = 0;
                examine(dictionary, Endian::Little, true, forget, |dictionary| vec![dictionary.bytes.range()]);
            }
            Sample::Stream { mend, mut stream } => {
                if mend {
                    stream.token = stream.token.filter(|_| stream.length < 0);
                }
                let fits = stream.token.is_some() == (stream.length < 0);
                // There is no data after the stream, whatever its length states.
                stream.data = Region { length: u64::try_from(stream.length).unwrap_or(0), ..Region::default() };
                let forget = |stream: &mut Stream| stream.data.offset = 0;
                examine(stream, Endian::Little, fits, forget, |stream| vec![stream.data.range()]);
            }
            Sample::Written { array, content } | Sample::WrittenAgain { array, content } => array.examine(content),
        }
    }
}

/// Asserts that a consistent value is read back as it was written, except for the positions of regions.
fn examine<T>(
    value: T,
    endian: Endian,
    fits: bool,
    forget: impl Fn(&mut T),
    regions: impl Fn(&T) -> Vec<std::ops::Range<u64>>,
) where
    T: Layout + PartialEq + Debug + for<'a> BinRead<Args<'a> = ()> + for<'a> BinWrite<Args<'a> = ()>,
{
    let mut file = write(&value, endian).expect("the layout has room for any values");
    file.resize(length_of(&value, endian) as usize, 0);
    let mut read = read_back::<T>(Source::new(&file), endian, (), regions);
    if fits {
        read.iter_mut().for_each(forget);
        assert_eq!(read, Some(value));
    }
}

fn forget_places(metalayers: &mut Metalayers) {
    metalayers.contents.iter_mut().for_each(|content| content.bytes.offset = 0);
}

/// Makes the parts of a layer agree on the number of axes.
fn mend_layer(layer: &mut ArrayLayer) {
    let axes = layer.shape.extents.len().min(255);
    layer.ndim = axes as u8;
    let head = AxesHead::new(layer.ndim);
    layer.shape.extents.resize(axes, Int64(0));
    layer.shape.head = head;
    for InnerShape { head: there, extents } in [&mut layer.chunk_shape, &mut layer.block_shape] {
        *there = head;
        extents.resize(axes, Int32(0));
    }
    layer.parts = if layer.dtype.is_some() { Parts::WITH_DTYPE } else { Parts::WITHOUT_DTYPE };
}
