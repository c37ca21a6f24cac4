//! Numbers as links to the fields that they refer to.

use super::rows::Rows;
use crate::links::Links;
use crate::map::Space;

/// The maximum number of fields of a map whose links are computed. Each field takes a few hundred bytes of memory.
const MOST_FIELDS: usize = 20_000;

/// Returns the row of each number, with the row of the field that it refers to, or its own row if there is no such
/// field. `None` if the map is too large for links.
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
