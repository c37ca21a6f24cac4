//! The parsers that `#[layout]` adds to fields: each records its field, unless the field is inline.
//!
//! The hook depends on how the field is read: by its type, with a count, by its own parser, by a mapping, or within a size.
//! Every hook takes the label of the field and returns a parser for binrw's `parse_with`. Its tokens have the span of
//! the type, so that an error about a missing trait points to the field instead of the macro.

use crate::checked::checked;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, GenericArgument, Ident, PathArguments, Type};

/// How a field is read, in addition to its type and parser.
pub struct How {
    pub is_counted: bool,
    pub is_mapped: bool,
    pub has_arguments: bool,
    /// The number of bytes that it may take.
    pub size: Option<Expr>,
    /// For a field without its own node, true if it is the only one.
    pub inline: Option<bool>,
}

/// Returns the parser that records a field, and adds checks of the field's elements.
pub fn hook(
    ty: &Type,
    label: &TokenStream,
    parser: Option<&Expr>,
    how: &How,
    checks: &mut Vec<TokenStream>,
) -> syn::Result<TokenStream> {
    let span = ty.span();
    let element = element_of(ty);
    let is_filled = parser.is_some_and(is_filling);
    if let Some(element) = element.filter(|_| is_filled || (how.is_counted && parser.is_none())) {
        let number = if is_filled { "number" } else { "count" };
        let why = format!(
            "elements that can be empty would make their {number} unbounded: give them a field that is always present"
        );
        checks.push(quote_spanned! {element.span()=>
            const _: () = ::core::assert!(<#element as ::everybyte::Layout>::MIN_SIZE > 0, #why);
        });
    }
    if let (None, Some(_), false, false) = (parser, element, how.is_counted, how.is_mapped) {
        return Err(syn::Error::new_spanned(ty, "a `Vec` needs a number of elements: add `#[br(count = …)]`"));
    }
    if let Some(is_alone) = how.inline {
        return inline(ty, label, parser, how, is_alone);
    }
    if let Some(size) = &how.size {
        return sized(ty, label, parser, size, how);
    }
    let field = checked(ty);
    if parser.is_none() && !how.is_counted && !how.is_mapped && is_array(ty) {
        let array = Ident::new(if how.has_arguments { "array" } else { "bare_array" }, span);
        return Ok(quote_spanned!(span=> ::everybyte::hook::#array::<#field, _>(#label)));
    }
    Ok(match (parser, element) {
        (Some(parser), _) => quote_spanned!(span=> ::everybyte::hook::recorded(#label, #parser)),
        (None, Some(element)) if how.is_counted => {
            let element = checked(element);
            quote_spanned!(span=> ::everybyte::hook::counted::<#element, _>(#label))
        }
        (None, None) if how.is_counted => quote_spanned!(span=> ::everybyte::hook::counted_text::<#field, _>(#label)),
        _ if how.is_mapped => quote_spanned!(span=> ::everybyte::hook::mapped(#label)),
        _ if how.has_arguments => quote_spanned!(span=> ::everybyte::hook::field::<#field, _>(#label)),
        _ => quote_spanned!(span=> ::everybyte::hook::bare::<#field, _>(#label)),
    })
}

/// Returns the parser of a field without its own node.
fn inline(
    ty: &Type,
    label: &TokenStream,
    parser: Option<&Expr>,
    how: &How,
    is_alone: bool,
) -> syn::Result<TokenStream> {
    let (span, field) = (ty.span(), checked(ty));
    let no_parser = how.is_mapped || is_array(ty) || (how.is_counted && element_of(ty).is_some_and(|of| !is_byte(of)));
    if no_parser || (parser.is_some() && element_of(ty).is_some_and(|of| !is_byte(of))) {
        let why = "`inline` is only for a structure or a single value: each element of a list needs a node";
        return Err(syn::Error::new_spanned(ty, why));
    }
    if let Some(size) = &how.size {
        return sized(ty, label, parser, size, how);
    }
    let stands = stands(is_alone, parser.is_some());
    Ok(match parser {
        Some(parser) => quote_spanned!(span=> ::everybyte::hook::inline(#label, #stands, #parser)),
        None if how.is_counted => {
            quote_spanned!(span=> ::everybyte::hook::inline_counted::<#field, _>(#label, #stands))
        }
        None if how.has_arguments => quote_spanned! {span=>
            ::everybyte::hook::inline(#label, #stands, <#field as ::everybyte::hook::Readable>::read)
        },
        None => quote_spanned! {span=>
            ::everybyte::hook::inline(#label, #stands, |reader, endian, (): ()| {
                <#field as ::everybyte::hook::Readable>::read(reader, endian, ::everybyte::hook::NoArguments::none())
            })
        },
    })
}

/// Returns the `hook::Inline` that says how a field without a node is read.
fn stands(is_alone: bool, is_parsed: bool) -> TokenStream {
    quote!(::everybyte::hook::Inline { is_alone: #is_alone, is_parsed: #is_parsed })
}

/// Returns the parser that records a field and limits its reader to the stated size.
fn sized(ty: &Type, label: &TokenStream, parser: Option<&Expr>, size: &Expr, how: &How) -> syn::Result<TokenStream> {
    if how.is_counted {
        let why = "a list has a `count` or a `size`: with a size, read it by `#[br(parse_with = filling(u64::MAX))]`";
        return Err(syn::Error::new_spanned(size, why));
    }
    if how.is_mapped {
        return Err(syn::Error::new_spanned(size, "`size` is only for structures, not for mapped fields"));
    }
    let (span, field) = (ty.span(), checked(ty));
    let size = quote_spanned!(size.span()=> ::everybyte::hook::size(#size));
    let (sized, stands) = match how.inline {
        Some(is_alone) => (Ident::new("sized_inline", span), Some(stands(is_alone, true))),
        None => (Ident::new("sized", span), None),
    };
    let stands = stands.iter();
    let parse = match parser {
        Some(parser) => quote!((#parser)(reader, endian, args)),
        None if how.has_arguments => quote!(<#field as ::everybyte::hook::Readable>::read(reader, endian, args)),
        None => {
            let args = quote!(::everybyte::hook::NoArguments::none());
            return Ok(quote_spanned! {span=>
                ::everybyte::hook::#sized(
                    #label,
                    #(#stands,)*
                    #size,
                    |reader: &mut ::everybyte::hook::Limited<'_>, endian, (): ()| {
                        <#field as ::everybyte::hook::Readable>::read(reader, endian, #args)
                    },
                )
            });
        }
    };
    Ok(quote_spanned! {span=>
        ::everybyte::hook::#sized(
            #label,
            #(#stands,)*
            #size,
            |reader: &mut ::everybyte::hook::Limited<'_>, endian, args| #parse,
        )
    })
}

/// Returns whether a parser is `filling(…)`, `until(…)` or `each(…)`, whose elements need a minimum size.
fn is_filling(parser: &Expr) -> bool {
    let Expr::Call(call) = parser else { return false };
    let Expr::Path(path) = &*call.func else { return false };
    path.path.segments.last().is_some_and(|last| {
        ["filling", "until", "until_all", "until_sum", "each"].iter().any(|name| last.ident == name)
    })
}

/// Returns `T`, if the type is written as `Vec<T>`.
pub fn element_of(ty: &Type) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(element) if last.ident == "Vec" => Some(element),
        _ => None,
    }
}

/// Returns whether a type is written as `[T; N]`. Bytes count as one value.
pub fn is_array(ty: &Type) -> bool {
    matches!(ty, Type::Array(array) if !is_byte(&array.elem))
}

fn is_byte(ty: &Type) -> bool {
    ty.to_token_stream().to_string() == "u8"
}
