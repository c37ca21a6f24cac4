//! Assembles the recipes of the project whose root is the working directory. `tests/assemble.sh` compiles and runs this program.

#[path = "../assembly.rs"]
mod assembly;
#[path = "../recipe/mod.rs"]
#[allow(dead_code, reason = "the tests use the rest")]
mod recipe;

use std::path::Path;

fn main() -> std::io::Result<()> {
    for (from, name) in [("tests/corpus", "corpus"), ("fuzz/seeds", "seeds")] {
        assembly::assembled(Path::new("."), from, name)?;
    }
    Ok(())
}
