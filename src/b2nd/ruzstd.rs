//! zstd streams, in Rust alone: the feature `ruzstd` takes this instead of the reference implementation.

use super::codec::{BrokenStream, decodes_to};
use ruzstd::decoding::{Dictionary, FrameDecoder};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

/// What is kept from one stream to the next.
#[derive(Default)]
pub struct Decoder {
    /// A decoder, and the dictionary that it knows.
    decoder: Option<(FrameDecoder, Vec<u8>)>,
}

impl Decoder {
    /// Decodes a stream to exactly the length of the target.
    pub fn decode(&mut self, stream: &[u8], dictionary: &[u8], target: &mut [u8]) -> Result<(), BrokenStream> {
        let known = self.decoder.take().filter(|(_, known)| known == dictionary);
        let (decoder, _) = match known {
            Some(known) => self.decoder.insert(known),
            None => {
                let mut decoder = FrameDecoder::new();
                if !dictionary.is_empty() {
                    let broken = |error| BrokenStream::new(0, format!("the dictionary does not decode: {error}"));
                    let parsed = Dictionary::decode_dict(dictionary).map_err(broken)?;
                    decoder.add_dict(parsed).map_err(|error| BrokenStream::new(0, error.to_string()))?;
                }
                self.decoder.insert((decoder, dictionary.to_vec()))
            }
        };
        let length = target.len();
        match decoder.decode_all(stream, target) {
            Ok(written) if written == length => Ok(()),
            Ok(written) => Err(BrokenStream::new(stream.len(), decodes_to(written, length))),
            Err(error) => Err(BrokenStream::new(0, error.to_string())),
        }
    }
}

/// What is kept from one stream to the next: nothing.
#[derive(Default)]
pub struct Encoder;

impl Encoder {
    /// Encodes a stream; none if the target has no room for it. There is one level only.
    pub fn encode(&mut self, _: u8, source: &[u8], target: &mut [u8]) -> Option<usize> {
        let encoded = compress_to_vec(source, CompressionLevel::Fastest);
        target.get_mut(..encoded.len())?.copy_from_slice(&encoded);
        Some(encoded.len())
    }
}
