//! The room that pictures have: how much is read and kept of an array.

/// The room for pictures: the cells, the items and the planes that are kept, and the bytes that are read. Sizes are rows and
/// columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// The pixels of an image that is alone.
    pub alone: (usize, usize),
    /// The pixels of one image of several.
    pub among: (usize, usize),
    /// The maximum number of images.
    pub images: usize,
    /// The maximum number of images if a number is wanted.
    pub most_images: usize,
    /// The maximum number of samples of all images.
    pub samples: usize,
    /// The cells of all planes together.
    pub plane: (usize, usize),
    /// The maximum number of planes.
    pub planes: usize,
    /// The maximum number of runs of a line.
    pub runs: u64,
    /// The bytes of a list of values that are read at most. Of more, there is a sample.
    pub bytes: u64,
    /// The bytes of one plane that are read at most. Of more, there is a sample.
    pub plane_bytes: u64,
    /// True if statistics go with pictures of any kind.
    pub has_numbers: bool,
}

impl Room {
    /// The room on a page of 2 MiB, which is made within seconds.
    pub const PAGE: Room = Room {
        alone: (120, 160),
        among: (64, 64),
        images: 25,
        most_images: 25,
        samples: 64 << 10,
        plane: (96, 160),
        planes: 9,
        runs: 480,
        bytes: 256 << 20,
        plane_bytes: 32 << 20,
        has_numbers: true,
    };

    /// The room of the picture of a difference on a page.
    pub const PAGE_DIFFERENCE: Room = Room { plane: (200, 600), ..Room::PAGE };
}

/// The size of an image or a plane in a room that it may not leave: as large as it is, or smaller in proportion.
pub fn fitted((rows, columns): (usize, usize), room: (usize, usize)) -> (usize, usize) {
    let (height, width) = (room.0.max(1), room.1.max(1));
    let (tall, wide) = (rows as u128 * width as u128, columns as u128 * height as u128);
    let part = |of: u128, by: usize| of.div_ceil(by.max(1) as u128).max(1) as usize;
    match rows <= height && columns <= width {
        true => (rows, columns),
        false if tall > wide => (height, part(columns as u128 * height as u128, rows).min(width)),
        false => (part(rows as u128 * width as u128, columns).min(height), width),
    }
}
