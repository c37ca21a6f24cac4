//! The kinds of pictures that a terminal supports, derived from its environment variables.

use ndbytes_pictures::Protocol;

/// The kinds of pictures that a terminal supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Display {
    /// The protocol for pixels, if the terminal supports one.
    pub(crate) protocol: Option<Protocol>,
    /// Whether the terminal supports true colour, rather than 256 colours.
    pub(crate) is_direct: bool,
}

/// The first version of Konsole that supports Sixel.
const KONSOLE: u32 = 220_400;

impl Display {
    /// Returns the kinds of pictures that a terminal with these variables supports.
    pub fn of(variable: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name: &str| variable(name).unwrap_or_default();
        let (term, program) = (value("TERM"), value("TERM_PROGRAM"));
        let is_direct = matches!(&*value("COLORTERM"), "truecolor" | "24bit") || term.ends_with("-direct");
        // Multiplexers keep the variables of the terminal, but drop its graphics.
        let is_between = variable("TMUX").is_some() || ["tmux", "screen"].iter().any(|name| term.starts_with(name));
        let is = |names: &[&str]| names.iter().any(|name| term.starts_with(name) || program.eq_ignore_ascii_case(name));
        let protocol = if is_between {
            None
        } else if is(&["xterm-kitty", "xterm-ghostty", "ghostty"]) || variable("KITTY_WINDOW_ID").is_some() {
            Some(Protocol::Kitty)
        } else if is(&["iTerm.app", "WezTerm", "mintty"]) || value("LC_TERMINAL") == "iTerm2" {
            Some(Protocol::Iterm)
        } else if is(&["foot", "mlterm", "contour", "yaft"])
            || term.contains("sixel")
            || value("KONSOLE_VERSION").parse::<u32>().is_ok_and(|version| version >= KONSOLE)
        {
            Some(Protocol::Sixel)
        } else {
            None
        };
        Display { protocol, is_direct }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_their_variables() {
        for (variables, protocol) in [
            (&[("TERM", "xterm-256color")][..], None),
            (&[], None),
            (&[("TERM", "xterm-kitty")], Some(Protocol::Kitty)),
            (&[("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")], Some(Protocol::Kitty)),
            (&[("TERM", "tmux-256color"), ("KITTY_WINDOW_ID", "1")], None),
            (&[("TERM", "xterm"), ("TMUX", "/tmp/s"), ("TERM_PROGRAM", "iTerm.app")], None),
            (&[("TERM", "xterm-256color"), ("TERM_PROGRAM", "iTerm.app")], Some(Protocol::Iterm)),
            (&[("TERM_PROGRAM", "WezTerm")], Some(Protocol::Iterm)),
            (&[("TERM", "foot")], Some(Protocol::Sixel)),
            (&[("TERM", "xterm"), ("KONSOLE_VERSION", "211200")], None),
            (&[("TERM", "xterm"), ("KONSOLE_VERSION", "230800")], Some(Protocol::Sixel)),
        ] {
            let value =
                |name: &str| variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned());
            assert_eq!(Display::of(value).protocol, protocol, "{variables:?}");
        }
        let direct = |term: &str| Display::of(|name| (name == "COLORTERM").then(|| term.to_owned())).is_direct;
        assert_eq!([direct("truecolor"), direct("")], [true, false]);
    }
}
