//! The traits of declared types: `Debug`, `Clone`, `PartialEq`, and values for fuzzing.
//!
//! A derive macro would report every missing trait of a field's type before it reports that the type is not a layout.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;

/// Returns the traits that a code derives. `Eq` is not among them, because the macro for codes implements it.
pub fn derives() -> TokenStream {
    quote!(#[derive(::everybyte::Arbitrary, Debug, Clone, PartialEq)])
}

/// The fields in the value of a structure or alternative: the name and the `hook::Field` of each.
pub struct Held<'h> {
    /// The name of the alternative; `None` for a structure.
    pub variant: Option<&'h Ident>,
    pub fields: &'h [(Ident, TokenStream)],
}

impl Held<'_> {
    fn constructor(&self) -> TokenStream {
        match self.variant {
            Some(variant) => quote!(Self::#variant),
            None => quote!(Self),
        }
    }

    /// Returns the pattern that binds the fields to names with this prefix.
    fn pattern(&self, before: &str) -> TokenStream {
        let (constructor, names) = (self.constructor(), self.fields.iter().map(|(name, _)| name));
        let bound = self.bound(before);
        quote!(#constructor { #(#names: #bound),* })
    }

    fn bound(&self, before: &str) -> Vec<Ident> {
        self.fields.iter().map(|(name, _)| format_ident!("{before}{name}")).collect()
    }

    fn each(&self, expression: impl Fn(&Ident, &TokenStream) -> TokenStream) -> Vec<TokenStream> {
        self.fields.iter().map(|(name, ty)| expression(name, ty)).collect()
    }
}

/// Returns the implementations for a type with these alternatives or with this one structure.
pub fn implemented(ident: &Ident, all: &[Held<'_>]) -> TokenStream {
    let arms = |arm: &dyn Fn(&Held<'_>) -> TokenStream| all.iter().map(arm).collect::<Vec<_>>();
    let shown = arms(&|held| {
        let pattern = held.pattern("a_");
        let name = held.variant.unwrap_or(ident).to_string();
        let fields = held.each(|name, ty| {
            let (text, value) = (name.to_string(), format_ident!("a_{name}"));
            quote_spanned!(name.span()=> .field(#text, <#ty as ::everybyte::hook::Held>::debug(#value)))
        });
        quote!(#pattern => f.debug_struct(#name) #(#fields)* .finish())
    });
    let cloned = arms(&|held| {
        let (pattern, constructor) = (held.pattern("a_"), held.constructor());
        let fields = held.each(|name, ty| {
            let value = format_ident!("a_{name}");
            quote_spanned!(name.span()=> #name: <#ty as ::everybyte::hook::Held>::cloned(#value))
        });
        quote!(#pattern => #constructor { #(#fields),* })
    });
    let compared = arms(&|held| {
        let (pattern, other) = (held.pattern("a_"), held.pattern("b_"));
        let fields = held.each(|name, ty| {
            let (a, b) = (format_ident!("a_{name}"), format_ident!("b_{name}"));
            quote_spanned!(name.span()=> && <#ty as ::everybyte::hook::Held>::equal(#a, #b))
        });
        quote!((#pattern, #other) => true #(#fields)*)
    });
    let otherwise = (all.len() > 1).then(|| quote!(_ => false));
    let made = made(ident, all);
    quote! {
        #[automatically_derived]
        impl ::core::fmt::Debug for #ident {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                match self { #(#shown),* }
            }
        }

        #[automatically_derived]
        impl ::core::clone::Clone for #ident {
            fn clone(&self) -> Self {
                match self { #(#cloned),* }
            }
        }

        #[automatically_derived]
        impl ::core::cmp::PartialEq for #ident {
            fn eq(&self, other: &Self) -> bool {
                match (self, other) { #(#compared,)* #otherwise }
            }
        }

        #made
    }
}

/// Returns the implementation of `arbitrary::Arbitrary`, if everybyte's feature `arbitrary` is on.
fn made(ident: &Ident, all: &[Held<'_>]) -> TokenStream {
    let one = |held: &Held<'_>| {
        let constructor = held.constructor();
        let fields = held.each(
            |name, ty| quote_spanned!(name.span()=> #name: <#ty as ::everybyte::hook::Made>::made(unstructured)?),
        );
        quote!(#constructor { #(#fields),* })
    };
    let value = match all {
        [only] if only.variant.is_none() => one(only),
        alternatives => {
            let count = alternatives.len() as u64;
            let arms = (0..count).zip(alternatives).map(|(place, held)| {
                let made = one(held);
                if place + 1 == count { quote!(_ => #made) } else { quote!(#place => #made) }
            });
            quote!(match ::everybyte::hook::alternative_of(unstructured, #count)? { #(#arms),* })
        }
    };
    quote! {
        ::everybyte::if_arbitrary! {
            #[automatically_derived]
            impl<'arbitrary> ::everybyte::arbitrary::Arbitrary<'arbitrary> for #ident {
                fn arbitrary(
                    unstructured: &mut ::everybyte::arbitrary::Unstructured<'arbitrary>,
                ) -> ::everybyte::arbitrary::Result<Self> {
                    ::everybyte::hook::nested(unstructured, |unstructured| ::core::result::Result::Ok(#value))
                }
            }
        }
    }
}
