//! Pictures in a terminal, or in a pipe.

use crate::context::Context;
use crate::values::open::Failure;
use ndbytes_pictures::{Drawing, Error, Medium, Paint, Protocol};
use std::io;

/// The width of output that has no terminal.
pub const WIDTH: usize = 80;

/// How a terminal gets pictures.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum GraphicsArgument {
    /// As its environment says: pixels, or else blocks. In a pipe, plain characters.
    #[default]
    Auto,
    /// Pixels, by messages of kitty.
    Kitty,
    /// Pixels, as iTerm takes files.
    Iterm,
    /// Pixels, as sixels.
    Sixel,
    /// Two coloured points a letter.
    Blocks,
    /// Plain characters.
    None,
}

impl GraphicsArgument {
    fn protocol(self, context: &Context<'_>) -> Option<Protocol> {
        match self {
            GraphicsArgument::Auto => context.display.protocol.filter(|_| context.is_terminal),
            GraphicsArgument::Kitty => Some(Protocol::Kitty),
            GraphicsArgument::Iterm => Some(Protocol::Iterm),
            GraphicsArgument::Sixel => Some(Protocol::Sixel),
            GraphicsArgument::Blocks | GraphicsArgument::None => None,
        }
    }

    /// The medium that pictures are drawn for, in a terminal of so many columns or in none.
    pub fn medium(self, columns: Option<usize>, context: &Context<'_>) -> Medium {
        let columns = columns.unwrap_or(WIDTH);
        match self.protocol(context) {
            Some(_) => Medium::pixels(columns),
            None => Medium::letters(columns),
        }
    }
}

/// Prints a drawing as the terminal shows it.
pub fn print(drawing: &Drawing, graphics: GraphicsArgument, context: &mut Context<'_>) -> io::Result<()> {
    if let Some(protocol) = graphics.protocol(context) {
        let text = drawing.to_terminal(protocol);
        return context.out.machine().write_all(text.as_bytes());
    }
    let paint = match graphics {
        GraphicsArgument::None => Paint::Signs,
        // Without colours, blocks are all alike.
        _ if !context.out.shows_colours() => Paint::Signs,
        _ if context.display.is_direct => Paint::Direct,
        _ => Paint::Indexed,
    };
    context.out.text(&drawing.to_text(paint))
}

/// The reason why there is no picture.
pub fn failure(error: Error) -> Failure {
    match error {
        Error::Values(error) => Failure::Error(error),
        other => Failure::Words(other.to_string()),
    }
}
