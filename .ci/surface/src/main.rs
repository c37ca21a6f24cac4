//! Lists the public items of a crate, one per line, out of rustdoc's JSON: `surface JSON`.
//!
//! An implementation of a trait is one line: its methods are those of the trait.

#![forbid(unsafe_code)]

use public_api::{Builder, PublicItem};
use std::collections::HashSet;
use std::error::Error;

fn is_impl(text: &str) -> bool {
    text.starts_with("impl ") || text.starts_with("impl<") || text.starts_with("unsafe impl")
}

/// Returns whether an item is the implementation of a trait.
fn is_of_trait(item: &PublicItem) -> bool {
    let text = item.to_string();
    is_impl(&text) && text.contains(" for ")
}

/// Returns whether a line says nothing that another line does not say: the head of methods, and what `PartialEq` derives.
fn is_implied(item: &PublicItem) -> bool {
    let text = item.to_string();
    text.contains("::StructuralPartialEq for ") || (is_impl(&text) && !text.contains(" for "))
}

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("the path of rustdoc's JSON is missing")?;
    let surface = Builder::from_rustdoc_json(path).omit_blanket_impls(true).omit_auto_trait_impls(true).build()?;
    let of_traits: HashSet<_> = surface.items().filter(|item| is_of_trait(item)).map(PublicItem::id).collect();
    let mut last = String::new();
    for item in surface.items() {
        let is_within = item.parent_id().is_some_and(|parent| of_traits.contains(&parent));
        let line = item.to_string();
        if !is_within && !is_implied(item) && line != last {
            println!("{line}");
            last = line;
        }
    }
    Ok(())
}
