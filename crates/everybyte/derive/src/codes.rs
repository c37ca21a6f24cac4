//! `codes!`: what its declaration has to have. The rest is a macro of patterns in everybyte, which would only say that
//! nothing matched.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitInt, LitStr, Token, Type, Visibility, braced, parenthesized};

/// Checks a declaration and passes it on.
pub fn expand(declaration: TokenStream) -> syn::Result<TokenStream> {
    syn::parse2::<Codes>(declaration.clone())?;
    Ok(quote!(::everybyte::__codes! { #declaration }))
}

struct Codes;

impl Parse for Codes {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        input.parse::<Visibility>()?;
        input.parse::<Token![struct]>()?;
        let name: Ident = input.parse()?;
        ensure_described(&attributes, &name, "the code")?;
        let integer;
        parenthesized!(integer in input);
        let ty: Type = integer.parse()?;
        ensure_integer(&ty)?;
        if let Some(bits) = input.parse::<Option<Token![in]>>()? {
            if is_signed(&ty) {
                return Err(syn::Error::new_spanned(bits, "a run of bits is unsigned"));
            }
            input.parse::<LitInt>()?;
            input.parse::<Ident>()?;
        }
        let values;
        braced!(values in input);
        if values.is_empty() {
            return Err(syn::Error::new_spanned(name, "a code has a value: write `NAME = 1 => \"name\";`"));
        }
        while !values.is_empty() {
            let attributes = values.call(Attribute::parse_outer)?;
            let name: Ident = values.parse()?;
            ensure_described(&attributes, &name, "this value")?;
            values.parse::<Token![=]>()?;
            values.parse::<Option<Token![-]>>()?;
            values.parse::<LitInt>()?;
            values.parse::<Token![=>]>()?;
            values.parse::<LitStr>()?;
            values.parse::<Token![;]>()?;
        }
        Ok(Codes)
    }
}

/// Refuses a type that cannot hold a code.
pub fn ensure_integer(ty: &impl ToTokens) -> syn::Result<()> {
    let name = ty.to_token_stream().to_string();
    match name.strip_prefix(['u', 'i']) {
        Some("8" | "16" | "32" | "64") => Ok(()),
        _ => Err(syn::Error::new_spanned(ty, "a code is an integer of 8, 16, 32 or 64 bits, such as `u8` or `i32`")),
    }
}

fn is_signed(ty: &Type) -> bool {
    ty.to_token_stream().to_string().starts_with('i')
}

/// The doc comment is the text of the field reference.
fn ensure_described(attributes: &[Attribute], name: &Ident, what: &str) -> syn::Result<()> {
    match attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
        true => Ok(()),
        false => Err(syn::Error::new_spanned(name, format!("say what {what} means: add a doc comment, `/// …`"))),
    }
}
