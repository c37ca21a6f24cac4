//! Spaces without fields.

use everybyte::map::{Nodes, Space};
use std::convert::Infallible;

/// A space of bytes without fields.
pub(super) fn plain(id: u32, bytes: &[u8]) -> Space {
    let length = bytes.len() as u64;
    let mut nodes = Nodes::new();
    if length > 0 {
        nodes.leaf("content", 0..length).type_name("bytes").add();
    }
    let read = |buffer: &mut [u8], at: u64| {
        let from = bytes.get(at as usize..).unwrap_or_default();
        buffer.iter_mut().zip(from).for_each(|(to, byte)| *to = *byte);
        Ok::<(), Infallible>(())
    };
    let Ok(space) = Space::new(id, "content", length, nodes, read);
    space
}
