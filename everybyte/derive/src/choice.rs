//! `#[layout]` on an enum whose variants have fields: alternatives that are tried in order.
//!
//! binrw tries one variant after another, and the errors of failed variants do not show which one was meant. So each variant begins
//! with a hook that drops what the previous one recorded, and the recorder keeps the name of the variant that was tried last. The
//! minimum size of the enum is the smallest among its variants, and its size is fixed only if all variants have the same size.

use crate::arithmetic;
use crate::derived;
use crate::derives::{Held, implemented};
use crate::directives::Directives;
use crate::expanded::Expanded;
use crate::fields;
use crate::matching::{self, Matching};
use crate::page::{Described, Page, left_to};
use crate::{docs, terms};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, DataEnum, DeriveInput, Expr, Fields, Ident, Type, Variant};

pub fn expand(item: &DeriveInput, data: &DataEnum, matched: Option<&Expr>) -> syn::Result<TokenStream> {
    let mut attributes = item.attrs.clone();
    let mut directives = Directives::take(&mut attributes)?;
    directives.refuse(|name| (name == "magic").then_some("move the magic into the structures of the variants"))?;

    arithmetic::rewrite_assertions(&mut directives, None);
    let mut all = Alternatives { stream: Some(directives.stream()), ..Alternatives::default() };
    let matching = matched.map(|value| Matching::of(value, &data.variants)).transpose()?;
    for (place, variant) in data.variants.iter().enumerate() {
        all.add(&item.ident, variant, matching.as_ref().map(|matching| (matching, place)))?;
    }
    let writer = derived::writer(&directives, &directives.stream(), [all.needs_stream, all.needs_copy])?;
    let Alternatives { declarations, variant_docs, min_sizes, sizes, types, checks, .. } = &all;
    let (endian, parameters) = (directives.endian(), directives.parameters());
    let (ident, vis) = (&item.ident, &item.vis);
    let derives = implemented(ident, &all.held());
    let page = Page { ident, doc: docs::text(&item.attrs), endian, parameters };
    let keeps_errors = all.keeps_errors || directives.keeps_errors();
    let unexpected = (!keeps_errors).then(|| quote!(#[br(return_unexpected_error)]));
    let layout = page.layout(Described {
        min_size: quote!(::everybyte::reference::least(&[#(#min_sizes),*])),
        size: quote!(::everybyte::reference::same(&[#(#sizes),*])),
        is_moved: all.is_moved || directives.moves_reader(),
        left_to: all.left_to(),
        methods: all.methods(),
        kind: quote!(Choice(vec![#(#variant_docs),*])),
        types,
    });
    Ok(quote! {
        #[::binrw::binrw]
        #unexpected
        #directives
        #writer
        #(#attributes)*
        #vis enum #ident {
            #(#declarations),*
        }

        #derives

        #(#checks)*

        #layout
    })
}

/// The alternatives, ready for the output: one value per alternative in each list, except for types and checks.
#[derive(Default)]
struct Alternatives<'v> {
    declarations: Vec<TokenStream>,
    variant_docs: Vec<TokenStream>,
    min_sizes: Vec<TokenStream>,
    sizes: Vec<TokenStream>,
    /// Other types that the field reference must describe.
    types: Vec<Type>,
    names: Vec<String>,
    idents: Vec<&'v Ident>,
    /// The field to which each alternative delegates its value.
    inline: Vec<Option<(Ident, Type)>>,
    /// Additional assertions, checked when the enum is compiled.
    checks: Vec<TokenStream>,
    heaps: Vec<TokenStream>,
    /// The fields of each value: their names and their types.
    values: Vec<Vec<(Ident, TokenStream)>>,
    /// The name of the writer.
    stream: Option<Ident>,
    needs_stream: bool,
    needs_copy: bool,
    is_moved: bool,
    /// True if only the error of an alternative shows why it failed. The reader then keeps that error.
    keeps_errors: bool,
}

impl<'v> Alternatives<'v> {
    fn add(
        &mut self,
        owner: &Ident,
        variant: &'v Variant,
        matching: Option<(&Matching<'_>, usize)>,
    ) -> syn::Result<()> {
        let mut attributes = variant.attrs.clone();
        let mut directives = Directives::take(&mut attributes)?;
        let when = matching::take(&mut attributes);
        self.keeps_errors |= directives.keeps_errors() || fields_keep_errors(variant);
        self.is_moved |= directives.moves_reader();
        let (condition, guard) = guard(variant, &mut directives, when, matching)?;
        directives.refuse(|name| {
            (name == "magic").then_some("the magic of a variant would have no node in the map: declare a field for it")
        })?;
        let Fields::Named(fields) = &variant.fields else {
            let why = "a variant names its fields: write `Variant { field: Type }`";
            return Err(syn::Error::new_spanned(&variant.ident, why));
        };
        let expanded = fields::expand(owner, fields, None, self.stream.as_ref().expect("it was set above"))?;
        self.note(&expanded);
        let (ident, heap) = (&variant.ident, expanded.heap(|name| quote!(#name)));
        let held: Vec<_> = expanded.held.iter().map(|(name, _)| name).collect();
        self.inline.push(expanded.only_inline().cloned());
        self.heaps.push(quote!(Self::#ident { #(#held,)* .. } => #heap));
        let (name, doc) = (variant.ident.to_string(), docs::text(&variant.attrs));
        let (fields, field_docs, min, size) =
            (expanded.declarations, expanded.docs, expanded.min_sizes, expanded.sizes);
        self.declarations.push(quote! {
            #(#attributes)*
            #guard
            #directives
            #ident {
                #[br(temp, parse_with = ::everybyte::hook::alternative(#name))]
                #[bw(ignore)]
                __alternative: (),
                #(#fields),*
            }
        });
        self.variant_docs.push(quote! {
            ::everybyte::reference::VariantDoc {
                name: ::everybyte::map::Name::new(#name),
                doc: ::everybyte::map::Name::new(#doc),
                condition: #condition,
                fields: vec![#(#field_docs),*],
            }
        });
        self.min_sizes.push(quote!(0 #(+ #min)*));
        self.sizes.push(quote!(::everybyte::reference::sum(&[#(#size),*])));
        self.values.push(expanded.values);
        self.types.extend(expanded.types);
        self.checks.extend(expanded.checks);
        self.names.push(name);
        self.idents.push(ident);
        Ok(())
    }

    /// Records what the reader and the writer of a variant need.
    fn note(&mut self, expanded: &Expanded) {
        self.needs_stream |= expanded.needs_stream;
        self.needs_copy |= expanded.needs_copy;
        self.is_moved |= expanded.is_moved;
    }

    /// Returns the fields of each value.
    fn held(&self) -> Vec<Held<'_>> {
        let variants = self.idents.iter().zip(&self.values);
        variants.map(|(variant, fields)| Held { variant: Some(variant), fields }).collect()
    }

    /// Returns the types of the fields to which the alternatives delegate their values.
    fn left_to(&self) -> Vec<&Type> {
        self.inline.iter().flatten().map(|(_, ty)| ty).collect()
    }

    /// Returns the methods of `Layout` that depend on the alternative.
    fn methods(&self) -> TokenStream {
        let Alternatives { names, idents, heaps, inline, .. } = self;
        let shown = left_to(&self.left_to(), |method, is_value| {
            let arms = idents.iter().zip(names).zip(inline).map(|((ident, name), inline)| match inline {
                Some((field, _)) if is_value => quote! {
                    Self::#ident { #field, .. } => ::everybyte::hook::value_or_name(#field, #name)
                },
                Some((field, _)) => quote!(Self::#ident { #field, .. } => ::everybyte::Layout::#method(#field)),
                None if is_value => {
                    quote!(Self::#ident { .. } => ::everybyte::map::Value::Name(::everybyte::map::Name::new(#name)))
                }
                None => quote!(Self::#ident { .. } => ::core::default::Default::default()),
            });
            quote!(match self { #(#arms),* })
        });
        quote! {
            #shown

            fn heap(&self) -> u64 {
                match self {
                    #(#heaps),*
                }
            }
        }
    }
}

/// Returns the condition of a variant for the field reference, and the directive of one that is chosen by a value.
fn guard(
    variant: &Variant,
    directives: &mut Directives,
    when: Option<Attribute>,
    matching: Option<(&Matching<'_>, usize)>,
) -> syn::Result<(TokenStream, Option<TokenStream>)> {
    let name = variant.ident.to_string();
    if let Some((matching, place)) = matching {
        if let Some(other) = directives.reading("pre_assert") {
            let why = "`match` chooses this variant: write the condition as `#[when(pattern if condition)]`";
            return Err(syn::Error::new(other.name.span(), why));
        }
        let guard = arithmetic::guarded(matching.guard(place), &name)?;
        return Ok((matching.condition(place), Some(quote!(#[br(pre_assert(#guard, ::everybyte::hook::Otherwise))]))));
    }
    if let Some(when) = when {
        return Err(syn::Error::new_spanned(
            when,
            "name the value that chooses: `#[layout(match = value)]` on the enum",
        ));
    }
    let Some(condition) = directives.reading("pre_assert") else {
        let why = "say when this variant stands in the file: add `#[br(pre_assert(…))]`, or `#[when(…)]` and \
                   `#[layout(match = value)]` on the enum";
        return Err(syn::Error::new_spanned(&variant.ident, why));
    };
    let condition = terms::expression(&condition.first_expression()?);
    arithmetic::rewrite_assertions(directives, Some(&name));
    directives.add_message("pre_assert", &quote!(::everybyte::hook::Otherwise));
    Ok((condition, None))
}

/// Returns whether a field of an alternative may fail outside its hook, so that only its error shows the reason.
fn fields_keep_errors(variant: &Variant) -> bool {
    let keeps = |field: &syn::Field| Directives::take(&mut field.attrs.clone()).is_ok_and(|it| it.keeps_errors());
    variant.fields.iter().any(keeps)
}
