//! Expressions of a declaration in a view, where a field of a structure is a method of its view.

use crate::arithmetic;
use crate::placed::variables;
use proc_macro2::{Delimiter, Group, Spacing, TokenStream, TokenTree};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, parse2};

/// An expression and the fields that it names.
#[derive(Clone)]
pub struct Stated {
    declared: Expr,
    seen: Expr,
}

impl Stated {
    pub fn of(declared: &Expr) -> syn::Result<Self> {
        Ok(Stated { seen: parse2(asked(declared.to_token_stream()))?, declared: declared.clone() })
    }

    /// Its value as a `Result`, with the message if there is none.
    pub fn judged(&self) -> TokenStream {
        arithmetic::judged(&self.seen)
    }

    /// Its value as a number of elements.
    pub fn count(&self) -> TokenStream {
        let variable = arithmetic::variable(&Ident::new("count", self.declared.span()));
        let (declared, seen) = (crate::terms::text(&self.declared.to_token_stream()), &self.seen);
        let noted = arithmetic::noted(seen, &variable).unwrap_or_else(|| seen.clone());
        quote_spanned! {self.declared.span()=> {
            let #variable = ::everybyte::hook::Arithmetic::new();
            let __count = #variable.count(#noted, #declared);
            #variable.judged(__count)
        }}
    }

    /// Returns the names in it that are field names.
    pub fn names(&self, known: &[Ident]) -> Vec<Ident> {
        let mut names = Vec::new();
        variables(self.declared.to_token_stream(), &mut names);
        names.retain(|name| known.contains(name));
        names
    }
}

/// Converts `header.size` to `header.size()?`.
fn asked(tokens: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = tokens.into_iter().collect();
    let sign = |place: Option<usize>, sign: char| {
        place
            .and_then(|place| all.get(place))
            .is_some_and(|tree| matches!(tree, TokenTree::Punct(it) if it.as_char() == sign))
    };
    let mut asked = TokenStream::new();
    for (place, tree) in all.iter().enumerate() {
        match tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), self::asked(group.stream()));
                inner.set_span(group.span());
                asked.extend([TokenTree::Group(inner)]);
            }
            TokenTree::Ident(name) => {
                let before = place.checked_sub(1);
                let is_part = sign(before, '.') && !is_range(&all, place);
                let is_called = is_arguments(all.get(place + 1)) || sign(Some(place + 1), ':');
                asked.extend([tree.clone()]);
                if is_part && !is_called {
                    asked.extend(quote_spanned!(name.span()=> ()?));
                }
            }
            _ => asked.extend([tree.clone()]),
        }
    }
    asked
}

/// Returns whether a tree is the arguments of a call.
fn is_arguments(tree: Option<&TokenTree>) -> bool {
    matches!(tree, Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
}

/// Returns whether the dot before a name is the second one of a range.
fn is_range(all: &[TokenTree], place: usize) -> bool {
    let before = place.checked_sub(2).and_then(|before| all.get(before));
    matches!(before, Some(TokenTree::Punct(it)) if it.as_char() == '.' && it.spacing() == Spacing::Joint)
}

/// Returns the message of an assertion that does not hold.
pub fn words(condition: &Expr, message: &[Expr]) -> syn::Result<TokenStream> {
    let Some(first) = message.first() else {
        let text = format!("assertion failed: `{}`", crate::terms::text(&condition.to_token_stream()));
        return Ok(quote!(::std::string::String::from(#text)));
    };
    let is_text = matches!(first, Expr::Lit(it) if matches!(it.lit, syn::Lit::Str(_)));
    if !is_text {
        let error: Expr = parse2(asked(first.to_token_stream()))?;
        return Ok(quote!(::std::string::ToString::to_string(&#error)));
    }
    let rest: Vec<TokenStream> = message[1..].iter().map(|it| asked(it.to_token_stream())).collect();
    Ok(quote!(::std::format!(#first #(, #rest)*)))
}
