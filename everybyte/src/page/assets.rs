//! The scripts and styles of pages, included from files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The script and the style of a page, in parts to concatenate.
///
/// ```
/// use everybyte::page::assets::{BASE_STYLE, BEGIN, END, Look, WORDS};
///
/// /// A page of your own, with the helpers of everybyte's.
/// const LOOK: Look = Look { script: &[BEGIN, WORDS, "document.title = 'Files';\n", END], style: &[BASE_STYLE] };
///
/// assert!(LOOK.script.concat().ends_with("document.title = 'Files';\n})();\n"));
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// The script.
    pub script: &'static [&'static str],
    /// The style.
    pub style: &'static [&'static str],
}

/// The text before a script. It wraps the script in a function, so that names stay local.
pub const BEGIN: &str = "(() => {\n'use strict';\n";
/// The end of that function.
pub const END: &str = "})();\n";

macro_rules! asset {
    ($(#[$doc:meta])* $name:ident = $path:literal) => {
        $(#[$doc])*
        pub const $name: &str = include_str!(concat!("../../assets/", $path));
    };
}

asset!(
    /// Formats numbers and positions as text.
    WORDS = "words.js"
);
asset!(
    /// Elements of the page.
    ELEMENTS = "elements.js"
);
asset!(
    /// The fields, spaces, bytes and links of a file.
    MODEL = "model.js"
);
asset!(
    /// Long lists, with only the visible part in the document.
    WINDOW = "window.js"
);
asset!(
    /// Bytes in hexadecimal.
    HEX = "hex.js"
);
asset!(
    /// Keeps the chosen field in the address of the page.
    ADDRESS = "address.js"
);
asset!(
    /// Findings as cards.
    CARDS = "cards.js"
);
asset!(
    /// The list of keyboard shortcuts.
    HELP = "help.js"
);
asset!(
    /// Colours and text.
    BASE_STYLE = "base.css"
);
asset!(
    /// The head of a page.
    HEAD_STYLE = "head.css"
);
asset!(
    /// Fields and bytes, side by side.
    PANES_STYLE = "panes.css"
);

/// Embeds files of `assets/file`.
macro_rules! of_file {
    ($($name:literal)*) => { concat!($(include_str!(concat!("../../assets/file/", $name))),*) };
}

/// The page of one file.
pub const FILE: Look = Look {
    script: &[
        BEGIN,
        WORDS,
        ELEMENTS,
        MODEL,
        WINDOW,
        HEX,
        ADDRESS,
        of_file!("selection.js" "tree.js" "details.js" "bar.js"),
        CARDS,
        of_file!("findings.js" "search.js" "pictures.js" "tables.js"),
        HELP,
        of_file!("main.js"),
        END,
    ],
    style: &[BASE_STYLE, HEAD_STYLE, PANES_STYLE, of_file!("pictures.css")],
};

/// The hash of a script or a style for the content security policy.
pub fn hash(parts: &[&str]) -> String {
    let mut digest = Sha256::new();
    parts.iter().for_each(|part| digest.update(part));
    format!("'sha256-{}'", STANDARD.encode(digest.finalize()))
}
