//! The budget for pictures: how much of an array is read and kept.

/// The budget for pictures: the cells, items and planes that are kept, and the bytes that are read. Sizes are rows and columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PictureBudget {
    /// The maximum size of a single image.
    pub alone: (usize, usize),
    /// The maximum size of each of several images.
    pub among: (usize, usize),
    /// The maximum number of images.
    pub images: usize,
    /// The maximum number of images if a number is requested.
    pub most_images: usize,
    /// The maximum number of samples in all images.
    pub samples: usize,
    /// The cells of all planes together.
    pub plane: (usize, usize),
    /// The maximum number of planes.
    pub planes: usize,
    /// The maximum number of runs in a line.
    pub runs: u64,
    /// The maximum number of bytes read from a list of values. Longer lists are sampled.
    pub bytes: u64,
    /// The maximum number of bytes read from one plane. Larger planes are sampled.
    pub plane_bytes: u64,
    /// Whether statistics accompany pictures of any kind.
    pub has_numbers: bool,
}

impl PictureBudget {
    /// The budget for a page of 2 MiB, which takes seconds to create.
    pub const PAGE: PictureBudget = PictureBudget {
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

    /// The budget for the picture of a difference on a page.
    pub const PAGE_DIFFERENCE: PictureBudget = PictureBudget { plane: (200, 600), ..PictureBudget::PAGE };
}

/// Returns the size of an image or a plane that fits into the given room: the original size, or one reduced in
/// proportion.
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
