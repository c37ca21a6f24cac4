//! zstd streams in pure Rust: the implementation without the `zstd` feature.

use super::frames::another_frame;
use crate::broken::BrokenStream;
use ruzstd::decoding::errors::DictionaryDecodeError;
use ruzstd::decoding::{BlockDecodingStrategy, Dictionary, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use std::fmt::Display;
use std::io::Read;

/// The first bytes of a dictionary with tables.
const MAGIC: [u8; 4] = 0xec30_a437_u32.to_le_bytes();

/// The number of bytes that are decoded before they are copied.
const STEP: usize = 1 << 20;

/// The minimum window that the encoder announces, however few bytes there are.
const LEAST_WINDOW: u64 = 128 << 10;

/// The maximum number of frames that are decoded. Writers create one, and each requires a search for its dictionary.
const MOST_FRAMES: usize = 16;

/// The id for a dictionary that has none.
const RAW_CONTENT: u32 = 1;

/// The state that is kept from one stream to the next.
#[derive(Default)]
pub struct Decoder {
    known: Option<Known>,
}

/// A decoder with a dictionary.
struct Known {
    decoder: FrameDecoder,
    dictionary: Vec<u8>,
    /// Its id, or `None` if it is empty.
    id: Option<u32>,
}

impl Decoder {
    /// Decodes a stream to exactly the length of the target.
    pub fn decode(&mut self, stream: &[u8], dictionary: &[u8], target: &mut [u8]) -> Result<(), BrokenStream> {
        let known = match self.known.take().filter(|known| known.dictionary == dictionary) {
            Some(known) => known,
            None => Known::new(dictionary).map_err(|_| BrokenStream::new(0, "the dictionary does not decode"))?,
        };
        let length = target.len();
        match self.known.insert(known).decode(stream, target) {
            Ok(Decoded { written, first }) if written == length && first < stream.len() => Err(another_frame(first)),
            Ok(Decoded { written, .. }) if written == length => Ok(()),
            Ok(Decoded { written, .. }) => Err(BrokenStream::of_length(stream.len(), written, length)),
            Err(what) => Err(BrokenStream::new(0, what)),
        }
    }
}

impl Decoder {
    /// Decodes a stream without a dictionary to at most the length of the target. Returns the number of decoded bytes.
    pub fn decode_at_most(&mut self, stream: &[u8], target: &mut [u8]) -> Result<usize, BrokenStream> {
        let mut known = Known::new(&[]).map_err(|_| BrokenStream::new(0, "the dictionary does not decode"))?;
        known.decode(stream, target).map(|decoded| decoded.written).map_err(|what| BrokenStream::new(0, what))
    }
}

impl Known {
    fn new(dictionary: &[u8]) -> Result<Self, DictionaryDecodeError> {
        let mut known = Known { decoder: FrameDecoder::new(), dictionary: dictionary.to_vec(), id: None };
        if !dictionary.is_empty() {
            let parsed = parse(dictionary)?;
            known.id = Some(parsed.id);
            known.decoder.add_dict(parsed).expect("a decoder takes any dictionary");
        }
        Ok(known)
    }

    /// Decodes frames in sequence.
    fn decode(&mut self, stream: &[u8], target: &mut [u8]) -> Result<Decoded, String> {
        let (decoder, mut decoded, mut rest) = (&mut self.decoder, Decoded { written: 0, first: 0 }, stream);
        // A window takes memory immediately; other encoders announce none larger than the bytes that can be referred to.
        let most = (target.len() + self.dictionary.len()).next_power_of_two();
        decoder.set_max_window_size((most as u64).max(LEAST_WINDOW));
        for _ in 0..MOST_FRAMES {
            decoder.init(&mut rest).map_err(words)?;
            // Frames need not name the dictionary that they were created with.
            if let Some(id) = self.id {
                decoder.force_dict(id).map_err(words)?;
            }
            while !decoder.is_finished() || decoder.can_collect() > 0 {
                decoder.decode_blocks(&mut rest, BlockDecodingStrategy::UptoBytes(STEP)).map_err(words)?;
                decoded.written += decoder.read(&mut target[decoded.written..]).map_err(words)?;
                if decoder.can_collect() > 0 {
                    return Err(BrokenStream::too_long(0, target.len()).what.into_owned());
                }
            }
            let checksum = decoder.get_checksum_from_data();
            if checksum.is_some() && checksum != decoder.get_calculated_checksum() {
                return Err("its checksum is another".into());
            }
            if decoded.first == 0 {
                decoded.first = stream.len() - rest.len();
            }
            if rest.is_empty() {
                return Ok(decoded);
            }
        }
        Err(format!("it has more than {MOST_FRAMES} frames"))
    }
}

/// The outcome of decoding frames.
struct Decoded {
    written: usize,
    /// The end of the first frame.
    first: usize,
}

/// Parses a dictionary with tables, or else bytes that streams refer to as if they came before them.
fn parse(bytes: &[u8]) -> Result<Dictionary, DictionaryDecodeError> {
    if bytes.starts_with(&MAGIC) {
        return Dictionary::decode_dict(bytes);
    }
    let (fse, huf) = Default::default();
    Ok(Dictionary { id: RAW_CONTENT, fse, huf, dict_content: bytes.to_vec(), offset_hist: [1, 4, 8] })
}

fn words(error: impl Display) -> String {
    error.to_string()
}

/// An encoder, which keeps no state.
#[derive(Default)]
pub struct Encoder;

impl Encoder {
    /// Encodes a stream, or returns `None` if it does not fit in the target. There is only one level.
    pub fn encode(&mut self, _: u8, source: &[u8], target: &mut [u8]) -> Option<usize> {
        let encoded = compress_to_vec(source, CompressionLevel::Fastest);
        target.get_mut(..encoded.len())?.copy_from_slice(&encoded);
        Some(encoded.len())
    }
}
