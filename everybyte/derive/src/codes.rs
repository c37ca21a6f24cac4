//! `codes!`: checks its declaration. The rest is a `macro_rules!` macro in everybyte, which could only report that
//! nothing matched.
//!
//! Only the functions for the numbers of codes are generated here, because a `macro_rules!` macro cannot transpose
//! them: a value states all of its numbers, and a function returns one number for all values.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::parse::{Parse, ParseStream};
use syn::{Attribute, Ident, LitInt, LitStr, Token, Type, Visibility, braced, parenthesized};

/// Checks a declaration and passes it on, with functions for the numbers of its codes.
pub fn expand(declaration: TokenStream) -> syn::Result<TokenStream> {
    let codes: Codes = syn::parse2(declaration.clone())?;
    let numbers = codes.numbers();
    Ok(quote! {
        ::everybyte::__codes! { #declaration }

        #numbers
    })
}

struct Codes {
    visibility: Visibility,
    name: Ident,
    values: Vec<Code>,
}

/// One value of a code and its numbers.
struct Code {
    value: TokenStream,
    numbers: Vec<(Ident, LitInt)>,
}

impl Codes {
    /// Returns a function for each number.
    fn numbers(&self) -> Option<TokenStream> {
        let Codes { visibility, name, values } = self;
        let first = values.first().filter(|first| !first.numbers.is_empty())?;
        let functions = first.numbers.iter().enumerate().map(|(place, (number_of, _))| {
            let doc = format!("`{number_of}` of the code; 0 if the code is not defined.");
            let arms = values.iter().map(|Code { value, numbers }| {
                let number = &numbers[place].1;
                quote!(#value => #number)
            });
            quote! {
                #[doc = #doc]
                #[allow(dead_code)]
                #visibility const fn #number_of(self) -> u64 {
                    match self.0 {
                        #(#arms,)*
                        _ => 0,
                    }
                }
            }
        });
        Some(quote!(impl #name { #(#functions)* }))
    }
}

impl Code {
    /// Refuses numbers that differ from the first value's.
    fn ensure_like(&self, first: &Code, name: &Ident) -> syn::Result<()> {
        let names = |code: &Code| code.numbers.iter().map(|(name, _)| name.to_string()).collect::<Vec<_>>();
        let (own, expected) = (names(self), names(first));
        if own == expected {
            return Ok(());
        }
        let list = |names: &[String]| match names.is_empty() {
            true => "none".to_owned(),
            false => names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "),
        };
        let (own, expected) = (list(&own), list(&expected));
        let why = format!(
            "all codes must state the same numbers in the same order: the first one states {expected}, this one {own}"
        );
        Err(syn::Error::new_spanned(name, why))
    }
}

/// Returns the numbers of a code: `, block = 32, bytes = 18`.
fn numbers(input: ParseStream) -> syn::Result<Vec<(Ident, LitInt)>> {
    let mut numbers: Vec<(Ident, LitInt)> = Vec::new();
    while input.parse::<Option<Token![,]>>()?.is_some() {
        let name: Ident = input.parse()?;
        if ["name", "words"].iter().any(|known| name == known) || numbers.iter().any(|(known, _)| *known == name) {
            let why = format!("codes already have `{name}`: choose another name");
            return Err(syn::Error::new_spanned(name, why));
        }
        input.parse::<Token![=]>()?;
        numbers.push((name, input.parse()?));
    }
    Ok(numbers)
}

impl Parse for Codes {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let attributes = input.call(Attribute::parse_outer)?;
        let visibility = input.parse()?;
        input.parse::<Token![struct]>()?;
        let name: Ident = input.parse()?;
        ensure_described(&attributes, &name, "the code")?;
        let integer;
        parenthesized!(integer in input);
        let ty: Type = integer.parse()?;
        ensure_integer(&ty)?;
        if let Some(bits) = input.parse::<Option<Token![in]>>()? {
            if is_signed(&ty) {
                return Err(syn::Error::new_spanned(bits, "a bit field must be unsigned"));
            }
            input.parse::<LitInt>()?;
            input.parse::<Ident>()?;
        }
        let list;
        braced!(list in input);
        if list.is_empty() {
            return Err(syn::Error::new_spanned(name, "a code has a value: write `NAME = 1 => \"name\";`"));
        }
        let mut values: Vec<Code> = Vec::new();
        while !list.is_empty() {
            let attributes = list.call(Attribute::parse_outer)?;
            let name: Ident = list.parse()?;
            ensure_described(&attributes, &name, "this value")?;
            list.parse::<Token![=]>()?;
            let (sign, number) = (list.parse::<Option<Token![-]>>()?, list.parse::<LitInt>()?);
            list.parse::<Token![=>]>()?;
            list.parse::<LitStr>()?;
            let code = Code { value: quote!(#sign #number), numbers: numbers(&list)? };
            code.ensure_like(values.first().unwrap_or(&code), &name)?;
            values.push(code);
            list.parse::<Token![;]>()?;
        }
        Ok(Codes { visibility, name, values })
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

/// Fails without a doc comment, which is the text in the field reference.
fn ensure_described(attributes: &[Attribute], name: &Ident, what: &str) -> syn::Result<()> {
    match attributes.iter().any(|attribute| attribute.path().is_ident("doc")) {
        true => Ok(()),
        false => Err(syn::Error::new_spanned(name, format!("describe {what}: add a doc comment, `/// …`"))),
    }
}
