//! FLAC: lossless sound. `cargo run -p everybyte-tests --example flac -- explain FILE`
//!
//! Source: RFC 9639. Section numbers below refer to it. Bit fields are declared lowest first; the RFC lists the highest first.

use binrw::io::{Read, Seek, SeekFrom};
use binrw::{BinRead, BinResult};
use everybyte::bits::*;
use everybyte::sums::{crc8, crc16_umts, crc16_umts_after};
use everybyte::{
    Endian, Format,
    bytes::Zeros,
    codes, layout,
    list::{filling, rest, until},
    number::U24,
    text::{Ascii, ClosedIn, Text},
};

/// Blocks of metadata up to the one that says that it is the last, and frames.
#[layout]
#[brw(big, magic = b"fLaC")]
pub struct Flac {
    info: InfoBlock,
    #[br(if(!info.head.is_last()), parse_with = until(|block: &Block| block.head.is_last()))]
    blocks: Vec<Block>,
    #[layout(rule("flac/samples", error, info.stream.samples() == 0 || info.stream.samples() == frames.iter().map(|frame| frame.samples).sum::<u64>(), "the frames do not have the samples that are stated"))]
    #[layout(rule("flac/frames", warning, !frames.is_empty(), "there is no sound"))]
    #[br(parse_with = filling(u64::MAX), args(info.stream))]
    frames: Vec<Frame>,
}

/// 8.2, "Streaminfo": the first block.
#[layout]
#[brw(big)]
struct InfoBlock {
    #[layout(rule("flac/info", error, head.kind() == BlockKind::INFO, "the first block has facts about the stream"))]
    head: BlockHead,
    #[layout(rule("flac/info", error, length.value() == 34, "facts about the stream have 34 bytes"))]
    length: U24,
    #[layout(rule("flac/block-size", error, least_block >= 16, "a block has at least 16 samples"))]
    least_block: u16,
    #[layout(rule("flac/block-size", error, most_block >= least_block, "the most is below the least"))]
    most_block: u16,
    #[layout(fact)]
    least_frame: U24,
    #[layout(fact)]
    most_frame: U24,
    #[layout(rule("flac/rate", error, stream.rate() > 0, "sound has a rate"))]
    #[layout(rule("flac/bits", error, stream.bits_less_one() >= 3, "a sample has 4 to 32 bits"))]
    #[layout(rule("flac/usual-bits", warning, matches!(stream.bits_less_one(), 7 | 15 | 23), "few programs read samples of other than 8, 16 or 24 bits"))]
    stream: Stream,
    /// The MD5 sum of the samples.
    #[layout(fact)]
    md5: [u8; 16],
}

/// 8.1, "Metadata Block Header".
#[layout]
#[brw(big)]
struct Block {
    #[layout(rule("flac/info", error, head.kind() != BlockKind::INFO, "a stream has one block of facts about it"))]
    head: BlockHead,
    #[br(temp)]
    length: U24,
    #[br(args(head.kind()))]
    #[layout(size = length.value())]
    body: Body,
}

/// The kind of a block.
#[layout(bits = 8)]
struct BlockHead {
    kind: BlockKind,
    is_last: bool,
}

codes! {
    /// The kind of a block.
    struct BlockKind(u8) in 7 bits {
        /// Facts about the stream.
        INFO = 0 => "streaminfo";
        /// Zeros.
        PADDING = 1 => "padding";
        /// Facts for one program.
        APPLICATION = 2 => "application";
        /// Places of frames.
        SEEK_TABLE = 3 => "seektable";
        /// Names and texts.
        COMMENT = 4 => "vorbis-comment";
        /// The tracks of a CD.
        CUE_SHEET = 5 => "cuesheet";
        /// A picture.
        PICTURE = 6 => "picture";
    }
}

/// The content of a block.
#[layout(match = kind)]
#[brw(big)]
#[br(import(kind: BlockKind))]
enum Body {
    /// 8.5.
    #[when(BlockKind::SEEK_TABLE)]
    SeekTable {
        #[br(parse_with = filling(u64::MAX))]
        points: Vec<Point>,
    },
    /// 8.6, whose numbers are those of Vorbis.
    #[when(BlockKind::COMMENT)]
    Comment {
        #[brw(little)]
        comment: Comments,
    },
    /// 8.7.
    #[when(BlockKind::CUE_SHEET)]
    CueSheet {
        #[layout(fact)]
        catalogue: Text<Ascii, ClosedIn<128, 0>>,
        #[layout(fact)]
        lead_in: u64,
        /// 128 for a CD.
        #[layout(fact)]
        flags: u8,
        zeros: Zeros<258>,
        #[br(temp)]
        #[layout(rule("flac/tracks", error, (1..=100).contains(&count), "a cue sheet has 1 to 100 tracks"))]
        count: u8,
        #[br(count = count)]
        tracks: Vec<Track>,
    },
    /// 8.8.
    #[when(BlockKind::PICTURE)]
    Picture {
        #[layout(fact)]
        kind: u32,
        #[br(temp)]
        media_length: u32,
        #[layout(fact)]
        #[br(count = media_length)]
        media: Text,
        #[br(temp)]
        description_length: u32,
        #[layout(fact)]
        #[br(count = description_length)]
        description: Text,
        /// Columns, rows, bits of a pixel, and colours.
        #[layout(fact)]
        size: [u32; 4],
        #[br(temp)]
        length: u32,
        #[layout(payload)]
        #[br(count = length)]
        picture: Vec<u8>,
    },
    /// Everything else.
    #[when(_)]
    Other {
        #[layout(payload)]
        #[br(parse_with = rest)]
        bytes: Vec<u8>,
    },
}

/// Facts about the samples.
#[layout(bits = 64)]
struct Stream {
    /// 0 if it is not known.
    samples: B36,
    bits_less_one: B5,
    channels_less_one: B3,
    rate: B20,
}

/// A track of a CD.
#[layout]
struct Track {
    /// Samples before it.
    #[layout(fact)]
    offset: u64,
    #[layout(fact)]
    #[layout(rule("flac/track", error, number > 0, "tracks are counted from 1"))]
    number: u8,
    #[layout(fact)]
    code: Text<Ascii, ClosedIn<12, 0>>,
    #[layout(fact)]
    flags: u8,
    zeros: Zeros<13>,
    #[br(temp)]
    count: u8,
    #[br(count = count)]
    indices: Vec<TrackIndex>,
}

/// A place in a track.
#[layout]
struct TrackIndex {
    #[layout(fact)]
    offset: u64,
    #[layout(fact)]
    number: u8,
    zeros: Zeros<3>,
}

/// The place of a frame.
#[layout]
struct Point {
    #[layout(fact)]
    sample: u64,
    /// From the first frame.
    #[layout(fact)]
    offset: u64,
    #[layout(fact)]
    samples: u16,
}

/// Names and texts: `TITLE=…`.
#[layout]
struct Comments {
    #[layout(writer)]
    vendor: Comment,
    #[br(temp)]
    count: u32,
    #[br(count = count)]
    comments: Vec<Comment>,
}

/// A text and its length.
#[layout]
struct Comment {
    #[br(temp)]
    length: u32,
    #[layout(fact)]
    #[br(count = length)]
    text: Text,
}

/// 9, "Frame Structure".
#[layout]
#[brw(big)]
#[br(import(stream: Stream))]
struct Frame {
    #[layout(rule("flac/sync", error, head.sync() == 0x7FFC && head.reserved() == 0, "a frame begins with 0x7ffc in 15 bits"))]
    #[layout(rule("flac/block", error, head.block() != 0, "a frame has samples"))]
    #[layout(rule("flac/rate", error, head.rate() == 0 || head.rate() < 15, "this rate is not defined"))]
    #[layout(rule("flac/channels", error, head.channels() == stream.channels_less_one() || (stream.channels_less_one() == 1 && matches!(head.channels(), 8..=10)), "the stream does not have these channels"))]
    #[layout(rule("flac/bits", error, head.bits() == 0 || [0, 7, 11, 0, 15, 19, 23, 31][usize::from(head.bits())] == stream.bits_less_one(), "the stream does not have samples of these bits"))]
    head: FrameHead,
    /// The number of the frame, or of its first sample.
    number: Coded,
    #[br(if(head.block() == 6))]
    block_8: Option<u8>,
    #[br(if(head.block() == 7))]
    block_16: Option<u16>,
    #[br(if(head.rate() == 12))]
    rate_8: Option<u8>,
    #[br(if(matches!(head.rate(), 13 | 14)))]
    rate_16: Option<u16>,
    #[br(temp)]
    #[layout(check_of = "head..rate_16", sum = crc8)]
    crc_8: u8,
    /// 9.1.1: samples of each channel.
    #[br(calc = match head.block() {
        1 => 192,
        code @ 2..=5 => 144 << code,
        6 => u64::from(block_8.unwrap_or_default()) + 1,
        7 => u64::from(block_16.unwrap_or_default()) + 1,
        code => 1 << code,
    })]
    #[bw(ignore)]
    #[layout(value)]
    samples: u64,
    #[br(args(head.channels(), stream.bits_less_one(), 6 + number.more.len() as u64 + block_8.map_or(0, |_| 1) + block_16.map_or(0, |_| 2) + rate_8.map_or(0, |_| 1) + rate_16.map_or(0, |_| 2)))]
    subframes: Subframes,
    #[br(temp)]
    #[layout(check_of = "head..subframes", sum = crc16_umts)]
    crc_16: u16,
}

/// 9.2, "Subframes": one for each channel.
#[layout]
#[br(import(channels: u8, bits_less_one: u8, header: u64))]
enum Subframes {
    /// 9.2.3: all samples of a channel have one value.
    #[br(pre_assert(channels < 8 && bits_less_one % 8 == 7))]
    Constant {
        #[br(count = channels + 1, args { inner: (u64::from(bits_less_one) / 8 + 1,) })]
        values: Vec<Constant>,
    },
    /// Samples that are no whole bytes.
    #[br(pre_assert(true))]
    Other {
        #[layout(payload)]
        #[layout(rule("flac/subframes", error, !bytes.is_empty(), "a frame has subframes"))]
        #[br(parse_with = subframes, args(header))]
        bytes: Vec<u8>,
    },
}

/// A subframe with one value.
#[layout]
#[brw(magic = 0u8)]
#[br(import(length: u64))]
struct Constant {
    #[layout(fact)]
    #[br(count = length)]
    value: Vec<u8>,
}

/// 9.1, "Frame Header".
#[layout(bits = 32)]
struct FrameHead {
    reserved: B1,
    bits: B3,
    channels: B4,
    rate: B4,
    block: B4,
    has_variable_blocks: bool,
    sync: B15,
}

/// 9.1.5, "Coded Number": as UTF-8 has the number of a letter, of up to 36 bits.
#[layout]
struct Coded {
    #[layout(rule("flac/number", error, first < 0x80 || (0xC0..0xFF).contains(&first), "a number does not begin with {first:#04x}"))]
    first: u8,
    #[layout(rule("flac/number", error, more.iter().all(|byte| byte >> 6 == 2), "a further byte of a number begins with 2 in 2 bits"))]
    #[br(count = first.leading_ones().saturating_sub(1))]
    more: Vec<u8>,
}

/// Reads the bytes after the `header` bytes of a frame, up to its sum. No field states where they end: at the first position
/// where the sum is correct and either another frame begins or the file ends.
fn subframes<R: Read + Seek>(reader: &mut R, endian: Endian, (header,): (u64,)) -> BinResult<Vec<u8>> {
    let start = reader.stream_position()?;
    reader.seek(SeekFrom::Start(start - header))?;
    let (mut bytes, mut sum, header) = (Vec::new(), 0, header as usize);
    while let Ok(byte) = u8::read_options(reader, endian, ()) {
        bytes.push(byte);
        let Some(end) = bytes.len().checked_sub(2).filter(|&end| end > 0) else { continue };
        sum = crc16_umts_after(sum, &bytes[end - 1..end]);
        if sum == 0 && end > header + 2 && bytes[end] == 0xFF && bytes[end + 1] & 0xFE == 0xF8 {
            bytes.truncate(end);
            break;
        }
    }
    bytes.truncate(bytes.len().saturating_sub(2).max(header));
    reader.seek(SeekFrom::Start(start + (bytes.len() - header) as u64))?;
    Ok(bytes.split_off(header))
}

impl Format for Flac {
    const NAME: &'static str = "FLAC";
}

fn main() -> std::process::ExitCode {
    everybyte::tool::main::<Flac>()
}
