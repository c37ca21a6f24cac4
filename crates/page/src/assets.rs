//! The script and the style of the page, put together from their files.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

/// The script and the style of a page.
#[derive(Clone, Copy)]
pub struct Look {
    pub script: &'static str,
    pub style: &'static str,
}

/// Files of `assets` in one text. A script is one function, so that its names are its own.
macro_rules! together {
    (script: $($name:literal)*) => {
        concat!("(() => {\n'use strict';\n", $(include_str!(concat!("../assets/", $name))),*, "})();\n")
    };
    (style: $($name:literal)*) => { concat!($(include_str!(concat!("../assets/", $name))),*) };
}

/// The page of one file.
pub const FILE: Look = Look {
    script: together!(script: "words.js" "elements.js" "model.js" "window.js" "hex.js" "address.js" "file/selection.js" "file/tree.js"
        "file/details.js" "file/bar.js" "cards.js" "file/findings.js" "file/search.js" "file/pictures.js" "file/tables.js"
        "help.js" "file/main.js"),
    style: together!(style: "base.css" "head.css" "panes.css" "file/pictures.css"),
};

/// The page of two files.
pub const DIFF: Look = Look {
    script: together!(script: "words.js" "elements.js" "model.js" "window.js" "hex.js" "address.js" "cards.js" "help.js"
        "pair/pairs.js" "pair/values.js" "pair/changes.js" "pair/tree.js" "pair/selection.js" "pair/main.js"),
    style: together!(style: "base.css" "head.css" "panes.css" "pair/pair.css"),
};

/// The style of the page of two folders, which has no script.
pub const FOLDERS: &str = together!(style: "base.css" "head.css" "folders.css");

/// The page where one drops files.
pub const DROP: Look = Look {
    script: together!(script: "words.js" "elements.js" "drop/colours.js" "drop/engine.js" "drop/files.js" "drop/answers.js"
        "drop/main.js"),
    style: together!(style: "base.css" "head.css" "drop/drop.css"),
};

/// The script of the worker that the page asks.
pub const WORKER: &str = include_str!("../assets/drop/worker.js");

/// The hash of a script or a style, as a policy states it.
pub fn hash(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}
