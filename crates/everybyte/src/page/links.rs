//! Numbers as links to the fields that they are about.

use super::rows::Rows;
use crate::links::Links;
use crate::map::Space;

/// The maximum number of fields of a map whose links are looked for: each takes some hundred bytes of memory.
const MOST_FIELDS: usize = 20_000;

/// The row of a number and the row of the field that it is about; of a number that leads nowhere, its own row twice.
/// `None` if the map is too large for them.
pub fn links(spaces: &[Space], rows: &Rows<'_>) -> Option<Vec<[usize; 2]>> {
    let fields = spaces.iter().flat_map(|space| space.nodes.all()).filter(|node| node.is_leaf()).count();
    if fields > MOST_FIELDS {
        return None;
    }
    let links = Links::new(spaces);
    let rows = links.all().filter_map(|link| {
        let from = rows.place(link.space, link.number)?;
        let subject = link.subject?;
        Some([from, rows.place(subject.space, subject.node)?])
    });
    Some(rows.collect())
}
