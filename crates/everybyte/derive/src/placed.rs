//! Fields that stand at offsets: `at = offset`, and `each(offset in offsets), at = offset`.
//!
//! Before such a field stands a temporary one that takes no bytes: the places that the field has when it is written.

use crate::arithmetic;
use crate::checked::checked;
use crate::derived::Derived;
use crate::directives::Directive;
use crate::parsers::is_array;
use crate::part::Part;
use crate::place::{Place, element, optional, slots};
use crate::roles;
use crate::target::Beside;
use crate::terms;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Type};

/// Refuses what a field at an offset cannot have.
pub fn refuse(parts: &[Part], owner: &Ident, beside: &Beside) -> syn::Result<()> {
    for (number, part) in parts.iter().enumerate() {
        let Some(place) = &part.roles.place else { continue };
        part.directives.refuse(|name| match name {
            "temp" => Some("a structure at an offset is in the value: what is not there could not be written"),
            "assert" => Some("a structure at an offset has rules: write `#[layout(rule(…))]`"),
            "map" | "try_map" => Some("a structure at an offset is not mapped: give it a type of its own"),
            "calc" | "try_calc" => Some("a calculated field does not stand in the file: it has no offset"),
            _ => None,
        })?;
        if part.roles.is_inline {
            return Err(syn::Error::new(
                part.ident.span(),
                "a structure at an offset has a node of its own: leave out `inline`",
            ));
        }
        if let Some((kind, origin)) = &place.origin {
            let is_own = *owner == origin.text;
            if kind == "relative_to" && !is_own {
                let why = format!(
                    "the offset counts from the structure that the field stands in: `relative_to = {owner}`, or from the end of a \
                     field: `after = field`"
                );
                return Err(syn::Error::new(origin.span, why));
            }
        }
        if let (Some((variable, _)), None) = (&place.each, element(&part.field.ty)) {
            return Err(syn::Error::new(variable.span(), "`each` reads a list: give the field the type `Vec<T>`"));
        }
        if let (Some((variable, _)), Some(_)) = (&place.each, part.directives.reading("count")) {
            return Err(syn::Error::new(
                variable.span(),
                "`each` says how many elements the list has: leave out `count`",
            ));
        }
        let before = |name: &str| {
            let is_before = parts[..number].iter().any(|part| part.ident == name);
            is_before || (name == "magic" && beside.field("magic").is_some())
        };
        known(place, before)?;
    }
    Ok(())
}

/// Refuses names in offsets that are no fields: they are not there when the structure is written.
fn known(place: &Place, is_known: impl Fn(&str) -> bool) -> syn::Result<()> {
    let mut names = Vec::new();
    variables(place.at.to_token_stream(), &mut names);
    if let Some((variable, list)) = &place.each {
        names.retain(|name| name != variable);
        variables(list.to_token_stream(), &mut names);
    }
    match names.into_iter().find(|name| !is_known(&name.to_string())) {
        Some(name) => {
            let why = format!(
                "an offset is made of fields before it, and `{name}` is none: it has to be known when the structure is written"
            );
            Err(syn::Error::new(name.span(), why))
        }
        None => Ok(()),
    }
}

/// The variables in an expression.
fn variables(tokens: TokenStream, names: &mut Vec<Ident>) {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let sign =
        |place: Option<&TokenTree>, sign: char| matches!(place, Some(TokenTree::Punct(it)) if it.as_char() == sign);
    for (place, tree) in all.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => variables(group.stream(), names),
            TokenTree::Ident(name) => {
                let before = place.checked_sub(1).and_then(|before| all.get(before));
                let after = all.get(place + 1);
                let is_called =
                    matches!(after, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                let is_path = sign(before, '.') || sign(before, ':') || sign(after, ':') || sign(after, '!');
                let text = name.to_string();
                let is_name = text.starts_with(|first: char| first.is_lowercase() || first == '_');
                let is_word = syn::parse_str::<Ident>(&text).is_err();
                let is_type =
                    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128"].contains(&&*text);
                if is_name && !is_called && !is_path && !is_word && !is_type {
                    names.push(name.clone());
                }
            }
            _ => {}
        }
    }
}

/// A field at an offset, ready to be declared.
pub struct Placed<'p> {
    pub part: &'p Part,
    pub derived: &'p Derived<'p>,
    pub label: &'p TokenStream,
    pub parser: Option<&'p Expr>,
    /// The arguments of one element, if each has its own.
    pub args: Option<&'p Directive>,
    pub is_counted: bool,
}

impl Placed<'_> {
    fn place(&self) -> &Place {
        self.part.roles.place.as_ref().expect("the field is placed")
    }

    /// The type of what stands at one offset, and whether it may fail to be there.
    fn stored(&self) -> (&Type, bool) {
        let ty = &self.part.field.ty;
        let ty = if self.place().each.is_some() { element(ty).unwrap_or(ty) } else { ty };
        optional(ty).map_or((ty, false), |inner| (inner, true))
    }

    /// `hook::Place` of the offset. The size matters only for readers.
    fn stands(&self, has_size: bool) -> TokenStream {
        let Place { at, origin, .. } = self.place();
        let (span, at) = (at.span(), arithmetic::judged(at));
        let origin = self.derived.origin_of_place(origin.as_ref());
        let size = match self.part.roles.size.as_ref().filter(|_| has_size).map(arithmetic::judged) {
            Some(size) => quote!(Some(#size)),
            None => quote!(::everybyte::hook::UNSIZED),
        };
        quote_spanned!(span=> ::everybyte::hook::Place::new(#at, #origin, #size))
    }

    /// The field before it that has its places.
    pub fn slots(&self) -> TokenStream {
        let (own, ident) = (slots(&self.part.ident), &self.part.ident);
        let ty = &self.part.field.ty;
        let count = match (&self.place().each, optional(ty)) {
            (Some(_), _) => quote!(#ident.len()),
            (None, Some(_)) => quote!(usize::from(#ident.is_some())),
            (None, None) => quote!(1),
        };
        let is_told = self.part.directives.reading("if").is_some();
        let computed = match (&self.place().each, self.stored().1) {
            (Some(_), true) => quote!(::everybyte::hook::Slots::computed_options(#ident.iter().map(Option::is_some))),
            (None, true) => quote!(::everybyte::hook::Slots::computed_option(#ident.is_some(), #is_told)),
            (None, false) if is_told && element(ty).is_some() => {
                quote!(::everybyte::hook::Slots::computed_option(!#ident.is_empty(), true))
            }
            _ => quote!(::everybyte::hook::Slots::computed(#count)),
        };
        let stated = self.stated(&count);
        // Numbers of other structures say where the elements stand.
        let is_elsewhere = self.place().each.is_some() && roles::has_field(&self.place().at);
        let (text, origin) = (ident.to_string(), self.derived.origin_of_place(self.place().origin.as_ref()));
        let calculated = match (self.derived.is_computed(ident), self.derived.is_made(ident) || is_elsewhere) {
            (true, _) => computed,
            (_, true) => quote!(if ::everybyte::hook::is_all() { #computed } else { #stated }),
            _ => stated,
        };
        quote! {
            #[br(temp, parse_with = ::everybyte::hook::Slots::unread)]
            #[bw(try_calc = (#calculated).map(|slots| slots.named(#text, *&#origin)))]
            #own: ::everybyte::hook::Slots
        }
    }

    /// The places that the value states.
    fn stated(&self, count: &TokenStream) -> TokenStream {
        let Place { at, each, .. } = self.place();
        let mut names = Vec::new();
        variables(at.to_token_stream(), &mut names);
        if let Some((variable, list)) = each {
            names.retain(|name| name != variable);
            variables(list.to_token_stream(), &mut names);
        }
        names.sort();
        names.dedup();
        let place = self.stands(false);
        let offsets = match each {
            None => quote!([#place.offset()]),
            Some((variable, list)) => quote!((&#list).into_iter().map(|#variable| #place.offset())),
        };
        quote! {{
            #(let #names = ::core::clone::Clone::clone(#names);)*
            ::everybyte::hook::Slots::stated(#count, #offsets)
        }}
    }

    /// The parser of the field.
    pub fn hook(&self, checks: &mut Vec<TokenStream>) -> syn::Result<TokenStream> {
        let (ty, is_optional) = self.stored();
        let (span, field, label) = (ty.span(), checked(ty), self.label);
        let has_arguments = ["args", "args_raw"].iter().any(|name| self.part.directives.reading(name).is_some());
        let reader = quote!(reader: &mut ::everybyte::hook::Limited<'_>, endian);
        if let (Some(list), None, false) = (element(ty), self.parser, self.is_counted) {
            let why = "a `Vec` says how many elements it has: add `#[br(count = …)]`, or `each(offset in offsets)` if each has its own offset";
            return Err(syn::Error::new_spanned(list, why));
        }
        let parse = match (self.parser, element(ty)) {
            (Some(parser), _) => quote!(|#reader, args| (#parser)(reader, endian, args)),
            (None, Some(element)) if self.is_counted => {
                let why = "elements without a least size would make their count unbounded: give them a field that is always there";
                checks.push(quote_spanned! {element.span()=>
                    const _: () = ::core::assert!(<#element as ::everybyte::Layout>::MIN_SIZE > 0, #why);
                });
                let element = checked(element);
                quote!(|#reader, args| <#element as ::everybyte::hook::Element>::list(reader, endian, args, #label.name))
            }
            (None, None) if self.is_counted => quote! {
                |#reader, args: ::binrw::VecArgs<()>| <#field as ::everybyte::hook::Text>::read_bytes(reader, args.count)
            },
            _ if is_array(ty) => quote! {
                |#reader, (): ()| <#field as ::everybyte::hook::Array>::elements(
                    reader, endian, ::everybyte::hook::NoArguments::none(), #label.name
                )
            },
            _ if has_arguments || self.place().each.is_some() => {
                quote!(|#reader, args| <#field as ::everybyte::hook::Readable>::read(reader, endian, args))
            }
            _ => quote! {
                |#reader, (): ()| <#field as ::everybyte::hook::Readable>::read(
                    reader, endian, ::everybyte::hook::NoArguments::none()
                )
            },
        };
        let place = self.stands(true);
        let Some((variable, list)) = &self.place().each else {
            let hook = Ident::new(if is_optional { "placed_or_none" } else { "placed" }, span);
            return Ok(quote_spanned!(span=> ::everybyte::hook::#hook(#label, #place, #parse)));
        };
        let hook = Ident::new(if is_optional { "each_placed_or_none" } else { "each_placed" }, span);
        let args = self.arguments(&field);
        Ok(quote_spanned! {span=>
            ::everybyte::hook::#hook(#label, ::everybyte::hook::places(&#list, |#variable| (#place, #args)), #parse)
        })
    }

    /// The arguments of one element, which may depend on the element of the list beside it.
    fn arguments(&self, field: &TokenStream) -> TokenStream {
        match self.args.and_then(Directive::group) {
            Some(group) if group.delimiter() == Delimiter::Brace => {
                let stream = group.stream();
                quote!(::everybyte::hook::arguments::<#field>(::binrw::args! { #stream }))
            }
            Some(group) => {
                let stream = group.stream();
                quote!((#stream,))
            }
            None => quote!(::everybyte::hook::NoArguments::none()),
        }
    }

    /// The writer of the field.
    pub fn writer(&self) -> Option<TokenStream> {
        let directives = &self.part.directives;
        if ["write_with", "ignore"].into_iter().any(|name| directives.writing(name)) {
            return None;
        }
        let (ty, is_optional) = self.stored();
        let (slots, field) = (slots(&self.part.ident), checked(ty));
        let writer = match (self.place().each.is_some(), is_optional) {
            (false, false) => "write_placed",
            (false, true) => "write_placed_option",
            (true, false) => "write_each_placed",
            (true, true) => "write_each_placed_option",
        };
        let writer = Ident::new(writer, ty.span());
        Some(quote_spanned!(ty.span()=> #[bw(write_with = ::everybyte::hook::#writer::<#field, _>(&#slots))]))
    }
}

/// `PlaceDoc` of the place of a field.
pub fn documented(place: Option<&Place>) -> TokenStream {
    let Some(Place { at, origin, each }) = place else { return quote!(None) };
    let at = terms::expression(at);
    let origin = match origin {
        None => quote!(::everybyte::role::Origin::Space),
        Some((kind, target)) => {
            let text = target.stripped();
            let variant = Ident::new(if kind == "after" { "After" } else { "Structure" }, target.span);
            quote!(::everybyte::role::Origin::#variant(::everybyte::Name::new(#text)))
        }
    };
    let each = match each {
        None => quote!(None),
        Some((variable, list)) => {
            let (variable, list) = (variable.to_string(), terms::expression(list));
            quote!(Some((#variable, #list)))
        }
    };
    quote!(Some(::everybyte::PlaceDoc { at: #at, origin: #origin, each: #each }))
}
