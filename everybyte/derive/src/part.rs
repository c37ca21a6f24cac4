//! A field, taken apart: its directives and its options.

use crate::directives::{Directive, Directives};
use crate::roles::Roles;
use crate::target::Siblings;
use crate::terms;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Field, Ident};

/// A field, taken apart.
pub struct Part {
    pub ident: Ident,
    pub field: Field,
    pub directives: Directives,
    pub roles: Roles,
    /// True if it is the only field in the file.
    pub is_alone: bool,
}

impl Part {
    pub fn of(field: &Field, beside: &Siblings) -> syn::Result<Self> {
        let mut field = field.clone();
        let directives = Directives::take(&mut field.attrs)?;
        let roles = Roles::take(&mut field.attrs, beside)?;
        refuse_unfit(&directives, is_calculated(&directives))?;
        let ident = field.ident.clone().expect("the field is named");
        let roles = if is_calculated(&directives) { roles } else { roles.or_implied(&ident, beside) };
        Ok(Part { ident, field, directives, roles, is_alone: false })
    }

    /// Returns whether the field is left out of the structure's value.
    pub fn is_temporary(&self) -> bool {
        is_temporary(&self.directives)
    }
}

/// Returns whether a field with these directives is left out of the structure's value.
pub fn is_temporary(directives: &Directives) -> bool {
    directives.reading("temp").is_some()
}

/// Returns whether a field is computed when it is read.
pub fn is_calculated(directives: &Directives) -> bool {
    directives.reading("calc").is_some() || directives.reading("try_calc").is_some()
}

/// Refuses directives that hide bytes, or that read bytes without writing them.
fn refuse_unfit(directives: &Directives, calculated: bool) -> syn::Result<()> {
    directives.refuse(|name| match name {
        "pad_before" | "pad_after" | "pad_size_to" | "align_before" | "align_after" => {
            Some("padding would hide bytes from the map: declare a field for them, such as `Align<N>` or `Zeros<N>`")
        }
        "magic" => Some("the magic of a field would have no node in the map: give it a field or a type of its own"),
        "ignore" if calculated => None,
        "ignore" | "default" | "dbg" | "try" => {
            Some("this reads differently than it writes, but a layout must account for every byte")
        }
        _ => None,
    })
}

/// Returns the arguments of a field, as `ArgumentDoc` values.
pub fn arguments((directives, roles): (&Directives, &Roles), field: &Ident, parser: Option<&Expr>) -> Vec<TokenStream> {
    let stated = directives.reading("args").and_then(Directive::group).map(terms::arguments).unwrap_or_default();
    let from = roles.from.as_ref().map(|from| {
        let value = terms::worded(&from.text, &quote!(#field));
        quote!(::everybyte::reference::ArgumentDoc { name: "from", value: #value })
    });
    let each = parser.map(terms::arguments_of_each).unwrap_or_default();
    stated.into_iter().chain(from).chain(each).collect()
}
