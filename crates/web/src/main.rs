//! Builds the page: `ndbytes-web ENGINE.wasm PAGE.html`. `crates/web/build.sh` calls it.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

use ndbytes_codecs::deflate;
use std::error::Error;
use std::fs;
use std::io::Write;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [engine, page] = &arguments[..] else { return Err("two paths are needed: ENGINE.wasm PAGE.html".into()) };
    #[expect(clippy::disallowed_methods, reason = "the engine is a file of this build, not of a stranger")]
    let engine = fs::read(engine)?;
    let mut packed = deflate::encoder(Vec::new());
    packed.write_all(&engine)?;
    fs::write(page, ndbytes_page::drop_page(&packed.finish()?, ndbytes_web::MOST))?;
    Ok(())
}
