//! The script and the style of all pages except the page for a single file.

use everybyte::page::assets::{
    ADDRESS, BASE_STYLE, BEGIN, CARDS, ELEMENTS, END, HEAD_STYLE, HELP, HEX, Look, MODEL, PANES_STYLE, WINDOW, WORDS,
};

/// Joins files of `assets` into one text.
macro_rules! together {
    ($($name:literal)*) => { concat!($(include_str!(concat!("../assets/", $name))),*) };
}

/// The page for two files.
pub const DIFF: Look = Look {
    script: &[
        BEGIN,
        WORDS,
        ELEMENTS,
        MODEL,
        WINDOW,
        HEX,
        ADDRESS,
        CARDS,
        HELP,
        together!("pair/pairs.js" "pair/values.js" "pair/changes.js" "pair/tree.js" "pair/selection.js" "pair/main.js"),
        END,
    ],
    style: &[BASE_STYLE, HEAD_STYLE, PANES_STYLE, together!("pair/pair.css")],
};

/// The style of the page for two folders, which has no script.
pub const FOLDERS: &[&str] = &[BASE_STYLE, HEAD_STYLE, together!("folders.css")];

/// The page for dropped files.
pub const DROP: Look = Look {
    script: &[
        BEGIN,
        WORDS,
        ELEMENTS,
        together!("drop/colours.js" "drop/engine.js" "drop/files.js" "drop/answers.js" "drop/main.js"),
        END,
    ],
    style: &[BASE_STYLE, HEAD_STYLE, together!("drop/drop.css")],
};

/// The script of that page's worker.
pub const WORKER: &str = together!("drop/worker.js");
