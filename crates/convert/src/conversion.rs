//! Converts arrays.

use crate::arrays::fit::fit;
use crate::arrays::part::ArraySource;
use crate::arrays::view::View;
use crate::arrays::{metadata, write};
use crate::containers::{self, Entry};
use crate::error::{Loss, Result};
use crate::kind::FileKind;
use crate::name::stem;
use crate::options::Options;
use crate::target::Target;

/// Converts arrays. They are concatenated along the first axis, unless the target holds several.
pub fn convert(
    parts: &[&ArraySource<'_>],
    kind: FileKind,
    target: Target<'_>,
    options: &Options<'_>,
) -> Result<Vec<Loss>> {
    let wholes: Vec<&[&ArraySource<'_>]> = if kind.holds_several() { parts.chunks(1).collect() } else { vec![parts] };
    let mut entries = Vec::new();
    let mut losses = Vec::new();
    for (place, parts) in wholes.iter().enumerate() {
        let view = View::new(parts, place, options)?;
        let fit = fit(kind, &view, options)?;
        losses.extend(fit.loss.clone());
        losses.extend(metadata::losses(kind, parts)?);
        let name = stem(view.name()).to_owned();
        entries.push(Entry { name, view, fit });
    }
    options.ensure_allowed(&losses)?;
    parts.iter().try_for_each(|part| part.ensure_rest())?;
    match &entries[..] {
        [Entry { view, fit, .. }] if !kind.holds_several() => write::write(view, fit, kind, target, options)?,
        entries => containers::write(entries, kind, target, options)?,
    }
    Ok(losses)
}
