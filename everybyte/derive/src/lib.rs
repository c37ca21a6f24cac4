//! The `#[layout]` macro: from one declaration of an on-disk structure, it generates the reader, writer, byte map,
//! field reference and fuzzing values.
//!
//! The macro expands to binrw's own `#[binrw]` and adds one hook to every field. The hook records the position of the
//! field if parsing is traced, and limits every `count` to the remaining bytes. Declarations are plain binrw; anything
//! that would hide bytes from the map (`pad_*`, `align_*`, a field's `magic`) does not compile.
//!
//! The path of an item through the macro: `expand` chooses a module by the kind of the item. That module takes each field apart
//! into its directives for binrw and its options for everybyte (`part`), rewrites the expressions in them (`arithmetic`), and adds
//! fields without bytes for anything that must happen before and after it (`derived`, `opens`, `placed`). The rest goes to binrw.
//! The same parts yield the page of the field reference (`document`) and, with `view`, the view (`viewed`).

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
mod viewed;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;
use quote::quote;
use single::Shown;
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Expr, Fields, Ident, LitInt, Token, parse2};

/// Declares an on-disk structure. See the crate `everybyte` for what it generates.
///
/// * on a struct with named fields: the fields in file order, with binrw attributes;
/// * on an enum of plain variants with `#[brw(repr = …)]`: a code with names;
/// * on an enum whose variants have named fields: alternatives, tried in order, each guarded by `pre_assert`;
/// * as `#[layout(match = value)]` on such an enum: `#[when(pattern)]` on each variant states which values it matches;
/// * as `#[layout(bits = N)]` on a struct: named bits of one N-bit integer, lowest first; highest first with `bits = N, msb`;
/// * on a struct with one unnamed field, or without fields: a single value, or fixed bytes. `#[layout(name = …, value =
///   …, meaning = …)]` sets how it is shown, and `expected = […]` restricts the values that can be read.
///
/// On a field, `#[layout(…)]` states the role of its number (see `everybyte::role::Role`). `place = field` needs
/// `relative_to = Type` or `after = field` if it is not relative to the start of the space. The other roles are
/// `extent = field`, `counts = field`, `copy_of = field`, `index_of = list` with `from = 1`, `check_of = field`, `writer`,
/// `fact`, `payload` and `steady`. `key` marks a field that identifies a list element. A field is named relative to the number:
/// `field` is in its structure, and `outer::field` in the surrounding structure. `field!` is the content that the field
/// decompresses into, and `"first..last"` a run of fields. `#[br(count = …)]` assigns the role `counts` to its number.
///
/// A number with `#[br(temp)]` and a role that refers to fields of its structure is computed when writing. For `check_of`, `sum =
/// function` states how it is computed, and `own = byte` sets the replacement for its own bytes. `size = length` limits the bytes
/// of a field. `from = field` sets the origin of padding. `rule("name", error, condition, "words")` declares a rule. `name =
/// "type"` sets the name of the field in maps. An `inline` field does not have its own node: its parts become siblings.
///
/// With the word `view`, as in `#[layout(view)]` and `#[layout(match = kind, view)]`, a layout `T` also gets a view, `TView`: a
/// struct that borrows the bytes and has a method for each field. See `everybyte::view::Viewed`, and the guide for the limits of
/// views.
///
/// If a struct has a `magic`, its bytes are in `T::MAGIC`, or in `T::magic(endian)` if the layout does not fix the byte order of an
/// integer.
#[proc_macro_attribute]
pub fn layout(options: proc_macro::TokenStream, item: proc_macro::TokenStream) -> proc_macro::TokenStream {
    expand(options.into(), item.into()).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Derives `arbitrary::Arbitrary` if everybyte's feature `arbitrary` is on, otherwise nothing. `#[layout]` already derives it, so
/// use this only for field types that you implement by hand. The attributes of `arbitrary` have the same meaning.
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
    /// The width of an integer with named bits, and whether the first field has the highest ones.
    Bits(LitInt, bool),
    /// The value that selects the alternative of an enum in the file.
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
    let (options, view) = viewed::take(options);
    let (options, item) = (parse2(options)?, parse2(item)?);
    let expanded = expand_item(&options, &item)?;
    let view = view.map(|word| expand_view(&options, &item, &word)).transpose()?;
    Ok(quote! {
        const _: () = ::everybyte::hook::assert_same_binrw::<::binrw::Endian>();
        #expanded
        #view
    })
}

/// Returns the view of a layout. Bits and codes always have one.
fn expand_view(options: &Options, item: &DeriveInput, word: &Ident) -> syn::Result<TokenStream> {
    match (options, &item.data) {
        (Options::Bits(..), _) => Ok(TokenStream::new()),
        (_, Data::Enum(data)) if data.variants.iter().all(|variant| variant.fields.is_empty()) => {
            Ok(TokenStream::new())
        }
        (Options::Match(value), _) => viewed::expand(item, word, Some(value)),
        _ => viewed::expand(item, word, None),
    }
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
        (Data::Enum(data), _) if data.variants.is_empty() => {
            Err(syn::Error::new_spanned(&item.ident, "an enum without variants has no values"))
        }
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
