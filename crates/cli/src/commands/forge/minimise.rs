//! `ndbytes forge --minimise`

use super::arguments::Arguments;
use super::request::{file, recipe};
use crate::context::{Context, Outcome};
use crate::show::text;
use ndbytes_forge::Recipe;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// Minimizes a recipe by removing the steps without which the command still ends in the same way.
pub fn run(path: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let read = recipe(path, context).and_then(|recipe| {
        let from = arguments.from.first().map(|from| file(from, context)).transpose()?;
        let (program, rest) = arguments.command.split_first().ok_or("`-- COMMAND` is missing")?;
        let trial = Trial { from, program, arguments: rest };
        let wanted = trial.run(&recipe).map_err(|error| format!("{}: {error}", text::path(path)))?;
        Ok(recipe.minimised(|shorter| trial.run(shorter).is_ok_and(|status| status == wanted)))
    });
    match read {
        Ok(shortest) => {
            write!(context.out.machine(), "{shortest}")?;
            Ok(Outcome::Clean)
        }
        Err(message) => {
            context.complain(&message)?;
            Ok(Outcome::Unreadable)
        }
    }
}

/// A command that is run on the file of a recipe.
struct Trial<'t> {
    from: Option<Vec<u8>>,
    program: &'t OsString,
    arguments: &'t [OsString],
}

impl Trial<'_> {
    /// Returns the exit status of the command for the file of a recipe; `None` if a signal ended it.
    fn run(&self, recipe: &Recipe) -> Result<Option<i32>, String> {
        let forged = recipe.replay(self.from.as_deref()).map_err(|error| error.to_string())?;
        let file = std::env::temp_dir().join(format!("ndbytes-minimise-{}", std::process::id()));
        fs::write(&file, &forged.bytes).map_err(|error| format!("cannot write {}: {error}", text::path(&file)))?;
        let mut command = Command::new(self.program);
        command.args(self.arguments).arg(&file).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let status = command.status().map_err(|error| format!("cannot run {}: {error}", self.program.display()));
        // Leftovers would be in the directory for temporary files.
        let _ = fs::remove_file(&file);
        Ok(status?.code())
    }
}
