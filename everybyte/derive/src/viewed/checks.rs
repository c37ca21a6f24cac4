//! The assertions of a field in a view, and the directives that views do not support.

use super::terms::{Stated, words};
use crate::derived::names;
use crate::directives::Directives;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

/// Refuses directives that views do not support.
pub fn refuse(directives: &Directives) -> syn::Result<()> {
    let known = ["count", "if", "args", "temp", "assert", "big", "little", "parse_with", "calc", "try_calc"];
    match directives.all_reading().map(|directive| &directive.name).find(|name| known.iter().all(|known| name != known))
    {
        Some(name) => {
            let why = format!(
                "a view does not know `{name}`: leave out the word `view`, or give the field a type of its own"
            );
            Err(syn::Error::new(name.span(), why))
        }
        None => Ok(()),
    }
}

/// Returns the fields that the assertions of a field use, and the assertions.
pub fn asserted(
    directives: &Directives,
    ident: &Ident,
    known: &[Ident],
) -> syn::Result<(Vec<Ident>, Vec<TokenStream>)> {
    let (mut named, mut statements) = (Vec::new(), Vec::new());
    let all: Vec<Ident> = known.iter().chain([ident]).cloned().collect();
    for directive in directives.all_reading().filter(|directive| directive.name == "assert") {
        let mut list = directive.expressions()?.into_iter();
        let Some(condition) = list.next() else { continue };
        let (message, stated) = (list.collect::<Vec<_>>(), Stated::of(&condition)?);
        named.extend(stated.names(&all));
        named.extend(in_texts(&quote!(#(#message),*), &all));
        let (judged, words) = (stated.judged(), words(&condition, &message)?);
        statements.push(quote! {
            let __holds: bool = __field.judged(#judged)?;
            if !__holds {
                return ::core::result::Result::Err(__field.refused(0, ::everybyte::error::Problem::Invalid(#words)));
            }
        });
    }
    named.sort();
    named.dedup();
    Ok((named, statements))
}

/// Returns the names in a message, such as `"version {version} is not known"`.
fn in_texts(message: &TokenStream, all: &[Ident]) -> Vec<Ident> {
    let (named, text) = (names(message), message.to_string());
    let is_shown = |name: &Ident| text.contains(&format!("{{{name}")) || named.contains(name);
    all.iter().filter(|name| is_shown(name)).cloned().collect()
}
