//! `ndbytes forge --seeds`

use super::arguments::{Arguments, kinds};
use super::folder::new_file;
use crate::context::{Context, Outcome};
use ndbytes_forge::archive;
use std::io;
use std::path::Path;

/// Writes a zip archive of seeds: a few small files of each kind. The files of a sparse frame keep their directory.
pub fn run(out: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let (mut members, mut forge) = (Vec::new(), arguments.forge());
    for kind in kinds(arguments) {
        forge.reseed(arguments.seed());
        for (number, seed) in forge.seeds(kind).into_iter().enumerate() {
            let name = format!("{kind}-{}-{number}.{}", arguments.seed(), kind.extension());
            match seed.others.is_empty() {
                true => members.push((name, seed.bytes)),
                false => members.extend(seed.files().map(|(file, bytes)| (format!("{name}/{file}"), bytes.to_vec()))),
            }
        }
    }
    let Some(archive) = archive(&members) else {
        context.complain("the seeds do not fit into a zip archive: choose some with `--format`")?;
        return Ok(Outcome::Unreadable);
    };
    new_file(out, &archive, context)
}
