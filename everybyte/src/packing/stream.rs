//! Packed bytes whose end only the decoder can find.
//!
//! Some formats store compressed bytes without their length, one stream after another. Finding the end means
//! decompressing. Here, the content is only counted and discarded. The bytes are then read again and unpacked if the
//! content is needed. The limit on the content also applies to this pass.

use crate::codec::Packing;
use crate::elsewhere;
use crate::error::Problem;
use crate::fields::{OfBytes, counted_bytes};
#[cfg(feature = "arbitrary")]
use crate::generator;
use binrw::{BinResult, Endian};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// The number of bytes that are read at once. Other streams may follow, so few bytes should be read beyond the end.
const CHUNK: usize = 4096;

/// A packing whose decoder determines where the bytes end, for [`stream`].
#[diagnostic::on_unimplemented(
    message = "the bytes of `{Self}` do not say where they end",
    label = "no stream",
    note = "`Deflate`, `Zlib` and `Gzip` of `everybyte::packing` do; for others, implement `Stream`"
)]
pub trait Stream: Packing {
    /// A reader of the content. When the content ends, it must have consumed exactly the packed bytes.
    fn decoder<'b>(bytes: &'b mut dyn BufRead) -> Box<dyn Read + 'b>;
}

/// A parser for packed bytes whose length no field states. The decoder determines where they end. Use `opens` to read
/// their content.
///
/// ```
/// use everybyte::packing::{Packing, Zlib, stream};
/// use everybyte::{Format, check, explain, layout, list::rest};
///
/// /// An object of Git's packs, and what follows it.
/// #[layout]
/// struct Object {
///     kind: u8,
///     #[br(parse_with = stream::<Zlib, _, _>)]
///     #[layout(opens(Zlib as Content))]
///     packed: Vec<u8>,
///     #[br(parse_with = rest)]
///     after: Vec<u8>,
/// }
///
/// #[layout]
/// struct Content {
///     #[br(parse_with = rest)]
///     bytes: Vec<u8>,
/// }
///
/// impl Format for Object {
///     const NAME: &'static str = "object";
/// }
///
/// let file = [b"\x03", &Zlib::pack(b"a blob")[..], b"after"].concat();
/// assert_eq!(check::<Object>(&file), []);
/// assert_eq!(explain::<Object>(&file).spaces[1].length, 6);
/// ```
///
/// # Errors
/// Fails if the bytes are damaged, if they end before the decoder is done, or if the content exceeds the limits.
pub fn stream<P: Stream, V: OfBytes, R: Read + Seek>(reader: &mut R, _: Endian, (): ()) -> BinResult<V> {
    #[cfg(feature = "arbitrary")]
    if generator::is_on() {
        return Ok(V::of_bytes(P::pack(&[])));
    }
    let start = reader.stream_position()?;
    let mut bytes = Consumed { inner: BufReader::with_capacity(CHUNK, &mut *reader), count: 0 };
    let most = elsewhere::content_limit();
    let content = io::copy(&mut P::decoder(&mut bytes).take(most.saturating_add(1)), &mut io::sink());
    let length = bytes.count;
    reader.seek(SeekFrom::Start(start))?;
    let why = match content {
        Ok(content) if content <= most => {
            return counted_bytes(reader, usize::try_from(length).unwrap_or(usize::MAX)).map(V::of_bytes);
        }
        Ok(_) => {
            "the content of the packed bytes is larger than the limits allow, so that their end is not known".to_owned()
        }
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Err(error.into()),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
            format!("the packed bytes have no end: {} needs more than there are", P::NAME)
        }
        Err(error) => format!("the packed bytes are damaged, so that their end is not known: {error}"),
    };
    Err(binrw::Error::Custom { pos: start, err: Box::new(Problem::Invalid(why)) })
}

/// Counts the bytes that a decoder reads.
struct Consumed<R> {
    inner: BufReader<R>,
    count: u64,
}

impl<R: Read> Read for Consumed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let taken = self.inner.read(buffer)?;
        self.count += taken as u64;
        Ok(taken)
    }
}

impl<R: Read> BufRead for Consumed<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.count += amount as u64;
        self.inner.consume(amount);
    }
}
