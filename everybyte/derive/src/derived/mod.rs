//! Numbers that follow from other fields. They are computed when a structure is written; checksums are also checked
//! when it is read.
//!
//! Temporary fields without bytes are inserted between the fields, for positions and rules. More temporary fields,
//! after the last field, compute numbers and write them to their positions.
//!
//! binrw writes fields in order, so a number before the bytes that it counts is written twice: as a placeholder, and at
//! the end, by seeking back. Checksums come after all other numbers, since they may cover them.

mod asked;
mod places;

use crate::arithmetic;
use crate::directives::Directives;
use crate::options::Rule;
use crate::part::Part;
use crate::place;
use crate::roles::Role;
use crate::target::{Siblings, Target};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

/// The numbers of one structure that follow from its fields.
pub struct Derived<'b> {
    beside: &'b Siblings,
    /// The name of the writer in the expressions of the declaration.
    stream: &'b Ident,
    numbers: Vec<Number>,
    /// The fields whose first byte is recorded, and the fields whose end is recorded.
    starts: Vec<Ident>,
    ends: Vec<Ident>,
    /// True if padding is counted from a field.
    has_origin: bool,
    /// The fields whose values the author computes when the structure is written.
    calculated: Vec<Ident>,
}

/// A number that follows from other fields.
struct Number {
    name: Ident,
    ty: Type,
    /// True if it is computed when the structure is written.
    is_written: bool,
    /// True if it is part of the value, and computed in generated files.
    is_made: bool,
    of: Of,
    /// Its byte order, as a directive.
    order: Option<TokenStream>,
}

/// The fields from which a number follows.
enum Of {
    /// The elements of a list.
    Count(Ident),
    /// The bytes from a field to a field.
    Extent(Ident, Ident),
    /// The position of a field, and the origin if it is not the start of the space.
    Place(Ident, Option<Base>),
    /// The sum of the bytes from a field to a field.
    Sum(Ident, Ident, TokenStream),
    /// The position of a field at an offset and the origin.
    Placed(Ident, Option<Base>),
    /// The positions of the elements of such a list: the list, the type of an offset, and the origin.
    EachPlaced(Ident, Box<Type>, Option<Base>),
    /// The bytes of a field at an offset.
    PlacedExtent(Ident),
    /// The position or length of an element of a list with this name in an enclosing structure.
    Owed(String, bool),
}

enum Base {
    Structure,
    After(Ident),
}

impl<'b> Derived<'b> {
    pub fn new(beside: &'b Siblings, stream: &'b Ident) -> Self {
        let (numbers, starts, ends, calculated) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Derived { beside, stream, numbers, starts, ends, has_origin: false, calculated }
    }

    /// Adds what follows from the options of a field.
    pub fn add(&mut self, part: &Part) -> syn::Result<()> {
        let is_joined = part.roles.opens.as_ref().is_some_and(|opens| opens.is_joined);
        if !part.roles.rules.is_empty() || is_joined {
            self.starts.push(part.ident.clone());
        }
        if let Some(from) = &part.roles.from {
            self.starts.extend(from.run(self.beside).map(|(first, _)| first));
            self.has_origin = true;
        }
        self.add_origin(part);
        let is_calculated = ["calc", "try_calc"].iter().any(|name| part.directives.writing(name));
        if is_calculated && self.beside.measured.iter().all(|measured| measured.number != part.ident) {
            self.calculated.push(part.ident.clone());
        }
        let is_said = ["calc", "try_calc", "ignore"].iter().any(|name| part.directives.writing(name));
        let is_written = part.is_temporary() && !is_said;
        if !is_written && (part.roles.sum.is_none() || self.is_elsewhere(part)) {
            self.add_made(part)?;
            return Ok(());
        }
        let is_mapped = ["map", "try_map", "if"].into_iter().find(|name| part.directives.reading(name).is_some());
        if let Some(directive) = is_mapped {
            let why = format!("a derived number is written as computed: remove `{directive}`");
            return Err(syn::Error::new_spanned(&part.ident, why));
        }
        let Some(role) = part.roles.role() else {
            let why = "this is not in the value: say what it is about, such as `#[layout(extent = body)]`, or how it is \
                       computed, by `#[bw(try_calc = …)]`";
            return Err(syn::Error::new_spanned(&part.ident, why));
        };
        let of = self.of(part, role)?;
        if matches!(&of, Of::Placed(field, _) if is_written && self.beside.chains.contains(field)) {
            let why = "each element of a chain states where the next one stands, and this number the first one: leave out `temp`, so that \
                       the value has it";
            return Err(syn::Error::new_spanned(&part.ident, why));
        }
        self.note(part, &of);
        self.push(part, is_written, of);
        Ok(())
    }

    /// Adds the fields whose positions a number needs.
    fn note(&mut self, part: &Part, of: &Of) {
        if !matches!(of, Of::Count(_)) {
            self.starts.push(part.ident.clone());
        }
        match of {
            Of::Extent(first, last) | Of::Sum(first, last, _) => {
                self.starts.push(first.clone());
                self.ends.push(last.clone());
            }
            Of::Place(field, base) => {
                self.starts.push(field.clone());
                match base {
                    Some(Base::After(field)) => self.ends.push(field.clone()),
                    Some(Base::Structure) => self.starts.push(self.beside.fields[0].0.clone()),
                    None => {}
                }
            }
            Of::Placed(..) | Of::EachPlaced(..) | Of::PlacedExtent(_) | Of::Count(_) | Of::Owed(..) => {}
        }
    }

    /// Returns whether a number is a checksum over bytes elsewhere.
    fn is_elsewhere(&self, part: &Part) -> bool {
        let run = part.roles.role().and_then(|role| role.target.as_ref()?.run(self.beside));
        part.roles.sum.is_some()
            && run.is_none_or(|(first, last)| [first, last].iter().any(|end| self.beside.is_placed(&end.to_string())))
    }

    fn push(&mut self, part: &Part, is_written: bool, of: Of) {
        let order = ["big", "little"].into_iter().find(|name| part.directives.reading(name).is_some());
        let order = order.map(|name| {
            let name = Ident::new(name, part.ident.span());
            quote!(#[bw(#name)])
        });
        let is_made = !is_written && part.roles.sum.is_none();
        self.numbers.push(Number {
            name: part.ident.clone(),
            ty: part.field.ty.clone(),
            is_written,
            is_made,
            of,
            order,
        });
    }

    fn of(&self, part: &Part, role: &Role) -> syn::Result<Of> {
        let name = &role.name;
        let target = role.target.as_ref();
        let elsewhere = |what: &str| {
            let why = format!(
                "this is computed when the structure is written, and {what}: leave out `temp`, so that the value has it, or \
                 say `#[bw(try_calc = …)]`"
            );
            syn::Error::new(target.map_or(part.ident.span(), |target| target.span), why)
        };
        let Some((first, last)) = target.and_then(|target| target.run(self.beside)) else {
            return Err(elsewhere("its subject is not in the same structure"));
        };
        let measured = self.beside.measured.iter().find(|measured| measured.number == part.ident);
        let is_plain = measured.is_none_or(|measured| measured.is_plain);
        match name.as_str() {
            "place" | "extent" if self.beside.is_placed(&first.to_string()) => {
                self.of_placed(part, role, first).map_err(elsewhere)
            }
            "counts" | "extent" if !is_plain => Err(elsewhere("a field is read with an expression of it")),
            "counts" => Ok(Of::Count(first)),
            "extent" => Ok(Of::Extent(first, last)),
            "place" => match self.base(role) {
                Some(base) => Ok(Of::Place(first, base)),
                None => Err(elsewhere("its origin is not in the same structure")),
            },
            "check_of" if [&first, &last].iter().any(|end| self.beside.is_placed(&end.to_string())) => {
                Err(elsewhere("the sum of a structure at an offset is not computed"))
            }
            "check_of" if part.roles.sum.is_some() => Ok(Of::Sum(first, last, self.sum(part))),
            "check_of" => Err(elsewhere("add `sum = …`, which computes it")),
            _ => Err(elsewhere("its role does not determine it")),
        }
    }

    /// Returns the directive for writing a number before it is known.
    pub fn unset(&self, name: &Ident) -> Option<TokenStream> {
        let number = self.numbers.iter().find(|number| number.name == *name && number.is_written)?;
        let (ty, text) = (&number.ty, name.to_string());
        let value = match &number.of {
            Of::Count(list) => {
                let list = self.counted(list);
                quote!(::everybyte::hook::count_of(#list))
            }
            Of::EachPlaced(list, element, _) => {
                let unset = quote!(::everybyte::hook::unset_list::<#element>(#list.len(), #text));
                return Some(quote_spanned!(ty.span()=> #[bw(try_calc = #unset)]));
            }
            Of::Sum(..) => {
                return Some(quote_spanned!(ty.span()=> #[bw(try_calc = ::everybyte::hook::blank::<#ty>(#text))]));
            }
            _ => quote!(0),
        };
        Some(quote_spanned!(ty.span()=> #[bw(try_calc = ::everybyte::hook::number::<#ty>(#value, #text))]))
    }

    /// Returns the list whose elements a number counts. For a list of computed offsets, that is the list at these offsets.
    fn counted<'n>(&'n self, list: &'n Ident) -> &'n Ident {
        let placed = self.numbers.iter().find_map(|number| match &number.of {
            Of::EachPlaced(placed, ..) if number.name == *list && number.is_written => Some(placed),
            _ => None,
        });
        placed.unwrap_or(list)
    }

    /// Returns the arguments of padding that is relative to a field.
    pub fn origin(&self, from: &Target) -> syn::Result<TokenStream> {
        let Some((first, _)) = from.run(self.beside) else {
            return Err(syn::Error::new(from.span, "padding must be counted from a field of the same structure"));
        };
        let at = start(&first);
        Ok(quote!(#[br(args { from: #at.0 })] #[bw(args { from: #at.0 })]))
    }

    /// Returns the field that is inserted before a field to record where it begins.
    pub fn before(&self, name: &Ident) -> Option<TokenStream> {
        self.starts.contains(name).then(|| self.noted(&start(name)))
    }

    /// Returns the field that is inserted after a field to record where it ends.
    pub fn after(&self, name: &Ident) -> Option<TokenStream> {
        self.ends.contains(name).then(|| self.noted(&end(name)))
    }

    fn noted(&self, name: &Ident) -> TokenStream {
        let stream = self.stream;
        let calculated = match self.needs_stream() {
            true => quote!(#[bw(try_calc = ::everybyte::hook::At::of(#stream))]),
            // Only rules need it.
            false => quote!(#[bw(calc = ::everybyte::hook::At(0))]),
        };
        quote! {
            #[br(temp, parse_with = ::everybyte::hook::At::here)]
            #calculated
            #name: ::everybyte::hook::At
        }
    }

    /// Returns the fields that are inserted after a field to check its rules.
    pub fn rules(&self, part: &Part) -> Vec<TokenStream> {
        let rule = |(place, rule): (usize, &Rule)| {
            let Rule { name, severity, condition, words } = rule;
            let (field, at) = (part.roles.shown(&part.ident), start(&part.ident));
            let severity = match severity == "error" {
                true => quote!(Error),
                false => quote!(Warning),
            };
            let own = format_ident!("__rule_{place}_{}", part.ident);
            // In a generated file, the value is computed when the file is written.
            let is_met = !names(condition).iter().any(|name| self.calculated.contains(name));
            let (span, words) = (condition.span(), words.iter().map(arithmetic::shown));
            let condition = arithmetic::judged(condition);
            quote_spanned! {span=>
                #[br(temp, parse_with = ::everybyte::hook::rule(
                    (#name, ::everybyte::finding::Severity::#severity, #is_met),
                    #field,
                    #at,
                    || #condition,
                    || ::everybyte::hook::words(::core::format_args!(#(#words),*)),
                ))]
                #[bw(ignore)]
                #own: ()
            }
        };
        let later = format_ident!("__later_{}", part.ident);
        let later = self.is_elsewhere(part).then(|| {
            quote! {
                #[br(temp, parse_with = ::everybyte::hook::judged_later)]
                #[bw(ignore)]
                #later: ()
            }
        });
        part.roles.rules.iter().enumerate().map(rule).chain(later).collect()
    }

    /// Returns whether the writer must have a name.
    pub fn needs_stream(&self) -> bool {
        let is_settled = |number: &Number| number.is_written || number.is_made;
        self.has_origin || self.numbers.iter().any(|it| is_settled(it) && !matches!(it.of, Of::Count(_)))
    }

    /// Returns whether the writer must keep the written bytes.
    pub fn needs_copy(&self) -> bool {
        self.numbers.iter().any(|number| number.is_written && matches!(number.of, Of::Sum(..)))
    }

    /// Returns the temporary fields after the last field, and assertions about the numbers.
    pub fn last(&self) -> (Vec<TokenStream>, Vec<TokenStream>) {
        let mut placed: Vec<&Number> =
            self.numbers.iter().filter(|number| !matches!(number.of, Of::Count(_))).collect();
        // Checksums need final numbers, including the checksums over fewer fields.
        placed.sort_by_key(|number| match &number.of {
            Of::Sum(first, last, _) => 1 + self.distance(first, last),
            _ => 0,
        });
        let fixed = placed.iter().filter(|number| number.is_written).map(|number| {
            let ty = match &number.of {
                Of::EachPlaced(_, element, _) => &**element,
                _ => &number.ty,
            };
            let why = "a variable-length number is not computed: add `#[bw(try_calc = …)]`";
            quote_spanned!(ty.span()=> const _: () = ::core::assert!(<#ty as ::everybyte::Layout>::SIZE.is_some(), #why);)
        });
        (placed.iter().map(|number| self.settled(number)).collect(), fixed.collect())
    }

    /// Returns the number of fields from one to another.
    fn distance(&self, first: &Ident, last: &Ident) -> usize {
        let place = |name: &Ident| self.beside.fields.iter().position(|(field, _)| field == name).unwrap_or(0);
        place(last).saturating_sub(place(first))
    }

    /// Returns the value of a number that is written to its position.
    fn value(&self, of: &Of, own: &TokenStream) -> TokenStream {
        let stream = self.stream;
        match of {
            Of::Extent(first, last) => {
                let (from, to) = (start(first), end(last));
                quote!(Ok(#from.to(#to)))
            }
            Of::Place(field, base) => {
                let (field, origin) = (start(field), self.origin_of(base.as_ref()));
                quote!(Ok(#origin.to(#field)))
            }
            Of::Sum(first, last, sum) => {
                let (from, to) = (start(first), end(last));
                quote!(#stream.sum(#sum, (#from, #to), #own))
            }
            Of::Placed(field, base) => {
                let (slots, origin) = (place::slots(field), self.origin_of(base.as_ref()));
                quote!(Ok(#origin.to(#slots.place(0))))
            }
            Of::PlacedExtent(field) => {
                let slots = place::slots(field);
                quote!(Ok(#slots.length()))
            }
            Of::EachPlaced(..) | Of::Count(_) | Of::Owed(..) => quote!(Ok(0)),
        }
    }

    /// Returns the field that reads a checksum, and writes a number to its position.
    fn settled(&self, number: &Number) -> TokenStream {
        let Number { name, ty, is_written, is_made, of, order } = number;
        let (own, at, text) = (format_ident!("__settled_{name}"), start(name), name.to_string());
        let bytes = quote_spanned!(ty.span()=> ::everybyte::hook::own(#at, <#ty as ::everybyte::Layout>::SIZE));
        let read = match of {
            Of::Sum(first, last, sum) => {
                let (from, to) = (start(first), end(last));
                quote!(::everybyte::hook::summed(#sum, #text, (#from, #to), #bytes, #name.clone()))
            }
            _ => quote!(::everybyte::hook::Settled::unread),
        };
        if let Of::EachPlaced(list, element, base) = of {
            return self.settled_list(number, (list, element, self.origin_of(base.as_ref())));
        }
        let value = self.value(of, &bytes);
        let new = match of {
            Of::Owed(list, is_place) => {
                quote_spanned!(ty.span()=> ::everybyte::hook::Settled::<#ty>::owed(#at, #list, #is_place, #text))
            }
            Of::Sum(..) => quote_spanned!(ty.span()=> ::everybyte::hook::Settled::<#ty>::summed(#at, #value, #text)),
            _ => quote_spanned!(ty.span()=> ::everybyte::hook::Settled::<#ty>::new(#at, #value, #text)),
        };
        let written = match (is_written, is_made) {
            (true, _) => quote!(#[bw(try_calc = #new)] #order),
            (_, true) => quote! {
                #[bw(try_calc = if ::everybyte::hook::is_all() { #new } else { Ok(::everybyte::hook::Settled::none()) })]
                #order
            },
            _ => quote!(#[bw(calc = ::everybyte::hook::Settled::none())]),
        };
        quote_spanned! {ty.span()=>
            #[br(temp, parse_with = #read)]
            #written
            #own: ::everybyte::hook::Settled<#ty>
        }
    }
}

/// Returns the names in an expression.
pub fn names(expression: &impl ToTokens) -> Vec<Ident> {
    let of = |tree: TokenTree| match tree {
        TokenTree::Ident(name) => vec![name],
        TokenTree::Group(group) => names(&group.stream()),
        _ => Vec::new(),
    };
    expression.to_token_stream().into_iter().flat_map(of).collect()
}

/// Returns the directive that names the writer of a structure, and makes it keep the written bytes.
pub fn writer(
    directives: &Directives,
    stream: &Ident,
    [needs_stream, needs_copy]: [bool; 2],
) -> syn::Result<Option<TokenStream>> {
    let is_named = directives.writing("stream");
    if needs_copy && directives.writing("map_stream") {
        let why = "a checksum is computed from the bytes written: remove `map_stream` from this structure";
        return Err(syn::Error::new(stream.span(), why));
    }
    let name = (needs_stream && !is_named).then(|| quote!(#[bw(stream = #stream)]));
    let copy = needs_copy.then(|| quote!(#[bw(map_stream = ::everybyte::hook::Kept::new)]));
    Ok((name.is_some() || copy.is_some()).then(|| quote!(#name #copy)))
}

/// Returns the name of the field that records where a field begins.
pub fn start(name: &Ident) -> Ident {
    format_ident!("__before_{name}")
}

/// Returns the name of the field that records where a field ends.
fn end(name: &Ident) -> Ident {
    format_ident!("__after_{name}")
}

impl Derived<'_> {
    /// Returns whether a number directly follows the fields that it refers to.
    fn follows(&self, part: &Part) -> bool {
        let run = part.roles.role().and_then(|role| role.target.as_ref()?.run(self.beside));
        run.is_some_and(|(_, last)| self.distance(&last, &part.ident) == 1)
    }

    /// Returns an assertion that a checksum can be compared with the field that holds it.
    pub fn stated(&self, part: &Part) -> Option<TokenStream> {
        let ty = &part.field.ty;
        let ty = place::element(ty).or(place::optional(ty)).unwrap_or(ty);
        let is_check = part.roles.role().is_some_and(|role| role.name == "check_of");
        is_check.then(|| match &part.roles.sum {
            Some(sum) => {
                quote_spanned!(ty.span()=> const _: () = ::everybyte::hook::ensure_stated::<#ty, _>(#sum);)
            }
            None => quote_spanned!(ty.span()=> const _: () = ::everybyte::hook::ensure_check::<#ty>();),
        })
    }

    /// Returns the checksum of a field, as `Option<&'static Sum>`.
    pub fn sum(&self, part: &Part) -> TokenStream {
        let Some(path) = &part.roles.sum else { return quote!(None) };
        let name = crate::terms::text(&quote!(#path));
        let own = part.roles.own.as_ref().map(|own| quote!(.with_own(#own)));
        let elsewhere = self.is_elsewhere(part).then(|| quote!(.elsewhere()));
        let follows = self.follows(part).then(|| quote!(.following()));
        quote_spanned! {path.span()=> {
            static SUM: ::everybyte::sums::Sum =
                ::everybyte::sums::Sum::new(#name, |bytes| ::core::convert::From::from(#path(bytes)))
                    #own #elsewhere #follows;
            Some(&SUM)
        }}
    }
}
