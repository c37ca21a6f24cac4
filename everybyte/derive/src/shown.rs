//! Values that differ from the bytes of a field: `value = …`, `value` and `show = hex`.
//!
//! A temporary field without bytes sets the value after the field has been read, so the expression may use the field itself.

use crate::arithmetic;
use crate::directives::Directives;
use crate::docs;
use crate::part::{Part, is_calculated};
use crate::roles::Roles;
use crate::terms;
use proc_macro2::TokenStream;
use quote::{format_ident, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Type};

/// Returns the field that is inserted after a field to set its node's value to the value that its bytes represent.
pub fn after(part: &Part) -> syn::Result<Option<TokenStream>> {
    if part.roles.has_node && !is_calculated(&part.directives) {
        let why =
            "say which value the bytes mean: `value = 256 - number`; `value` alone is only for a calculated field";
        return Err(syn::Error::new_spanned(&part.ident, why));
    }
    let Some(value) = &part.roles.value else { return Ok(None) };
    if part.roles.is_inline || part.roles.place.is_some() || part.directives.reading("if").is_some() {
        let why = "a field with another `value` must have a node of its own, and always be present";
        return Err(syn::Error::new_spanned(value, why));
    }
    let (own, name) = (format_ident!("__value_{}", part.ident), part.roles.shown(&part.ident));
    let judged = arithmetic::judged(value);
    Ok(Some(quote_spanned! {value.span()=>
        #[br(temp, parse_with = ::everybyte::hook::valued(#name, || #judged))]
        #[bw(ignore)]
        #own: ()
    }))
}

/// Returns the field that is inserted after a calculated field to create its node.
pub fn calculated(ident: &Ident, (ty, attributes): (&Type, &[Attribute]), roles: &Roles) -> Option<TokenStream> {
    roles.has_node.then(|| {
        let (own, name, doc) = (format_ident!("__value_{ident}"), roles.shown(ident), docs::text(attributes));
        let (is_hex, is_key) = (roles.is_hex, roles.is_key);
        quote_spanned! {ty.span()=>
            #[br(temp, parse_with = ::everybyte::hook::calculated({
                const LABEL: &::everybyte::hook::Label = &::everybyte::hook::Label {
                    name: #name,
                    doc: #doc,
                    role: None,
                    is_key: #is_key,
                    sum: None,
                    codec: None,
                    show: ::everybyte::hook::Show { is_hex: #is_hex, is_computed: true },
                    hints: &[],
                    examples: &[],
                };
                LABEL
            }, &#ident))]
            #[bw(ignore)]
            #own: ()
        }
    })
}

/// Returns the `FieldDoc` for a calculated field with a node.
pub fn documented(
    ident: &Ident,
    (ty, attributes): (&Type, &[Attribute]),
    (roles, directives): (&Roles, &Directives),
) -> syn::Result<Option<TokenStream>> {
    let calculated = ["calc", "try_calc"].iter().find_map(|name| directives.reading(name));
    let Some(calculated) = calculated.filter(|_| roles.has_node) else { return Ok(None) };
    let value = terms::expression(&calculated.expression()?);
    let (name, doc) = (roles.shown(ident), docs::text(attributes));
    let (is_hex, is_key) = (roles.is_hex, roles.is_key);
    Ok(Some(quote_spanned! {ty.span()=>
        ::everybyte::reference::FieldDoc {
            size: Some(0),
            is_key: #is_key,
            value: Some(#value),
            is_hex: #is_hex,
            doc: ::everybyte::map::Name::new(#doc),
            ..::everybyte::reference::FieldDoc::new(
                ::everybyte::map::Name::new(#name),
                <#ty as ::everybyte::Layout>::type_name(),
                ::everybyte::reference::Form::Calculated,
            )
        }
    }))
}
