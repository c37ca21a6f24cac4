//! The layout that is viewed: its name and its parameters.

use crate::directives::Directives;
use crate::single::Parameter;
use proc_macro2::{Delimiter, TokenStream};
use quote::{format_ident, quote};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Ident, Token, Type, Visibility};

/// The layout that is viewed.
pub struct Owner<'o> {
    pub ident: &'o Ident,
    pub vis: &'o Visibility,
    pub parameters: &'o [Parameter],
}

impl Owner<'_> {
    /// Returns the name of its view.
    pub fn view(&self) -> Ident {
        format_ident!("{}View", self.ident)
    }

    /// Returns the type of its arguments.
    pub fn args(&self) -> TokenStream {
        let types = self.parameters.iter().map(|parameter| &parameter.ty);
        if self.parameters.is_empty() { quote!(()) } else { quote!((#(#types,)*)) }
    }

    /// Returns the names of its arguments, as a pattern.
    pub fn names(&self) -> TokenStream {
        let names = self.parameters.iter().map(|parameter| &parameter.name);
        if self.parameters.is_empty() { quote!(()) } else { quote!((#(#names,)*)) }
    }
}

/// Returns the parameters of a layout, which a view stores.
pub fn parameters(directives: &Directives) -> syn::Result<Vec<Parameter>> {
    let Some(import) = directives.reading("import") else { return Ok(Vec::new()) };
    let wrong = || {
        syn::Error::new(
            import.name.span(),
            "a view keeps its parameters: `import(kind: u8)`, without names at the call",
        )
    };
    let group = import.group().filter(|group| group.delimiter() == Delimiter::Parenthesis).ok_or_else(wrong)?;
    let list = Punctuated::<Parameter, Token![,]>::parse_terminated.parse2(group.stream()).map_err(|_| wrong())?;
    if let Some(borrowed) = list.iter().find(|parameter| matches!(parameter.ty, Type::Reference(_))) {
        return Err(syn::Error::new_spanned(
            &borrowed.ty,
            "a view keeps its parameters: give it the value, not a reference",
        ));
    }
    Ok(list.into_iter().collect())
}
