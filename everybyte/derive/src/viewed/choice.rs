//! The view of alternatives that a value selects: an enum with a view for each.

use super::field::Seen;
use super::owner::Owner;
use super::structure::{declared, seen};
use crate::directives::Directives;
use crate::matching::Matching;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DataEnum, Expr, Fields, Ident, Variant};

/// An alternative.
struct Alternative<'v> {
    name: &'v Ident,
    /// The name of its view.
    view: Ident,
    seen: Vec<Seen>,
}

pub fn expand(
    owner: &Owner<'_>,
    data: &DataEnum,
    matched: &Expr,
    order: Option<&TokenStream>,
) -> syn::Result<TokenStream> {
    let matching = Matching::of(matched, &data.variants)?;
    let alternatives =
        data.variants.iter().map(|variant| Alternative::of(owner, variant)).collect::<syn::Result<Vec<_>>>()?;
    let (ident, vis, view) = (owner.ident, owner.vis, owner.view());
    let declared = alternatives.iter().map(|alternative| alternative.declared(owner));
    let (names, views) = (alternatives.iter().map(|it| it.name), alternatives.iter().map(|it| &it.view));
    let implemented = implemented(owner, &alternatives, &matching, order);
    let doc = format!("A view of a [`{ident}`]: that of the alternative that is in the file.");
    Ok(quote! {
        #(#declared)*

        #[doc = #doc]
        #[derive(Debug, Clone, Copy)]
        #[allow(missing_docs, clippy::all)]
        #vis enum #view<'a> {
            #(#names(#views<'a>)),*
        }

        #implemented
    })
}

impl<'v> Alternative<'v> {
    fn of(owner: &Owner<'_>, variant: &'v Variant) -> syn::Result<Self> {
        let Fields::Named(fields) = &variant.fields else {
            return Err(syn::Error::new_spanned(&variant.ident, "a view needs named fields"));
        };
        Directives::take(&mut variant.attrs.clone())?.refuse(|_| Some("a view knows no directives of a variant"))?;
        let mut fields = fields.clone();
        // The fields have the visibility of the enum.
        fields.named.iter_mut().for_each(|field| field.vis = owner.vis.clone());
        let view = format_ident!("{}{}View", owner.ident, variant.ident);
        Ok(Alternative { name: &variant.ident, view, seen: seen(owner, &fields, None)? })
    }

    /// Returns the view.
    fn declared(&self, owner: &Owner<'_>) -> TokenStream {
        let doc = format!("A view of [`{}::{}`]: its fields, read where they are.", owner.ident, self.name);
        declared(owner, (&self.view, &doc), &self.seen, &quote!(0))
    }

    /// Returns the arm of `agrees`.
    fn agrees(&self, owner: &Owner<'_>) -> TokenStream {
        let (Alternative { name, seen, .. }, ident, view) = (self, owner.ident, owner.view());
        let each = seen.iter().map(|field| field.agrees(Some((ident, name))));
        quote! {
            #view::#name(view) => {
                let is_other = value.is_some_and(|value| !::core::matches!(value, #ident::#name { .. }));
                let mut agree = !is_other;
                #(#each)*
                ::core::result::Result::Ok(agree)
            }
        }
    }
}

/// Returns the implementation of `Viewed`.
fn implemented(
    owner: &Owner<'_>,
    alternatives: &[Alternative<'_>],
    matching: &Matching<'_>,
    order: Option<&TokenStream>,
) -> TokenStream {
    let (ident, view, args, names) = (owner.ident, owner.view(), owner.args(), owner.names());
    let chosen = matching.chosen(|name| {
        let of = format_ident!("{}{}View", ident, name);
        quote!(::core::result::Result::Ok(#view::#name(#of { __frame, __args: args })))
    });
    let (variants, last) = (alternatives.iter().map(|it| it.name), alternatives.iter().map(|it| it.seen.len()));
    let agrees = alternatives.iter().map(|alternative| alternative.agrees(owner));
    quote! {
        #[allow(unused_variables, clippy::all)]
        impl ::everybyte::view::Viewed for #ident {
            type View<'a> = #view<'a>;
            type Args = #args;

            fn at<'a>(
                frame: ::everybyte::view::Frame<'a>,
                args: #args,
            ) -> ::core::result::Result<#view<'a>, ::std::boxed::Box<::everybyte::ParseError>> {
                let __frame = frame #order;
                let #names = args;
                #chosen
            }

            fn length(
                frame: ::everybyte::view::Frame<'_>,
                args: #args,
            ) -> ::core::result::Result<usize, ::std::boxed::Box<::everybyte::ParseError>> {
                match <Self as ::everybyte::view::Viewed>::at(frame, args)? {
                    #(#view::#variants(view) => view.__walk(#last)),*
                }
            }

            fn agrees(
                view: &#view<'_>,
                value: ::core::option::Option<&Self>,
            ) -> ::core::result::Result<bool, ::std::boxed::Box<::everybyte::ParseError>> {
                match view {
                    #(#agrees),*
                }
            }
        }
    }
}
