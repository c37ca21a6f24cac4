//! The view of a structure.

use super::field::Seen;
use super::owner::Owner;
use crate::fields::{Magic, siblings};
use crate::part::Part;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{FieldsNamed, Ident};

/// Returns the fields of a structure, as seen by its view.
pub fn seen(owner: &Owner<'_>, fields: &FieldsNamed, magic: Option<&Magic>) -> syn::Result<Vec<Seen>> {
    let beside = siblings(fields, magic.is_some())?;
    let parts = fields.named.iter().map(|field| Part::of(field, &beside)).collect::<syn::Result<Vec<_>>>()?;
    let mut seen: Vec<Seen> = Vec::new();
    for part in parts {
        let known: Vec<Ident> = seen.iter().map(|field| field.ident.clone()).collect();
        seen.push(Seen::of(part, owner.ident, &known)?);
    }
    // The fields whose values the walk needs: those that a length depends on, directly or indirectly.
    let mut needed: Vec<Ident> =
        seen.iter().filter(|field| !field.is_aside()).flat_map(|field| field.needs.clone()).collect();
    for field in seen.iter_mut().rev() {
        field.is_needed = needed.contains(&field.ident);
        if field.is_needed {
            needed.extend(field.needs.clone());
        }
    }
    Ok(seen)
}

pub fn expand(
    owner: &Owner<'_>,
    fields: &FieldsNamed,
    (magic, is_ordered): (Option<&Magic>, bool),
    order: Option<TokenStream>,
) -> syn::Result<TokenStream> {
    let (ident, view, args) = (owner.ident, owner.view(), owner.args());
    let seen = seen(owner, fields, magic)?;
    let (first, check) = match magic {
        Some(magic) => {
            let (ty, is_text) = (&magic.ty, magic.ty.to_string().starts_with('['));
            let bytes =
                if is_text || is_ordered { quote!(#ident::MAGIC) } else { quote!(#ident::magic(frame.endian())) };
            (quote!(::core::mem::size_of::<#ty>()), quote!(::everybyte::view::magic(frame, &#bytes)?;))
        }
        None => (quote!(0), TokenStream::new()),
    };
    let doc = format!("A view of a [`{ident}`]: its fields, read where they are.");
    let declared = declared(owner, (&view, &doc), &seen, &first);
    let (agrees, last) = (seen.iter().map(|field| field.agrees(None)), seen.len());
    Ok(quote! {
        #declared

        impl ::everybyte::view::Viewed for #ident {
            type View<'a> = #view<'a>;
            type Args = #args;

            #[inline]
            fn at<'a>(
                frame: ::everybyte::view::Frame<'a>,
                args: #args,
            ) -> ::core::result::Result<#view<'a>, ::std::boxed::Box<::everybyte::ParseError>> {
                let frame = frame #order;
                #check
                ::core::result::Result::Ok(#view { __frame: frame, __args: args })
            }

            #[inline]
            fn length(
                frame: ::everybyte::view::Frame<'_>,
                args: #args,
            ) -> ::core::result::Result<usize, ::std::boxed::Box<::everybyte::ParseError>> {
                match <Self as ::everybyte::Layout>::SIZE.and_then(|size| frame.holds(size)) {
                    ::core::option::Option::Some(length) => ::core::result::Result::Ok(length),
                    ::core::option::Option::None => <Self as ::everybyte::view::Viewed>::at(frame, args)?.__walk(#last),
                }
            }

            fn agrees(
                view: &#view<'_>,
                value: ::core::option::Option<&Self>,
            ) -> ::core::result::Result<bool, ::std::boxed::Box<::everybyte::ParseError>> {
                let mut agree = true;
                #(#agrees)*
                ::core::result::Result::Ok(agree)
            }
        }
    })
}

/// Returns a view and its methods.
pub fn declared(owner: &Owner<'_>, (view, doc): (&Ident, &str), seen: &[Seen], first: &TokenStream) -> TokenStream {
    let (vis, args, names) = (owner.vis, owner.args(), owner.names());
    let methods = seen.iter().enumerate().map(|(place, field)| field.method(place, &names));
    let sizes: Vec<_> = seen.iter().map(Seen::size).collect();
    let (count, steps) = (seen.len(), seen.iter().enumerate().map(|(place, field)| field.step(place)));
    quote! {
        #[doc = #doc]
        #[derive(Debug, Clone, Copy)]
        #vis struct #view<'a> {
            __frame: ::everybyte::view::Frame<'a>,
            __args: #args,
        }

        #[allow(dead_code, unused_variables, unused_assignments, unused_mut, clippy::all)]
        impl<'a> #view<'a> {
            /// The offsets of the fields that are always at the same offset.
            const __OFFSETS: [::core::option::Option<usize>; #count] =
                ::everybyte::view::offsets((#first) as u64, [#(#sizes),*]);

            #(#methods)*

            /// The offset of a field, in file order; after the last field, the offset of the end.
            fn __walk(
                &self,
                __to: usize,
            ) -> ::core::result::Result<usize, ::std::boxed::Box<::everybyte::ParseError>> {
                let (__frame, #names) = (self.__frame, self.__args);
                let mut __at: usize = #first;
                #(#steps)*
                ::core::result::Result::Ok(__at)
            }
        }
    }
}
