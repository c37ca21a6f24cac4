//! Formats the beginning of a value as text.

use std::fmt::{self, Write};

/// The maximum length of an excerpt in bytes of UTF-8, without the ellipsis.
const LONGEST: usize = 1000;

/// Text with a limited length. Writing more than fits is an error, but what fits is kept.
#[derive(Debug, Default)]
pub(crate) struct Excerpt(String);

impl Excerpt {
    /// The maximum number of bytes needed for an excerpt.
    pub const BYTES: u64 = LONGEST as u64 + 8;

    /// Formats bytes as text if they are valid UTF-8, or otherwise in hexadecimal. A truncated character at the end is left out.
    pub fn of_bytes(bytes: &[u8]) -> String {
        let text = match std::str::from_utf8(bytes) {
            Ok(text) => Some(text),
            Err(error) if error.error_len().is_none() => std::str::from_utf8(&bytes[..error.valid_up_to()]).ok(),
            Err(_) => None,
        };
        let mut excerpt = Excerpt::default();
        // Anything beyond the limit is not written.
        let _ = match text {
            Some(text) => excerpt.write_str(text),
            None => bytes.iter().try_for_each(|byte| write!(excerpt, "{byte:02x}")),
        };
        excerpt.into_text()
    }

    pub fn into_text(self) -> String {
        self.0
    }
}

impl Write for Excerpt {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut room = LONGEST.saturating_sub(self.0.len());
        if text.len() <= room {
            self.0.push_str(text);
            return Ok(());
        }
        while !text.is_char_boundary(room) {
            room -= 1;
        }
        self.0.push_str(&text[..room]);
        self.0.push('…');
        Err(fmt::Error)
    }
}
