//! Handmade zip archives with any kind of error.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

pub const STORED: u16 = 0;
pub const DEFLATED: u16 = 8;

pub fn deflate(content: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

pub fn crc(content: &[u8]) -> u32 {
    let mut crc = flate2::Crc::new();
    crc.update(content);
    crc.sum()
}

/// An entry of an archive, with any kind of error.
#[derive(Clone)]
pub struct Entry {
    pub name: Vec<u8>,
    /// The name in the entry's own header.
    pub own_name: Vec<u8>,
    pub data: Vec<u8>,
    pub method: u16,
    pub own_method: u16,
    pub flags: u16,
    pub crc: u32,
    pub packed: u64,
    pub length: u64,
    /// The offset in the directory, if it is wrong.
    pub start: Option<u32>,
    /// True if the lengths are in the extra field of large archives.
    pub is_large: bool,
}

impl Entry {
    pub fn new(name: impl AsRef<[u8]>, content: &[u8], method: u16) -> Self {
        let name = name.as_ref().to_vec();
        let data = if method == STORED { content.to_vec() } else { deflate(content) };
        let (packed, length) = (data.len() as u64, content.len() as u64);
        Entry {
            own_name: name.clone(),
            name,
            data,
            method,
            own_method: method,
            flags: 0,
            crc: crc(content),
            packed,
            length,
            start: None,
            is_large: false,
        }
    }

    pub fn deflated(name: impl AsRef<[u8]>, content: &[u8]) -> Self {
        Entry::new(name, content, DEFLATED)
    }

    pub fn but(mut self, change: impl FnOnce(&mut Entry)) -> Self {
        change(&mut self);
        self
    }

    /// The fields that are common to both headers, from the flags to the lengths.
    fn shared(&self, method: u16) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend([20, 0]); // the required version
        bytes.extend(self.flags.to_le_bytes());
        bytes.extend(method.to_le_bytes());
        bytes.extend([0; 4]); // time and date
        bytes.extend(self.crc.to_le_bytes());
        let lengths = [self.packed, self.length].map(|length| if self.is_large { u32::MAX } else { length as u32 });
        bytes.extend(lengths.into_iter().flat_map(u32::to_le_bytes));
        bytes
    }

    fn extra(&self) -> Vec<u8> {
        if !self.is_large {
            return Vec::new();
        }
        let mut bytes = vec![1, 0, 16, 0];
        bytes.extend([self.length, self.packed].into_iter().flat_map(u64::to_le_bytes));
        bytes
    }

    pub fn own(&self) -> Vec<u8> {
        let (name, extra) = (&self.own_name, self.extra());
        let lengths = [(name.len() as u16).to_le_bytes(), (extra.len() as u16).to_le_bytes()].concat();
        [b"PK\x03\x04", &self.shared(self.own_method)[..], &lengths, name, &extra, &self.data].concat()
    }

    pub fn record(&self, start: u32) -> Vec<u8> {
        let (name, extra) = (&self.name, self.extra());
        let mut bytes = b"PK\x01\x02\x14\x00".to_vec();
        bytes.extend(self.shared(self.method));
        bytes.extend((name.len() as u16).to_le_bytes());
        bytes.extend((extra.len() as u16).to_le_bytes());
        bytes.extend([0; 10]); // comment, disk, attributes
        bytes.extend(self.start.unwrap_or(start).to_le_bytes());
        [bytes, name.clone(), extra].concat()
    }
}

/// An archive of these entries.
pub fn zip(entries: &[Entry]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut directory = Vec::new();
    for entry in entries {
        directory.extend(entry.record(bytes.len() as u32));
        bytes.extend(entry.own());
    }
    finish(bytes, &directory, entries.len() as u64)
}

/// The entries, their directory, and the end record, preceded by two more records in a large archive.
pub fn finish(entries: Vec<u8>, directory: &[u8], number: u64) -> Vec<u8> {
    let (start, length) = (entries.len() as u64, directory.len() as u64);
    let mut bytes = [entries, directory.to_vec()].concat();
    let large = bytes.len() as u64;
    let is_large = number > 0xFFFF;
    if is_large {
        bytes.extend(b"PK\x06\x06");
        bytes.extend(44_u64.to_le_bytes());
        bytes.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
        bytes.extend([number, number, length, start].into_iter().flat_map(u64::to_le_bytes));
        bytes.extend(b"PK\x06\x07\0\0\0\0");
        bytes.extend(large.to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
    }
    bytes.extend(b"PK\x05\x06\0\0\0\0");
    bytes.extend([number.min(0xFFFF) as u16; 2].into_iter().flat_map(u16::to_le_bytes));
    let place = if is_large { [u32::MAX; 2] } else { [length as u32, start as u32] };
    bytes.extend(place.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend([0; 2]); // comment
    bytes
}
