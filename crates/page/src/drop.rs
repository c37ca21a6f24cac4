//! The page for dropped files.

use crate::assets::{DIFF, DROP, WORKER};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use everybyte::page::Parts;
use everybyte::page::assets::{FILE, Look, hash};

/// Returns the page for dropped files, with the engine that reads them: a WebAssembly module, as a deflate stream. It accepts files
/// of at most `most` bytes. The page is one file and loads nothing. Its content security policy allows its own scripts, and those
/// of the pages that it shows in frames.
pub fn drop_page(engine: &[u8], most: u64) -> String {
    let Look { script, style } = DROP;
    let looks = [DROP, FILE, DIFF];
    let scripts = looks.map(|look| hash(look.script)).join(" ");
    let styles = looks.map(|look| hash(look.style)).join(" ");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src {styles}; \
         script-src {scripts} 'wasm-unsafe-eval'; img-src data: blob:; worker-src blob:; base-uri 'none'; \
         form-action 'none'\">\n<title>ndbytes: drop a file</title>\n<style>{}</style>\n</head>\n<body>\n\
         <noscript><h1>ndbytes</h1><p>This page needs its script. The command ndbytes check says the same.</p></noscript>\n\
         <script type=\"text/plain\" id=\"engine\" data-most=\"{most}\">{}</script>\n\
         <script type=\"text/plain\" id=\"worker\">\n{WORKER}</script>\n<script>{}</script>\n</body>\n</html>\n",
        Parts(style),
        STANDARD.encode(engine),
        Parts(script)
    )
}
