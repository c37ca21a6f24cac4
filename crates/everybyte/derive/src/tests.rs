//! The messages of refused declarations, without a compiler: those of `#[layout]` and `codes!` themselves. The whole set, with
//! the messages that types give and the places of all of them, is compiled weekly by `everybyte-tests`.

use std::fs;
use std::path::{Path, PathBuf};
use syn::{Item, Meta};

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
fn refused_declarations_have_the_messages_that_stand_beside_them() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/ui/refused");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let sources: Vec<PathBuf> = files.filter(|path| path.extension().is_some_and(|end| end == "rs")).collect();
    let mut by_macros = 0;
    for path in sources {
        let expected = fs::read_to_string(path.with_extension("stderr")).unwrap();
        let said = messages(&fs::read_to_string(&path).unwrap());
        for message in &said {
            assert!(expected.contains(&format!("error: {message}\n")), "{}: {message}", path.display());
        }
        by_macros += usize::from(!said.is_empty());
    }
    assert!(by_macros >= 89, "the macros refuse {by_macros} declarations");
}
