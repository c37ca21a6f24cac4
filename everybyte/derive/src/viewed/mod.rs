//! `#[layout(view)]`: a second, borrowing reader. A structure gets a view with one method per field, which computes
//! where the field is and reads it there.
//!
//! Fields at offsets that are known at compile time are read directly. For any other field, a walk visits the previous
//! fields in order and records the numbers that lengths depend on.
//!
//! A view supports less than the reader, because a function that reads a stream does not say in advance where a field ends.
//! Anything that a view does not support fails to compile. `everybyte::view::agreement` tests that a view and the reader agree.

mod agreement;
mod checks;
mod choice;
mod field;
mod kind;
mod owner;
mod place;
mod structure;
mod terms;

use crate::directives::Directives;
use owner::{Owner, parameters};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use syn::{Data, DeriveInput, Expr, Fields, Ident};

/// Removes the word `view` from the options in `#[layout(…)]`.
pub fn take(options: TokenStream) -> (TokenStream, Option<Ident>) {
    let (mut kept, mut word): (Vec<TokenTree>, _) = (Vec::new(), None);
    let mut trees = options.into_iter().peekable();
    let mut is_first = true;
    while let Some(tree) = trees.next() {
        let is_comma = |tree: &TokenTree| matches!(tree, TokenTree::Punct(sign) if sign.as_char() == ',');
        match &tree {
            TokenTree::Ident(name) if is_first && name == "view" && trees.peek().is_none_or(is_comma) => {
                word = Some(name.clone());
                trees.next();
                continue;
            }
            _ => {}
        }
        is_first = is_comma(&tree);
        kept.push(tree);
    }
    // The comma before a word at the end.
    if word.is_some() && is_first {
        kept.pop();
    }
    (kept.into_iter().collect(), word)
}

/// Returns a type that is its own view.
pub fn value(item: &DeriveInput) -> TokenStream {
    let (ident, parameters, (_, arguments, _)) = (&item.ident, &item.generics.params, item.generics.split_for_impl());
    quote!(::everybyte::__viewed_values! { [#parameters] #ident #arguments; })
}

/// Returns the view of a structure or of alternatives that a value selects.
pub fn expand(item: &DeriveInput, word: &Ident, matched: Option<&Expr>) -> syn::Result<TokenStream> {
    let directives = Directives::take(&mut item.attrs.clone())?;
    directives.refuse(|name| {
        let is_known = matches!(name, "big" | "little" | "magic" | "import" | "repr" | "stream");
        (!is_known).then_some("a view cannot do this: it knows `big`, `little`, `magic` and `import` of a structure")
    })?;
    let parameters = parameters(&directives)?;
    let order = directives.order().map(|order| quote!(.ordered(#order)));
    match &item.data {
        Data::Struct(data) => {
            let Fields::Named(fields) = &data.fields else { return Ok(value(item)) };
            let magic =
                directives.reading("magic").map(|magic| crate::structure::magic(magic.expression()?)).transpose()?;
            let fixed_order = directives.order().is_some();
            let owner = Owner { ident: &item.ident, vis: &item.vis, parameters: &parameters };
            structure::expand(&owner, fields, (magic.as_ref(), fixed_order), order)
        }
        Data::Enum(data) => {
            let Some(matched) = matched else {
                let why = "a view cannot try alternatives: choose them by a value, `#[layout(match = value, view)]`";
                return Err(syn::Error::new(word.span(), why));
            };
            let owner = Owner { ident: &item.ident, vis: &item.vis, parameters: &parameters };
            choice::expand(&owner, data, matched, order.as_ref())
        }
        Data::Union(_) => Ok(TokenStream::new()),
    }
}
