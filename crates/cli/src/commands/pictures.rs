//! Pictures in a terminal or in a pipe.

use crate::context::Context;
use crate::values::open::Failure;
use ndbytes_pictures::{Drawing, Error, Medium, Paint, Protocol};
use std::io;

/// The width of output without a terminal.
pub const WIDTH: usize = 80;

/// How pictures are sent to a terminal.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum GraphicsArgument {
    /// Pixels if the terminal supports them, otherwise blocks; plain characters in a pipe.
    #[default]
    Auto,
    /// Pixels, with kitty's graphics protocol.
    Kitty,
    /// Pixels, as iTerm2 inline images.
    Iterm,
    /// Pixels, as Sixel graphics.
    Sixel,
    /// Two coloured pixels per character.
    Blocks,
    /// Plain characters.
    None,
}

impl GraphicsArgument {
    /// Returns the protocol for pictures; `None` if they are drawn as text. Automatic detection applies only to a
    /// terminal.
    fn protocol(self, context: &Context<'_>) -> Option<Protocol> {
        match self {
            GraphicsArgument::Auto => context.display.protocol.filter(|_| context.is_terminal),
            GraphicsArgument::Kitty => Some(Protocol::Kitty),
            GraphicsArgument::Iterm => Some(Protocol::Iterm),
            GraphicsArgument::Sixel => Some(Protocol::Sixel),
            GraphicsArgument::Blocks | GraphicsArgument::None => None,
        }
    }

    /// Returns the medium for pictures: a terminal with this number of columns, or other output.
    pub fn medium(self, columns: Option<usize>, context: &Context<'_>) -> Medium {
        let columns = columns.unwrap_or(WIDTH);
        match self.protocol(context) {
            Some(_) => Medium::pixels(columns),
            None => Medium::letters(columns),
        }
    }
}

/// Prints a drawing in the terminal's protocol.
pub fn print(drawing: &Drawing, graphics: GraphicsArgument, context: &mut Context<'_>) -> io::Result<()> {
    if let Some(protocol) = graphics.protocol(context) {
        let text = drawing.to_terminal(protocol);
        return context.out.machine().write_all(text.as_bytes());
    }
    let paint = match graphics {
        GraphicsArgument::None => Paint::Signs,
        // Without colours, all blocks look the same.
        _ if !context.out.shows_colours() => Paint::Signs,
        _ if context.display.is_direct => Paint::Direct,
        _ => Paint::Indexed,
    };
    context.out.text(&drawing.to_text(paint))
}

/// Returns why there is no picture.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Values(error) => Failure::Error(error),
        other => Failure::Words(other.to_string()),
    }
}
