//! The `#[layout]` macro: one declaration of an on-disk structure gives its reader, writer, byte map, field
//! reference and fuzzing values.
//!
//! The macro expands to binrw's own `#[binrw]` and adds one hook to every field. The hook records where the field
//! stands when a parse is traced, and bounds every `count` by the bytes that are left. What the author writes stays
//! plain binrw; what would hide bytes from the map (`pad_*`, `align_*`, a field's `magic`) does not compile.

#![cfg_attr(not(test), deny(clippy::too_many_lines))]

mod arithmetic;
mod bits;
mod checked;
mod choice;
mod codes;
mod derived;
mod derives;
mod directives;
mod docs;
mod document;
mod expanded;
mod fields;
mod fuzzing;
mod matching;
mod opens;
mod options;
mod page;
mod parsers;
mod part;
mod place;
mod placed;
mod roles;
mod shown;
mod single;
mod structure;
mod symbols;
mod target;
mod terms;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use single::Shown;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Expr, Fields, Ident, LitInt, Token, parse2};

/// Declares an on-disk structure. See the crate `everybyte` for what it gives.
///
/// * on a struct with named fields: the fields in file order, with binrw attributes;
/// * on an enum of plain variants with `#[brw(repr = …)]`: a code with names;
/// * on an enum whose variants have named fields: alternatives, tried in order, each guarded by `pre_assert`;
/// * as `#[layout(match = value)]` on such an enum: each variant says by `#[when(pattern)]` for which values it stands;
/// * as `#[layout(bits = N)]` on a struct: named bits of one N-bit integer, lowest first; highest first with `bits = N, msb`.
/// * on a struct whose one field has no name, or on one without fields: a single value, or fixed bytes. `#[layout(name = …,
///   value = …, meaning = …)]` says how it is shown, and `expected = […]` which values can be read.
///
/// On a field, `#[layout(…)]` states the role of its number (see `everybyte::Role`). `place = field` has `relative_to =
/// Type` or `after = field` if it does not count from the start of the space. The others are `extent = field`, `counts
/// = field`, `copy_of = field`, `check_of = field`, `writer`, `fact`, `payload`, `steady`. A field that identifies the element of
/// a list is its `key`. A field is named as seen from the number: `field` is one beside it, `outer::field` one beside a
/// structure around it. `field!` is what the field decompresses into, `"first..last"` a run of fields. `#[br(count = …)]` gives the number
/// in it the role `counts`.
///
/// A number with `#[br(temp)]` and a role about fields beside it is computed when it is written. A `check_of` says by `sum =
/// function` how it is made, and by `own = byte` what stands for its own bytes meanwhile. `size = length` limits the bytes of a field. `from = field` says where padding is counted from. `rule("name", error, condition, "words")` is a rule.
/// `name = "type"` is the name of the field in maps. An `inline` field has no node of its own: its parts stand beside the others.
///
/// A struct with a `magic` has its bytes as `T::MAGIC`, or as `T::magic(endian)` if the layout does not fix the byte order of
/// an integer.
#[proc_macro_attribute]
pub fn layout(options: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(options.into(), item.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Derives `arbitrary::Arbitrary` if everybyte's feature `arbitrary` is on, and nothing otherwise. `#[layout]` derives it by
/// itself: this is for the field types that a format adds by hand. The attributes of `arbitrary` stand for the same.
#[proc_macro_derive(Arbitrary, attributes(arbitrary))]
pub fn arbitrary(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let expanded = syn::parse(item).and_then(|item| fuzzing::expand(&item));
    expanded.unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Declares a code whose unknown values are kept. See the crate `everybyte`.
#[proc_macro]
pub fn codes(declaration: proc_macro::TokenStream) -> proc_macro::TokenStream {
    codes::expand(declaration.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// The options in the parentheses of `#[layout(…)]`.
enum Options {
    None,
    /// The width of an integer whose bits have names, and whether the first field has the highest ones.
    Bits(LitInt, bool),
    /// The value that says which alternative of an enum stands in the file.
    Match(Box<Expr>),
    /// How a single value is shown.
    Single(Box<Shown>),
}

impl Parse for Options {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        if input.is_empty() {
            return Ok(Options::None);
        }
        let name = Ident::parse_any(input)?;
        if name != "bits" && name != "match" {
            return Shown::parse(name, input).map(|shown| Options::Single(Box::new(shown)));
        }
        input.parse::<Token![=]>()?;
        if name == "match" {
            return Ok(Options::Match(input.parse()?));
        }
        let bits = input.parse()?;
        if input.parse::<Option<Token![,]>>()?.is_none() || input.is_empty() {
            return Ok(Options::Bits(bits, false));
        }
        let order: Ident = input.parse()?;
        if order != "msb" {
            let why = "the first field has the lowest bits, or the highest ones: `bits = 24, msb`";
            return Err(syn::Error::new(order.span(), why));
        }
        Ok(Options::Bits(bits, true))
    }
}

fn expand(options: TokenStream, item: TokenStream) -> syn::Result<TokenStream> {
    let expanded = expand_item(&parse2(options)?, &parse2(item)?)?;
    Ok(quote! {
        const _: () = ::everybyte::hook::assert_same_binrw::<::binrw::Endian>();
        #expanded
    })
}

fn expand_item(options: &Options, item: &DeriveInput) -> syn::Result<TokenStream> {
    if let (Data::Struct(data), Options::None | Options::Single(_)) = (&item.data, options)
        && data.fields.len() <= 1
        && !matches!(data.fields, Fields::Named(_))
        && item.generics.type_params().next().is_none()
        && item.generics.lifetimes().next().is_none()
    {
        let shown = if let Options::Single(shown) = options { shown } else { &Shown::default() };
        return single::expand(item, &data.fields, shown);
    }
    if let Options::Single(shown) = options {
        shown.refuse()?;
    }
    if !item.generics.params.is_empty() {
        return Err(syn::Error::new_spanned(
            &item.generics,
            "a layout has no generic parameters: declare each structure",
        ));
    }
    match (&item.data, options) {
        (Data::Struct(_), Options::Match(value)) => Err(syn::Error::new_spanned(value, "`match` belongs to an enum")),
        (Data::Struct(data), _) => {
            let Fields::Named(fields) = &data.fields else {
                return Err(syn::Error::new_spanned(
                    &item.ident,
                    "a layout names its fields: use a struct with named fields",
                ));
            };
            match options {
                Options::Bits(bits, is_msb) => bits::expand(item, fields, (bits, *is_msb)),
                _ => structure::expand(item, fields),
            }
        }
        (Data::Enum(data), _) if data.variants.is_empty() => Err(syn::Error::new_spanned(
            &item.ident,
            "an enum without variants has no value that could stand in a file",
        )),
        (Data::Enum(_), Options::Bits(bits, _)) => Err(syn::Error::new_spanned(bits, "`bits` belongs to a struct")),
        (Data::Enum(data), Options::None | Options::Single(_))
            if data.variants.iter().all(|variant| variant.fields.is_empty()) =>
        {
            symbols::expand(item, data)
        }
        (Data::Enum(data), Options::Match(value)) => choice::expand(item, data, Some(value)),
        (Data::Enum(data), _) => choice::expand(item, data, None),
        (Data::Union(_), _) => {
            Err(syn::Error::new_spanned(&item.ident, "a union has no layout of its own: declare an enum"))
        }
    }
}
