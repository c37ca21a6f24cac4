//! Content whose packed bytes are split into pieces, in fields of several structures. An enclosing field joins them.
//!
//! The image data of a PNG file is one zlib stream, cut into any number of chunks. Each piece is recorded when its
//! field is read. The enclosing field takes the pieces inside its own bytes, joins them in order, and unpacks the
//! result as one content.

use super::derived::At;
use super::field::Readable;
use super::opens::Packed;
#[cfg(feature = "arbitrary")]
use super::opens::content_of;
#[cfg(feature = "arbitrary")]
use crate::generator;
use crate::mode::{self, RECORDED};
use crate::packing::Codec;
use crate::pieces::{self, Piece};
use crate::recorder;
use crate::reference::Layout;
use binrw::io::{Read, Seek};
use binrw::{BinResult, BinWrite, Endian};
use std::ops::Range;

/// Runs after a field. Records that its bytes are a piece of the content that begins with this type.
pub fn piece<'a, F: Readable, R: Read + Seek>(
    name: &'static str,
    bytes: &'a [u8],
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> + 'a
where
    F::Value: Layout,
{
    move |reader, _, ()| {
        if pieces::are_wanted() {
            let end = reader.stream_position()?;
            let opener = if mode::has(RECORDED) { recorder::opener(name) } else { None };
            pieces::add(Piece {
                of: F::Value::type_name(),
                place: end.saturating_sub(bytes.len() as u64)..end,
                bytes: bytes.to_vec(),
                path: opener.map_or_else(String::new, |(_, path, _)| path),
            });
        }
        Ok(())
    }
}

/// Runs after a field. Joins the pieces in it and reads the content that they unpack into. If there are no pieces, there is no
/// content.
pub fn joined<'a, F: Readable + 'a, R: Read + Seek>(
    codec: Codec,
    name: &'static str,
    start: At,
    args: F::Args<'a>,
) -> impl FnOnce(&mut R, Endian, ()) -> BinResult<()> + 'a
where
    F::Value: Layout + for<'w> BinWrite<Args<'w> = ()>,
{
    move |reader, endian, ()| {
        if !pieces::are_wanted() {
            return Ok(());
        }
        let pieces = pieces::take(&F::Value::type_name(), &(start.0..reader.stream_position()?));
        let (Some(first), Some(last)) = (pieces.first(), pieces.last()) else { return Ok(()) };
        #[cfg(feature = "arbitrary")]
        if generator::is_on() {
            let content = content_of::<F>(endian, args)?;
            generator::join(pieces.into_iter().map(|piece| piece.path), codec.pack(&content));
            return Ok(());
        }
        let bytes: Vec<u8> = pieces.iter().flat_map(|piece| &piece.bytes).copied().collect();
        let places: Vec<Range<u64>> = pieces.iter().map(|piece| piece.place.clone()).collect();
        let place = first.place.start..last.place.end;
        let packed = Packed { bytes: &bytes, place, pieces: &places, title: "joined and unpacked" };
        packed.open::<F>(codec, (name, endian), args, || match first.path.is_empty() {
            true => recorder::path_beside(name),
            false => first.path.clone(),
        });
        Ok(())
    }
}
