//! Fields at offsets: `at = offset`, and `each(offset in offsets), at = offset`.
//!
//! Such a field is preceded by a temporary one without bytes, which contains the positions of the field when it is written.

use crate::arithmetic;
use crate::checked::checked;
use crate::derived::Derived;
use crate::directives::Directive;
use crate::parsers::is_array;
use crate::part::Part;
use crate::place::{Place, element, optional, slots};
use crate::roles;
use crate::target::Siblings;
use crate::terms;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Type};

/// Refuses directives and options that a field at an offset cannot have.
pub fn refuse(parts: &[Part], owner: &Ident, beside: &Siblings) -> syn::Result<()> {
    for (number, part) in parts.iter().enumerate() {
        let Some(place) = &part.roles.place else { continue };
        part.directives.refuse(|name| match name {
            "temp" => Some("a structure at an offset must be in the value, or it could not be written"),
            "assert" => Some("a structure at an offset cannot fail here: write `#[layout(rule(…))]`"),
            "map" | "try_map" => Some("a structure at an offset cannot be mapped: give it a type of its own"),
            "calc" | "try_calc" => Some("a calculated field is not in the file: it cannot have an offset"),
            _ => None,
        })?;
        if part.roles.is_inline {
            return Err(syn::Error::new(
                part.ident.span(),
                "a structure at an offset has a node of its own: remove `inline`",
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
        refuse_lists(part, place)?;
        let before = |name: &str| {
            let is_before = parts[..number].iter().any(|part| part.ident == name);
            is_before || (name == "magic" && beside.field("magic").is_some())
        };
        known(place, before)?;
    }
    Ok(())
}

/// Refuses directives that lists cannot have if their elements have their own offsets.
fn refuse_lists(part: &Part, place: &Place) -> syn::Result<()> {
    if let (Some((variable, _)), None) = (&place.each, element(&part.field.ty)) {
        return Err(syn::Error::new(variable.span(), "`each` reads a list: give the field the type `Vec<T>`"));
    }
    if let (Some((variable, _)), Some(_)) = (&place.each, part.directives.reading("count")) {
        return Err(syn::Error::new(variable.span(), "`each` already gives the number of elements: remove `count`"));
    }
    let Some((variable, _)) = &place.chain else { return Ok(()) };
    let why = match element(&part.field.ty) {
        Some(of) if optional(of).is_none() => None,
        Some(_) => {
            Some("each element of a chain gives the offset of the next one, so none can be absent: write `Vec<T>`")
        }
        None => Some("`chain` reads a list: give the field the type `Vec<T>`"),
    };
    let counted = part.directives.reading("count").map(|_| "a chain ends with its last element: remove `count`");
    let each = place.each.as_ref().map(|_| "the elements of a chain give their own offsets: remove `each`");
    match why.or(counted).or(each) {
        Some(why) => Err(syn::Error::new(variable.span(), why)),
        None => Ok(()),
    }
}

/// Refuses names in offsets that are not fields, because they are not available when the structure is written.
fn known(place: &Place, is_known: impl Fn(&str) -> bool) -> syn::Result<()> {
    let mut names = Vec::new();
    variables(place.at.to_token_stream(), &mut names);
    if let Some((variable, list)) = &place.each {
        names.retain(|name| name != variable);
        variables(list.to_token_stream(), &mut names);
    }
    names.extend(place.of_next());
    match names.into_iter().find(|name| !is_known(&name.to_string())) {
        Some(name) => {
            let why = format!(
                "an offset is computed from earlier fields, and `{name}` is not one: it must be known when the structure is written"
            );
            Err(syn::Error::new(name.span(), why))
        }
        None => Ok(()),
    }
}

impl Place {
    /// Returns the fields in the expression for the offset of a chain's next element.
    fn of_next(&self) -> Vec<Ident> {
        let mut names = Vec::new();
        if let Some((variable, next)) = &self.chain {
            variables(next.to_token_stream(), &mut names);
            names.retain(|name| name != variable);
        }
        names
    }
}

/// The variables in an expression. Parameters of closures are not included.
pub fn variables(tokens: TokenStream, names: &mut Vec<Ident>) {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let sign =
        |place: Option<&TokenTree>, sign: char| matches!(place, Some(TokenTree::Punct(it)) if it.as_char() == sign);
    // The closures that begin at this level: the bar before the parameters of each, and the first tree after its body.
    let (mut place, mut parameters, mut body_end) = (0, Vec::new(), 0);
    while place < all.len() {
        let before = place.checked_sub(1).and_then(|before| all.get(before));
        if sign(all.get(place), '|') && begins(before) {
            let bars = (place + 1..all.len()).find(|&at| sign(all.get(at), '|')).unwrap_or(all.len());
            parameters.extend(words(&all[place + 1..bars]));
            body_end = (bars..all.len()).find(|&at| sign(all.get(at), ',')).unwrap_or(all.len());
            place = bars + 1;
            continue;
        }
        if place >= body_end {
            parameters.clear();
        }
        let first = names.len();
        match &all[place] {
            TokenTree::Group(group) => variables(group.stream(), names),
            TokenTree::Ident(name) => {
                let after = all.get(place + 1);
                let is_called =
                    matches!(after, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
                let is_path = sign(before, '.') || sign(before, ':') || sign(after, ':') || sign(after, '!');
                if is_variable(name) && !is_called && !is_path {
                    names.push(name.clone());
                }
            }
            _ => {}
        }
        let of_closure = names.split_off(first).into_iter().filter(|name| !parameters.contains(name));
        names.extend(of_closure.collect::<Vec<_>>());
        place += 1;
    }
}

/// Returns whether a bar after this token begins a closure.
fn begins(before: Option<&TokenTree>) -> bool {
    match before {
        None => true,
        Some(TokenTree::Ident(name)) => name == "move" || name == "return" || name == "static",
        Some(TokenTree::Punct(sign)) => matches!(sign.as_char(), ',' | '=' | '>' | ';' | '&'),
        Some(_) => false,
    }
}

/// Returns all names in tokens, including groups.
fn words(tokens: &[TokenTree]) -> Vec<Ident> {
    let of = |tree: &TokenTree| match tree {
        TokenTree::Ident(name) => vec![name.clone()],
        TokenTree::Group(group) => words(&group.stream().into_iter().collect::<Vec<_>>()),
        _ => Vec::new(),
    };
    tokens.iter().flat_map(of).collect()
}

/// Returns whether a name may be a variable: it is neither a type nor a keyword of Rust.
fn is_variable(name: &Ident) -> bool {
    let text = name.to_string();
    let is_name = text.starts_with(|first: char| first.is_lowercase() || first == '_');
    let is_word = syn::parse_str::<Ident>(&text).is_err();
    let is_type = ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128"].contains(&&*text);
    is_name && !is_word && !is_type
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

    /// Returns the type at one offset, and whether it may be absent.
    fn stored(&self) -> (&Type, bool) {
        let ty = &self.part.field.ty;
        let ty = if self.place().is_of_elements() { element(ty).unwrap_or(ty) } else { ty };
        optional(ty).map_or((ty, false), |inner| (inner, true))
    }

    /// Returns the `hook::Place` for the offset. Only readers need the size.
    fn stands(&self, has_size: bool) -> TokenStream {
        self.stands_at(&self.place().at, has_size)
    }

    /// Like `stands`, but for another offset from the same origin.
    fn stands_at(&self, at: &Expr, has_size: bool) -> TokenStream {
        let Place { origin, chain, .. } = self.place();
        let (span, at) = (at.span(), arithmetic::judged(at));
        let origin = self.derived.origin_of_place(origin.as_ref());
        let size = match self.part.roles.size.as_ref().filter(|_| has_size).map(arithmetic::judged) {
            Some(size) => quote!(Some(#size)),
            None => quote!(::everybyte::hook::UNSIZED),
        };
        match chain {
            Some(_) => quote_spanned!(span=> ::everybyte::hook::link(#at, #origin, #size)),
            None => quote_spanned!(span=> ::everybyte::hook::Place::new(#at, #origin, #size)),
        }
    }

    /// Returns the field before it, which contains its positions.
    pub fn slots(&self) -> TokenStream {
        let (own, ident) = (slots(&self.part.ident), &self.part.ident);
        let ty = &self.part.field.ty;
        let is_chain = self.place().chain.is_some();
        let chained = is_chain.then(|| quote!(.chained()));
        let count = match (self.place().is_of_elements().then_some(()), optional(ty)) {
            (Some(_), _) => quote!(#ident.len()),
            (None, Some(_)) => quote!(usize::from(#ident.is_some())),
            (None, None) => quote!(1),
        };
        let is_told = self.part.directives.reading("if").is_some();
        let computed = match (&self.place().each, self.stored().1) {
            (Some(_), true) => quote!(::everybyte::hook::Slots::computed_options(#ident.iter().map(Option::is_some))),
            (None, true) => quote!(::everybyte::hook::Slots::computed_option(#ident.is_some(), #is_told)),
            (None, false) if is_told && element(ty).is_some() && !is_chain => {
                quote!(::everybyte::hook::Slots::computed_option(!#ident.is_empty(), true))
            }
            _ => quote!(::everybyte::hook::Slots::computed(#count)),
        };
        let stated = self.stated(&count);
        // Numbers of other structures state where the elements are.
        let is_elsewhere = is_chain || (self.place().each.is_some() && roles::has_field(&self.place().at));
        let (text, origin) = (ident.to_string(), self.derived.origin_of_place(self.place().origin.as_ref()));
        let calculated = match (self.derived.is_computed(ident), self.derived.is_made(ident) || is_elsewhere) {
            (true, _) => computed,
            (_, true) => quote!(if ::everybyte::hook::is_all() { #computed } else { #stated }),
            _ => stated,
        };
        quote! {
            #[br(temp, parse_with = ::everybyte::hook::Slots::unread)]
            #[bw(try_calc = (#calculated).map(|slots| slots.named(#text, *&#origin)#chained))]
            #own: ::everybyte::hook::Slots
        }
    }

    /// Returns the positions stated by the value.
    fn stated(&self, count: &TokenStream) -> TokenStream {
        let Place { at, each, .. } = self.place();
        let mut names = Vec::new();
        variables(at.to_token_stream(), &mut names);
        if let Some((variable, list)) = each {
            names.retain(|name| name != variable);
            variables(list.to_token_stream(), &mut names);
        }
        names.extend(self.place().of_next());
        names.sort();
        names.dedup();
        let place = self.stands(false);
        if let Some((variable, next)) = &self.place().chain {
            let (ident, next, element) = (&self.part.ident, self.stands_at(next, false), self.stored().0);
            return quote! {{
                #(let #names = ::core::clone::Clone::clone(#names);)*
                ::everybyte::hook::Slots::stated(
                    #count,
                    ::everybyte::hook::chain_offsets::<#element>(#place, #ident, |#variable| #next),
                )
            }};
        }
        let offsets = match each {
            None => quote!([#place.offset()]),
            Some((variable, list)) => quote!((&#list).into_iter().map(|#variable| #place.offset())),
        };
        quote! {{
            #(let #names = ::core::clone::Clone::clone(#names);)*
            ::everybyte::hook::Slots::stated(#count, #offsets)
        }}
    }

    /// Returns the parser of the field.
    pub fn hook(&self, checks: &mut Vec<TokenStream>) -> syn::Result<TokenStream> {
        let (ty, is_optional) = self.stored();
        let (field, label) = (checked(ty), self.label);
        let has_arguments = ["args", "args_raw"].iter().any(|name| self.part.directives.reading(name).is_some());
        let reader = quote!(reader: &mut ::everybyte::hook::Limited<'_>, endian);
        if let (Some(list), None, false) = (element(ty), self.parser, self.is_counted) {
            let why = "a `Vec` needs a number of elements: add `#[br(count = …)]`, or `each(offset in offsets)` if each has its own offset";
            return Err(syn::Error::new_spanned(list, why));
        }
        let parse = match (self.parser, element(ty)) {
            (Some(parser), _) => quote!(|#reader, args| (#parser)(reader, endian, args)),
            (None, Some(element)) if self.is_counted => {
                let why = "elements that can be empty would make their count unbounded: give them a field that is always present";
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
        Ok(self.hook_of(&field, label, is_optional, &parse))
    }

    /// Returns the parser of the field, which moves to each offset and reads there.
    fn hook_of(&self, field: &TokenStream, label: &TokenStream, is_optional: bool, parse: &TokenStream) -> TokenStream {
        let (ty, _) = self.stored();
        let (span, place) = (ty.span(), self.stands(true));
        if let Some((variable, next)) = &self.place().chain {
            let next = self.stands_at(next, true);
            return quote_spanned! {span=>
                ::everybyte::hook::chained::<#ty, _, _>(#label, #place, |#variable| #next, #parse)
            };
        }
        let Some((variable, list)) = &self.place().each else {
            let hook = Ident::new(if is_optional { "placed_or_none" } else { "placed" }, span);
            return quote_spanned!(span=> ::everybyte::hook::#hook(#label, #place, #parse));
        };
        let hook = Ident::new(if is_optional { "each_placed_or_none" } else { "each_placed" }, span);
        let args = self.arguments(field);
        quote_spanned! {span=>
            ::everybyte::hook::#hook(#label, ::everybyte::hook::places(&#list, |#variable| (#place, #args)), #parse)
        }
    }

    /// Returns the arguments of one element, which may depend on the element of a sibling list.
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

    /// Returns the writer of the field.
    pub fn writer(&self) -> Option<TokenStream> {
        let directives = &self.part.directives;
        if ["write_with", "ignore"].into_iter().any(|name| directives.writing(name)) {
            return None;
        }
        let (ty, is_optional) = self.stored();
        let (slots, field) = (slots(&self.part.ident), checked(ty));
        let writer = match (self.place().is_of_elements(), is_optional) {
            (false, false) => "write_placed",
            (false, true) => "write_placed_option",
            (true, false) => "write_each_placed",
            (true, true) => "write_each_placed_option",
        };
        let writer = Ident::new(writer, ty.span());
        Some(quote_spanned!(ty.span()=> #[bw(write_with = ::everybyte::hook::#writer::<#field, _>(&#slots))]))
    }
}

/// Returns `PlaceDoc` for the position of a field.
pub fn documented(place: Option<&Place>) -> TokenStream {
    let Some(Place { at, origin, each, chain }) = place else { return quote!(None) };
    let at = terms::expression(at);
    let origin = match origin {
        None => quote!(::everybyte::role::Origin::Space),
        Some((kind, target)) => {
            let text = target.stripped();
            let variant = Ident::new(if kind == "after" { "After" } else { "Structure" }, target.span);
            quote!(::everybyte::role::Origin::#variant(::everybyte::map::Name::new(#text)))
        }
    };
    let [each, chain] = [each, chain].map(|named| match named {
        None => quote!(None),
        Some((variable, of)) => {
            let (variable, of) = (variable.to_string(), terms::expression(of));
            quote!(Some((#variable, #of)))
        }
    });
    quote!(Some(::everybyte::reference::PlaceDoc { at: #at, origin: #origin, each: #each, chain: #chain }))
}
