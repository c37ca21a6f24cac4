//! JSON with the positions of parts.

use everybyte::{
    Format, layout,
    list::rest,
    text::{Json, Text},
};
use serde::Deserialize;

/// Facts in JSON, and the parts that they name.
#[layout]
#[brw(big)]
pub struct Parts {
    #[br(temp)]
    length: u16,
    #[br(count = length)]
    facts: Text<Json>,
    #[layout(each(part in facts.all::<Part>("/parts/*")), at = part.at, size = part.end - part.at, after = facts)]
    parts: Vec<Bytes>,
    #[layout(each(part in facts.all::<Part>("/more/*/1")), at = part.at, size = part.end - part.at, after = facts)]
    more: Vec<Option<Bytes>>,
}

#[derive(Deserialize)]
struct Part {
    at: u32,
    end: u32,
}

#[layout]
struct Bytes {
    #[br(parse_with = rest)]
    bytes: Vec<u8>,
}

impl Format for Parts {
    const NAME: &'static str = "parts";
}
