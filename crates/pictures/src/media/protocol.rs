//! Drawings as terminal graphics.

use super::sixel::sixel;
use crate::drawing::Drawing;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

/// The maximum number of bytes in one message to kitty.
const MESSAGE: usize = 4096;

/// The protocol by which a terminal receives pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// PNG in escape sequences, as in kitty.
    Kitty,
    /// PNG as a file, as in iTerm.
    Iterm,
    /// Six rows of pixels per line, as in the VT340.
    Sixel,
}

impl Drawing {
    /// Returns the drawing in the terminal's protocol, followed by a line break.
    pub fn to_terminal(&self, protocol: Protocol) -> String {
        let mut text = String::new();
        match protocol {
            Protocol::Kitty => {
                let png = STANDARD.encode(self.to_png());
                let messages = png.as_bytes().chunks(MESSAGE);
                let last = messages.len() - 1;
                for (place, message) in messages.enumerate() {
                    let first = if place == 0 { "a=T,f=100," } else { "" };
                    let more = u8::from(place < last);
                    let message = String::from_utf8_lossy(message);
                    text += &format!("\u{1b}_G{first}m={more};{message}\u{1b}\\");
                }
            }
            Protocol::Iterm => {
                let png = self.to_png();
                let (size, png) = (png.len(), STANDARD.encode(&png));
                text += &format!("\u{1b}]1337;File=inline=1;size={size}:{png}\u{7}");
            }
            Protocol::Sixel => text += &sixel(&self.painted()),
        }
        text + "\n"
    }
}
