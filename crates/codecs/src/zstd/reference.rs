//! zstd streams, by the reference implementation.

use super::frames::another_frame;
use crate::broken::BrokenStream;
use zstd_safe::{CCtx, DCtx, DDict};

/// The state that is kept from one stream to the next.
#[derive(Default)]
pub struct Decoder {
    context: Option<DCtx<'static>>,
    /// The dictionary of the last stream, and its bytes.
    dictionary: Option<(Vec<u8>, DDict<'static>)>,
}

impl Decoder {
    /// Decodes a stream to exactly the length of the target.
    pub fn decode(&mut self, stream: &[u8], dictionary: &[u8], target: &mut [u8]) -> Result<(), BrokenStream> {
        let context = match &mut self.context {
            Some(context) => context,
            None => self.context.insert(DCtx::try_create().ok_or_else(|| BrokenStream::new(0, "no memory for zstd"))?),
        };
        let length = target.len();
        let decoded = if dictionary.is_empty() {
            context.decompress(target, stream)
        } else {
            let (_, digested) = match self.dictionary.take().filter(|(bytes, _)| bytes == dictionary) {
                Some(known) => self.dictionary.insert(known),
                None => {
                    let broken = || BrokenStream::new(0, "the dictionary does not decode");
                    let digested = DDict::try_create(dictionary).ok_or_else(broken)?;
                    self.dictionary.insert((dictionary.to_vec(), digested))
                }
            };
            context.decompress_using_ddict(target, stream, digested)
        };
        match decoded {
            Ok(written) if written == length => match zstd_safe::find_frame_compressed_size(stream) {
                Ok(frame) if frame < stream.len() => Err(another_frame(frame)),
                _ => Ok(()),
            },
            Ok(written) => Err(BrokenStream::of_length(stream.len(), written, length)),
            Err(code) => Err(BrokenStream::new(0, zstd_safe::get_error_name(code))),
        }
    }
}

impl Decoder {
    /// Decodes a stream without a dictionary to at most the length of the target. Returns the number of decoded bytes.
    pub fn decode_at_most(&mut self, stream: &[u8], target: &mut [u8]) -> Result<usize, BrokenStream> {
        zstd_safe::decompress(target, stream).map_err(|code| BrokenStream::new(0, zstd_safe::get_error_name(code)))
    }
}

/// The state that is kept from one stream to the next.
#[derive(Default)]
pub struct Encoder {
    context: Option<CCtx<'static>>,
}

impl Encoder {
    /// Encodes a stream at a Blosc2 level from 1 to 9, or returns `None` if it does not fit in the target. The level is
    /// mapped to one of zstd's levels as in C-Blosc2: every second one, and finally the highest.
    pub fn encode(&mut self, level: u8, source: &[u8], target: &mut [u8]) -> Option<usize> {
        let context = match &mut self.context {
            Some(context) => context,
            None => self.context.insert(CCtx::try_create()?),
        };
        let level = if level < 9 { 2 * i32::from(level) - 1 } else { zstd_safe::max_c_level() };
        context.compress(target, source, level).ok()
    }
}
