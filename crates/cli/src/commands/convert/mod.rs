//! `ndbytes convert`

mod arguments;
mod batch;
mod opened;
mod single;
mod tables;

pub use arguments::Arguments;

use crate::context::{Context, Outcome};
use std::io;

pub fn run(arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    match (arguments.inputs(), &arguments.out_dir, arguments.to) {
        (Err(words), ..) => {
            context.complain(words)?;
            Ok(Outcome::Unreadable)
        }
        (Ok((inputs, None)), Some(folder), Some(kind)) => batch::run(arguments, inputs, (folder, kind), context),
        (Ok((inputs, out)), ..) => single::one(arguments, inputs, out.unwrap_or("-".as_ref()), context),
    }
}
