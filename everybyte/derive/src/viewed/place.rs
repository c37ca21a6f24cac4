//! Structures at offsets, in a view.

use super::terms::Stated;
use crate::target::Target;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Ident};

/// The offset of a field.
pub struct Place {
    pub at: Stated,
    origin: Origin,
    /// The variable for the elements of the list that provides the offsets of the field's elements, and the list.
    pub each: Option<(Ident, Ident)>,
}

enum Origin {
    Space,
    Structure,
    After(usize),
}

impl Place {
    pub fn of(place: &crate::place::Place, owner: &Ident, known: &[Ident]) -> syn::Result<Self> {
        if let Some((variable, _)) = &place.chain {
            let why = "a view follows no chain: give its first element a field, and ask each one for the next";
            return Err(syn::Error::new(variable.span(), why));
        }
        let each = match &place.each {
            None => None,
            Some((variable, Expr::Path(list))) if list.path.get_ident().is_some_and(|list| known.contains(list)) => {
                list.path.get_ident().map(|list| (variable.clone(), list.clone()))
            }
            Some((_, list)) => {
                return Err(syn::Error::new_spanned(
                    list,
                    "a view takes the offsets of `each` from a list that is a field before it",
                ));
            }
        };
        let origin = place.origin.as_ref().map_or(Ok(Origin::Space), |origin| Origin::of(origin, owner, known))?;
        Ok(Place { at: Stated::of(&place.at)?, origin, each })
    }

    /// Returns the statement that binds the origin of the offset, in the space.
    pub fn origin(&self) -> TokenStream {
        let origin = match self.origin {
            Origin::Space => quote!(0),
            Origin::Structure => quote!(__frame.start()),
            Origin::After(field) => quote!(__frame.start() + self.__walk(#field)?),
        };
        quote!(let __origin = (#origin) as u64;)
    }
}

impl Origin {
    fn of((kind, target): &(String, Target), owner: &Ident, known: &[Ident]) -> syn::Result<Self> {
        if kind != "after" {
            return Ok(Origin::Structure);
        }
        let last = target.text.rsplit("..").next().unwrap_or_default();
        match known.iter().position(|name| name == last) {
            Some(field) => Ok(Origin::After(field + 1)),
            None => {
                let why =
                    format!("a view counts from the end of a field: `{owner}` has no field `{last}` before this one");
                Err(syn::Error::new(target.span, why))
            }
        }
    }
}
