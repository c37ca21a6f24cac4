//! `#[layout(match = kind)]` on an enum: `#[when(…)]` on each variant selects the values that it matches.
//!
//! binrw has no `match`, so each variant gets a guard. If all patterns are single values, a guard compares the value only with its
//! own pattern. Otherwise each guard is a Rust `match` over all patterns, so the first one that matches wins, as in Rust. The last
//! guard always has all patterns. With `deny(unreachable_patterns)` on this guard, the compiler detects two variants for one value.

use crate::terms;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Expr, ExprLit, Ident, Lit, Pat, Token, Variant};

/// The arms of a choice by value.
pub struct Matching<'m> {
    /// The value that is matched.
    value: &'m Expr,
    arms: Vec<Arm>,
    /// True if no two arms can match the same value.
    are_distinct: bool,
}

/// The values that a variant matches.
struct Arm {
    name: Ident,
    pattern: Pat,
    condition: Option<Expr>,
}

impl Parse for Arm {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let pattern = Pat::parse_multi_with_leading_vert(input)?;
        let condition = input.parse::<Option<Token![if]>>()?.map(|_| input.parse()).transpose()?;
        Ok(Arm { name: Ident::new("_", Span::call_site()), pattern, condition })
    }
}

impl Arm {
    fn is_rest(&self) -> bool {
        matches!(self.pattern, Pat::Wild(_)) && self.condition.is_none()
    }
}

impl<'m> Matching<'m> {
    /// Creates the arms for these variants.
    pub fn of<'v>(value: &'m Expr, variants: impl IntoIterator<Item = &'v Variant>) -> syn::Result<Self> {
        let arms = variants.into_iter().map(arm).collect::<syn::Result<Vec<Arm>>>()?;
        refuse_repetitions(&arms)?;
        let is_single = |pattern: &&Pat| matches!(pattern, Pat::Lit(_) | Pat::Path(_));
        let are_distinct = arms
            .iter()
            .all(|arm| arm.is_rest() || (arm.condition.is_none() && terms::cases(&arm.pattern).iter().all(is_single)));
        Ok(Matching { value, arms, are_distinct })
    }

    /// Returns the condition under which a variant is in the file.
    pub fn guard(&self, place: usize) -> TokenStream {
        let (arm, is_last) = (&self.arms[place], place + 1 == self.arms.len());
        // The last guard has all patterns, so that the compiler detects two that match the same value.
        if self.are_distinct && !is_last {
            let (value, pattern) = (self.value, readable(&arm.pattern));
            return quote!(::core::matches!(#value, #pattern));
        }
        let lint = if is_last { quote!(deny) } else { quote!(allow) };
        let arms = self.arms.iter().enumerate().map(|(place, Arm { pattern, condition, .. })| {
            let (pattern, condition) = (readable(pattern), condition.as_ref().map(|it| quote!(if #it)));
            quote!(#pattern #condition => ::core::option::Option::Some(#place))
        });
        let rest = (!self.arms.iter().any(Arm::is_rest))
            .then(|| quote!(#[allow(unreachable_patterns)] _ => ::core::option::Option::None,));
        let value = self.value;
        let holds = match is_last && rest.is_some() {
            true => {
                let name = arm.name.to_string();
                quote!(::everybyte::hook::alternative_for(place, #name, &#value)? == #place)
            }
            false => quote!(place == ::core::option::Option::Some(#place)),
        };
        quote!({
            #[#lint(unreachable_patterns)]
            let place: ::core::option::Option<usize> = match #value { #(#arms,)* #rest };
            #holds
        })
    }

    /// Returns the expression that selects one of the variants.
    pub fn chosen(&self, variant: impl Fn(&Ident) -> TokenStream) -> TokenStream {
        let arms = self.arms.iter().map(|Arm { name, pattern, condition }| {
            let (pattern, condition) = (readable(pattern), condition.as_ref().map(|it| quote!(if #it)));
            let variant = variant(name);
            quote!(#pattern #condition => #variant)
        });
        let (value, has_rest) = (self.value, self.arms.iter().any(Arm::is_rest));
        let rest = (!has_rest).then(|| {
            quote! {
                #[allow(unreachable_patterns)]
                other => ::core::result::Result::Err(__frame.no_alternative(&other)),
            }
        });
        quote!(match #value { #(#arms,)* #rest })
    }

    /// Returns the condition as an `Expression` of the field reference.
    pub fn condition(&self, place: usize) -> TokenStream {
        let value = self.value;
        let arm = &self.arms[place];
        if arm.is_rest() {
            let others = self.arms.iter().filter(|arm| !arm.is_rest()).map(|arm| equality(value, arm));
            let term = others.reduce(|all, one| quote!(#all || #one)).unwrap_or_else(|| quote!(false));
            return terms::worded("otherwise", &quote!(!(#term)));
        }
        let (pattern, condition) = (&arm.pattern, arm.condition.as_ref().map(|it| quote!(if #it)));
        let is_plain = self.are_distinct && terms::cases(&arm.pattern).len() == 1;
        let text = match is_plain {
            true => quote!(#value == #pattern),
            false => quote!(#value is #pattern #condition),
        };
        terms::worded(&terms::text(&text), &equality(value, arm))
    }
}

/// Removes `#[when(…)]` from the attributes of a variant.
pub fn take(attributes: &mut Vec<Attribute>) -> Option<Attribute> {
    attributes.extract_if(.., |attribute| attribute.path().is_ident("when")).last()
}

fn arm(variant: &Variant) -> syn::Result<Arm> {
    let name = variant.ident.clone();
    let Some(when) = take(&mut variant.attrs.clone()) else {
        let why =
            "say which values this variant matches: `#[when(1)]`, `#[when(b\"IHDR\")]`, or `#[when(_)]` for all others";
        return Err(syn::Error::new_spanned(&variant.ident, why));
    };
    Ok(Arm { name, ..when.parse_args()? })
}

/// Refuses two variants for one value, and a variant after the one that matches all other values.
fn refuse_repetitions(arms: &[Arm]) -> syn::Result<()> {
    let mut known: Vec<String> = Vec::new();
    for (place, arm) in arms.iter().enumerate() {
        if arm.is_rest() && place + 1 < arms.len() {
            return Err(syn::Error::new_spanned(&arm.pattern, "`_` matches all other values: put it last"));
        }
        for case in terms::cases(&arm.pattern).into_iter().filter(|_| arm.condition.is_none()) {
            let text = case.to_token_stream().to_string();
            if known.contains(&text) {
                return Err(syn::Error::new_spanned(case, "another variant matches this value"));
            }
            known.push(text);
        }
    }
    Ok(())
}

/// Returns the pattern, in which a byte string matches both an array and a slice.
fn readable(pattern: &Pat) -> TokenStream {
    match pattern {
        Pat::Or(cases) => {
            let cases = cases.cases.iter().map(readable);
            quote!(#(#cases)|*)
        }
        Pat::Lit(ExprLit { lit: Lit::ByteStr(bytes), .. }) => {
            let each = bytes.value();
            quote_spanned!(bytes.span()=> [#(#each),*])
        }
        other => other.to_token_stream(),
    }
}

/// Returns the condition of an arm as an expression, if its pattern can be expressed.
fn equality(value: &Expr, arm: &Arm) -> TokenStream {
    let any = terms::equality(value, &arm.pattern);
    match &arm.condition {
        Some(condition) => quote!((#any) && (#condition)),
        None => quote!((#any)),
    }
}
