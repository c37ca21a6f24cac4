//! Simple implementations of the codecs, as a second opinion. The caller states the decoded length of a stream.

use flate2::write::ZlibEncoder;
use flate2::{Compression, Decompress, FlushDecompress, Status};
use ndbytes_codecs::lz;
use ndbytes_schemas::blosc2::StreamFormat;
use std::io::Write;
use zstd_safe::{CCtx, DCtx};

/// A stream that is read byte by byte, and its output.
struct Tape<'a> {
    stream: &'a [u8],
    at: usize,
    /// The bytes that matches may refer back to, followed by the output.
    bytes: Vec<u8>,
    before: usize,
    length: usize,
}

impl<'a> Tape<'a> {
    fn new(stream: &'a [u8], before: &[u8], length: usize) -> Self {
        Tape { stream, at: 0, bytes: before.to_vec(), before: before.len(), length }
    }

    fn next(&mut self) -> Option<usize> {
        let byte = *self.stream.get(self.at)?;
        self.at += 1;
        Some(byte.into())
    }

    fn is_at_end(&self) -> bool {
        self.at == self.stream.len()
    }

    /// The number of remaining bytes in the stream.
    fn left(&self) -> usize {
        self.stream.len() - self.at
    }

    /// The number of bytes that are still missing from the output.
    fn missing(&self) -> usize {
        self.length - (self.bytes.len() - self.before)
    }

    fn literals(&mut self, count: usize) -> Option<()> {
        if count > self.missing() {
            return None;
        }
        for _ in 0..count {
            let byte = self.next()? as u8;
            self.bytes.push(byte);
        }
        Some(())
    }

    fn repeat(&mut self, distance: usize, count: usize) -> Option<()> {
        if count > self.missing() || distance == 0 {
            return None;
        }
        for _ in 0..count {
            let from = self.bytes.len().checked_sub(distance)?;
            self.bytes.push(self.bytes[from]);
        }
        Some(())
    }

    /// The output, if it is complete.
    fn finish(mut self) -> Option<Vec<u8>> {
        (self.missing() == 0).then(|| self.bytes.split_off(self.before))
    }
}

/// Decodes a blosclz stream.
pub fn blosclz(stream: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut tape = Tape::new(stream, &[], length);
    // The first token is for literals, whatever its upper bits are.
    let mut token = tape.next()? & 31;
    loop {
        if token < 32 {
            tape.literals(token + 1)?;
        } else {
            // Every byte of a match must be followed by another byte.
            let next = |tape: &mut Tape<'_>| tape.next().filter(|_| !tape.is_at_end());
            let mut count = (token >> 5) - 1;
            if count == 6 {
                loop {
                    let more = next(&mut tape)?;
                    count += more;
                    if more != 255 {
                        break;
                    }
                }
            }
            let mut distance = (token & 31) * 256 + next(&mut tape)? + 1;
            if distance == 8192 {
                distance += next(&mut tape)? * 256;
                distance += next(&mut tape)?;
            }
            tape.repeat(distance, count + 3)?;
        }
        match tape.next() {
            Some(next) => token = next,
            None => return tape.finish(),
        }
    }
}

/// The decoded bytes of an LZ4 block.
#[derive(Debug, PartialEq, Eq)]
pub struct Lz4 {
    pub bytes: Vec<u8>,
    /// True if the last matches keep the distance from the end that the format requires. Not every reader checks that.
    pub obeys_ends: bool,
}

/// Decodes an LZ4 block. Matches may refer back to a dictionary.
pub fn lz4(stream: &[u8], dictionary: &[u8], length: usize) -> Option<Lz4> {
    let mut tape = Tape::new(stream, dictionary, length);
    let mut obeys_ends = true;
    loop {
        let token = tape.next()?;
        let count = lz4_length(&mut tape, token >> 4)?;
        tape.literals(count)?;
        if tape.is_at_end() {
            return tape.finish().map(|bytes| Lz4 { bytes, obeys_ends });
        }
        // These literals must be followed by a distance and a sequence with five more literals.
        obeys_ends &= tape.left() >= 2 + 1 + 5 && tape.missing() >= 12;
        let distance = tape.next()? + tape.next()? * 256;
        let count = lz4_length(&mut tape, token & 15)? + 4;
        tape.repeat(distance, count)?;
        obeys_ends &= tape.missing() >= 5;
    }
}

fn lz4_length(tape: &mut Tape<'_>, nibble: usize) -> Option<usize> {
    let mut length = nibble;
    let mut more = if nibble == 15 { 255 } else { 0 };
    while more == 255 {
        more = tape.next()?;
        length += more;
    }
    Some(length)
}

/// Decodes a zlib stream that ends with its last byte.
pub fn zlib(stream: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length + 1];
    let mut decompress = Decompress::new(true);
    let status = decompress.decompress(stream, &mut bytes, FlushDecompress::Finish).ok()?;
    let lengths = (decompress.total_in() as usize, decompress.total_out() as usize);
    bytes.truncate(length);
    (status == Status::StreamEnd && lengths == (stream.len(), length)).then_some(bytes)
}

/// Decodes zstd frames.
pub fn zstd(stream: &[u8], dictionary: &[u8], length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length];
    let decoded = DCtx::create().decompress_using_dict(&mut bytes, stream, dictionary);
    (decoded == Ok(length)).then_some(bytes)
}

/// Encodes bytes in the codec's format, as a writer would; `None` if the result is not shorter.
pub fn encode(format: StreamFormat, bytes: &[u8], dictionary: &[u8], level: u8) -> Option<Vec<u8>> {
    let mut stream = Vec::new();
    match format {
        StreamFormat::BLOSCLZ => drop(lz::blosclz::encode(bytes, level, &mut stream)),
        StreamFormat::LZ4 if level.is_multiple_of(3) => drop(lz::lz4::encode(bytes, level, &mut stream)),
        StreamFormat::LZ4 if level % 3 == 1 => drop(lz::lz4::encode_high(bytes, level, &mut stream)),
        StreamFormat::LZ4 => stream = lz4_flex::block::compress_with_dict(bytes, dictionary),
        StreamFormat::ZLIB => {
            let mut encoder = ZlibEncoder::new(stream, Compression::fast());
            stream = encoder.write_all(bytes).and_then(|()| encoder.finish()).ok()?;
        }
        StreamFormat::ZSTD => {
            stream.resize(zstd_safe::compress_bound(bytes.len()), 0);
            let length = CCtx::create().compress_using_dict(&mut stream[..], bytes, dictionary, level.into()).ok()?;
            stream.truncate(length);
        }
        _ => return None,
    }
    (1..bytes.len()).contains(&stream.len()).then_some(stream)
}
