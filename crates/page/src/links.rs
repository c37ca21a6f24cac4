//! Numbers as links to the fields that they are about.

use crate::rows::Rows;
use ndbytes::ByteMap;
use ndbytes::everybyte::links::Links;

/// The maximum number of fields of a map whose links are looked for: each takes some hundred bytes of memory.
const MOST_FIELDS: usize = 20_000;

/// The row of a number and the row of the field that it is about; of a number that leads nowhere, its own row twice.
/// `None` if the map is too large for them.
pub fn links(map: &ByteMap, rows: &Rows<'_>) -> Option<Vec<[usize; 2]>> {
    let fields: usize = map.spaces.iter().flat_map(|space| &space.nodes).map(ndbytes::everybyte::Node::leaves).sum();
    if fields > MOST_FIELDS {
        return None;
    }
    let links = Links::new(&map.spaces);
    let rows = links.all().filter_map(|link| {
        let from = rows.place(link.number)?;
        Some([from, rows.place(link.subject?.node)?])
    });
    Some(rows.collect())
}
