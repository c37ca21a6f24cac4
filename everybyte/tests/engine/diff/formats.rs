//! Small formats, and files in them.

use everybyte::bits::*;
use everybyte::{
    Format,
    bytes::{Bytes, Region},
    codes,
    examination::Examination,
    layout,
    list::filling,
    text::Text,
};

codes! {
    /// How sounds are stored.
    pub struct Codec(u8) {
        /// As they are.
        PLAIN = 0 => "plain";
        /// By Rice's code.
        RICE = 1 => "rice";
    }
}

/// Marks of an album.
#[layout(bits = 8)]
pub struct Marks {
    /// Both sides are full.
    full: bool,
    /// A mark whose purpose takes more words than a line of a report has room for.
    long: bool,
    codec: Codec2,
    rest: B4,
}

codes! {
    /// A codec in two bits.
    pub struct Codec2(u8) in 2 bits {
        /// None.
        NONE = 0 => "none";
        /// One.
        ONE = 1 => "one";
    }
}

/// An album: marks, tracks by name, and their sounds at offsets.
#[layout]
#[brw(little)]
pub struct Album {
    marks: Marks,
    #[layout(writer)]
    tool: u8,
    #[layout(check_of = title)]
    check: u8,
    #[layout(extent = title)]
    title_length: u8,
    #[br(args { length: title_length.into() })]
    title: Bytes,
    #[br(temp)]
    #[bw(try_calc = u8::try_from(tracks.len()))]
    count: u8,
    #[br(count = count)]
    tracks: Vec<Track>,
}

/// A track.
#[layout]
#[brw(little)]
pub struct Track {
    #[layout(fact, key)]
    name: u8,
    #[layout(fact)]
    speed: u16,
    codec: Codec,
    #[layout(copy_of = speed)]
    again: u16,
    #[layout(place = outer::sound)]
    offset: u16,
    #[layout(extent = outer::sound)]
    length: u8,
}

/// A sound.
#[layout]
pub struct Sound {
    #[layout(extent = data)]
    length: u8,
    #[layout(payload)]
    #[br(args { length: length.into() })]
    data: Region,
}

impl Format for Album {
    const NAME: &'static str = "album";

    fn examine(&self, file: &mut Examination<'_>) {
        for (place, track) in self.tracks.iter().enumerate() {
            file.within::<Sound>(("sound", place as u64), track.offset, track.length, ());
        }
    }
}

/// A track to write: name, speed, codec, sound.
pub type New<'a> = (u8, u16, u8, &'a [u8]);

pub const TWO: [New<'static>; 2] = [(7, 33, 0, b"la la"), (9, 45, 0, b"hm")];

pub fn album(title: &str, tracks: &[New<'_>]) -> Vec<u8> {
    let check = title.bytes().fold(0_u8, u8::wrapping_add);
    let mut file = vec![0, 1, check, title.len() as u8];
    file.extend(title.bytes());
    file.push(tracks.len() as u8);
    let mut offset = file.len() + 9 * tracks.len();
    for (name, speed, codec, sound) in tracks {
        let [speed, place] = [*speed, offset as u16].map(u16::to_le_bytes);
        file.extend([*name, speed[0], speed[1], *codec, speed[0], speed[1], place[0], place[1], sound.len() as u8 + 1]);
        offset += sound.len() + 1;
    }
    for (_, _, _, sound) in tracks {
        file.push(sound.len() as u8);
        file.extend(*sound);
    }
    file
}

/// A list without keys, and a long text.
#[layout]
#[brw(little)]
pub struct Steps {
    #[br(temp)]
    #[bw(try_calc = u8::try_from(steps.len()))]
    count: u8,
    #[br(count = count)]
    steps: Vec<Step>,
    #[layout(extent = text)]
    length: u8,
    #[br(args { length: length.into() })]
    text: Bytes,
}

#[layout]
#[brw(little)]
pub struct Step {
    kind: u8,
    size: u8,
}

impl Format for Steps {
    const NAME: &'static str = "steps";
}

pub fn steps(steps: &[u8], text: &[u8]) -> Vec<u8> {
    let mut file = vec![steps.len() as u8];
    steps.iter().for_each(|step| file.extend([*step, 1]));
    file.push(text.len() as u8);
    file.extend(text);
    file
}

/// Numbers whose byte order the file states.
#[layout]
#[brw(big)]
pub struct Ordered {
    #[layout(fact)]
    order: u8,
    #[layout(fact)]
    #[br(is_little = order == 1)]
    #[bw(is_little = *order == 1)]
    width: u32,
}

impl Format for Ordered {
    const NAME: &'static str = "ordered";
}

/// A list whose elements have names.
#[layout]
pub struct Pairs {
    #[br(temp)]
    #[bw(try_calc = u8::try_from(pairs.len()))]
    count: u8,
    #[br(count = count)]
    pairs: Vec<Pair>,
}

#[layout]
pub struct Pair {
    #[layout(fact, key)]
    name: u8,
    #[layout(fact)]
    value: u8,
}

impl Format for Pairs {
    const NAME: &'static str = "pairs";
}

/// A text, and parts by name.
#[layout]
#[brw(big)]
pub struct Letter {
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    text: Text,
    #[br(parse_with = filling(u64::MAX))]
    parts: Vec<Part>,
}

/// A part of a letter.
#[layout]
pub struct Part {
    #[br(temp)]
    length: u8,
    #[layout(fact, key)]
    #[br(count = length)]
    name: Text,
}

impl Format for Letter {
    const NAME: &'static str = "letter";
}

pub fn letter(text: &str, parts: &[&str]) -> Vec<u8> {
    let parts = parts.iter().flat_map(|part| [&[part.len() as u8], part.as_bytes()].concat());
    [&(text.len() as u16).to_be_bytes(), text.as_bytes()].concat().into_iter().chain(parts).collect()
}
