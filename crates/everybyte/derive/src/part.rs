//! A field, taken apart: its directives and its options.

use crate::directives::{Directive, Directives};
use crate::roles::Roles;
use crate::target::Beside;
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
    /// True if it is the only field that stands in the file.
    pub is_alone: bool,
}

impl Part {
    pub fn of(field: &Field, beside: &Beside) -> syn::Result<Self> {
        let mut field = field.clone();
        let directives = Directives::take(&mut field.attrs)?;
        let roles = Roles::take(&mut field.attrs, beside)?;
        refuse_unfit(&directives, is_calculated(&directives))?;
        let ident = field.ident.clone().expect("the field is named");
        let roles = if is_calculated(&directives) { roles } else { roles.or_implied(&ident, beside) };
        Ok(Part { ident, field, directives, roles, is_alone: false })
    }

    /// Returns whether the value of the structure does not have the field.
    pub fn is_temporary(&self) -> bool {
        is_temporary(&self.directives)
    }
}

/// Returns whether the value of a structure does not have a field with these directives.
pub fn is_temporary(directives: &Directives) -> bool {
    directives.reading("temp").is_some()
}

/// Returns whether a field is computed when it is read.
pub fn is_calculated(directives: &Directives) -> bool {
    directives.reading("calc").is_some() || directives.reading("try_calc").is_some()
}

/// Refuses directives that hide bytes, or that read what they do not write.
fn refuse_unfit(directives: &Directives, calculated: bool) -> syn::Result<()> {
    directives.refuse(|name| match name {
        "pad_before" | "pad_after" | "pad_size_to" | "align_before" | "align_after" => {
            Some("padding hides bytes from the map: declare a field for them, such as `Align<N>` or `Zeros<N>`")
        }
        "magic" => Some("a field's magic has no node in the map: give the bytes a field or a type of their own"),
        "ignore" if calculated => None,
        "ignore" | "default" | "dbg" | "try" => {
            Some("this reads differently than it writes: a layout accounts for every byte")
        }
        _ => None,
    })
}

/// The arguments of a field, as `ArgumentDoc` values.
pub fn arguments((directives, roles): (&Directives, &Roles), field: &Ident, parser: Option<&Expr>) -> Vec<TokenStream> {
    let stated = directives.reading("args").and_then(Directive::group).map(terms::arguments).unwrap_or_default();
    let from = roles.from.as_ref().map(|from| {
        let value = terms::worded(&from.text, &quote!(#field));
        quote!(::everybyte::ArgumentDoc { name: "from", value: #value })
    });
    let each = parser.map(terms::arguments_of_each).unwrap_or_default();
    stated.into_iter().chain(from).chain(each).collect()
}
