//! Arrays: their parts, what each kind can hold, and how it is written.

pub mod fit;
mod items;
mod metadata;
pub mod part;
mod transposed;
mod view;
mod widen;
mod write;

use crate::Target;
use crate::error::{Error, Loss, Result};
use crate::kind::Kind;
use crate::options::Options;
use fit::fit;
use part::Part;
use view::View;

/// Converts arrays, which become one along their first axis.
pub fn convert(parts: &[&Part<'_>], kind: Kind, target: Target<'_>, options: &Options<'_>) -> Result<Vec<Loss>> {
    let view = View::new(parts, options)?;
    let fit = fit(kind, &view)?;
    let mut losses: Vec<Loss> = fit.loss.iter().cloned().collect();
    losses.extend(metadata::losses(kind, parts));
    if !options.lossy && !losses.is_empty() {
        return Err(Error::Lossy(losses));
    }
    write::write(&view, &fit, kind, target, options)?;
    Ok(losses)
}
