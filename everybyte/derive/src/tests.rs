//! Tests the messages of `#[layout]` and `codes!` about refused declarations, without a compiler. Once a week, `everybyte-tests`
//! compiles the whole set, and also tests the messages that types cause and the positions of all messages.

#[path = "../../tests/refused.rs"]
mod table;

use syn::{Item, Meta};
use table::refused;

/// Returns the messages of the macros about the items of a source.
fn messages(source: &str) -> Vec<String> {
    let file = syn::parse_file(source).unwrap();
    let refused = file.items.iter().filter_map(|item| expanded(item).err());
    refused.flatten().map(|error| error.to_string()).collect()
}

fn expanded(item: &Item) -> syn::Result<()> {
    let attributes = match item {
        Item::Struct(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Union(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Macro(item) if item.mac.path.segments.last().is_some_and(|name| name.ident == "codes") => {
            return crate::codes::expand(item.mac.tokens.clone()).map(drop);
        }
        _ => return Ok(()),
    };
    let Some(place) = attributes.iter().position(|attribute| attribute.path().is_ident("layout")) else {
        return Ok(());
    };
    let options = match &attributes[place].meta {
        Meta::List(list) => list.tokens.clone(),
        _ => proc_macro2::TokenStream::new(),
    };
    let mut item = item.clone();
    match &mut item {
        Item::Struct(item) => drop(item.attrs.remove(place)),
        Item::Enum(item) => drop(item.attrs.remove(place)),
        Item::Union(item) => drop(item.attrs.remove(place)),
        Item::Fn(item) => drop(item.attrs.remove(place)),
        _ => {}
    }
    crate::expand(options, quote::ToTokens::to_token_stream(&item)).map(drop)
}

#[test]
fn refused_declarations_have_the_messages_of_the_table() {
    let mut by_macros = 0;
    for case in refused() {
        let said = messages(case.source);
        for message in &said {
            assert!(format!("{}\n", case.message).contains(&format!("error: {message}\n")), "{}: {message}", case.name);
        }
        by_macros += usize::from(!said.is_empty());
    }
    assert!(by_macros >= 89, "the macros refuse {by_macros} declarations");
}
