//! Compares a view with the value that a reader returns.

use super::field::Seen;
use super::kind::Kind;
use crate::place::optional;
use proc_macro2::TokenStream;
use quote::quote;
use syn::Ident;

impl Seen {
    /// Returns the statements that compare the field with the same field of `value`, a structure or an alternative.
    pub fn agrees(&self, variant: Option<(&Ident, &Ident)>) -> TokenStream {
        let (ident, name, held, one) = (&self.ident, &self.name, self.held(variant), self.one());
        let result = quote!(::core::result::Result<bool, ::std::boxed::Box<::everybyte::ParseError>>);
        if self.each().is_some() {
            return quote! {
                if value.is_some() || view.__frame.is_outermost() {
                    #held
                    let mut count = 0_usize;
                    for seen in view.#ident()? {
                        let (seen, held) = (&seen?, held.and_then(|held| held.get(count)));
                        agree &= (|| -> #result { #one })()
                            .map_err(|error| ::everybyte::view::field(::everybyte::view::element(error, count), #name))?;
                        count += 1;
                    }
                    agree &= held.is_none_or(|held| held.len() == count);
                }
            };
        }
        // If an optional structure at an offset has an error in the view, the reader leaves it out, with a finding.
        // Other structures are compared up to the point where the reader stopped.
        let is_asked = match (self.is_placed(), optional(&self.ty)) {
            (false, _) => quote!(true),
            (true, None) => quote!(value.is_some() || view.__frame.is_outermost()),
            (true, Some(_)) => quote!(held.is_some_and(|held| held.is_some())),
        };
        quote! {{
            #held
            if #is_asked {
                let seen = &view.#ident()?;
                agree &= (|| -> #result { #one })().map_err(|error| ::everybyte::view::field(error, #name))?;
            }
        }}
    }

    /// Returns the statement that binds the field of the value, if it has one.
    fn held(&self, variant: Option<(&Ident, &Ident)>) -> TokenStream {
        let (ident, ty) = (&self.ident, &self.ty);
        match (self.is_held, variant) {
            (true, None) => quote!(let held = value.map(|value| &value.#ident);),
            (true, Some((owner, variant))) => quote! {
                let held = value.and_then(|value| match value {
                    #owner::#variant { #ident: held, .. } => ::core::option::Option::Some(held),
                    #[allow(unreachable_patterns)]
                    _ => ::core::option::Option::None,
                });
            },
            (false, _) => quote!(let held: ::core::option::Option<&#ty> = ::core::option::Option::None;),
        }
    }

    /// Returns whether `seen` agrees with `held`, as a `Result`.
    fn one(&self) -> TokenStream {
        let stored = optional(&self.ty).unwrap_or(&self.ty);
        let one = match &self.kind {
            Kind::Value(_) => quote!(<#stored as ::everybyte::view::Viewed>::agrees(seen, held)),
            Kind::Counted(_) | Kind::Rest => {
                quote!(::core::result::Result::Ok(<#stored as ::everybyte::view::OfBytesViewed>::agree(seen, held)))
            }
            Kind::List(..) | Kind::Filling(..) => quote!(seen.agrees(held.map(|held| &held[..]))),
            Kind::Calculated(_) => return quote!(::core::result::Result::Ok(held.is_none_or(|held| held == seen))),
        };
        match optional(&self.ty) {
            None => one,
            Some(_) => quote! {
                let (is_there, held) = (held.map(|held| held.is_some()), held.and_then(|held| held.as_ref()));
                match seen {
                    ::core::option::Option::Some(seen) => {
                        #one.map(|agree| agree && is_there != ::core::option::Option::Some(false))
                    }
                    ::core::option::Option::None => {
                        ::core::result::Result::Ok(is_there != ::core::option::Option::Some(true))
                    }
                }
            },
        }
    }
}
