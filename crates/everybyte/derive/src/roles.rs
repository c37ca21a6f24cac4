//! `#[layout(…)]` on a field: the role of its number.

use crate::directives::Directives;
use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Field, FieldsNamed, Ident, LitStr, Token};

/// The options of a field.
#[derive(Default)]
pub struct Roles {
    /// `Role` of the field, as an expression.
    role: Option<TokenStream>,
    /// True if the field names the element of a list that it is in.
    is_key: bool,
}

impl Roles {
    /// Takes the options off the attributes of a field, which has others beside it.
    pub fn take(attributes: &mut Vec<Attribute>, beside: &[Ident]) -> syn::Result<Self> {
        let mut roles = Roles::default();
        for attribute in attributes.extract_if(.., |attribute| attribute.path().is_ident("layout")) {
            let mut options = attribute.parse_args_with(Punctuated::<Choice, Token![,]>::parse_terminated)?.into_iter();
            while let Some(Choice { name, target }) = options.next() {
                let name_text = name.to_string();
                let target = || match &target {
                    Some(target) => Ok(role_target(target, beside)),
                    None => Err(missing_target(&name)),
                };
                let role = match name_text.as_str() {
                    "place" => {
                        let target = target()?;
                        let origin = match options.clone().next().map(|option| option.origin()).transpose()?.flatten() {
                            Some(origin) => {
                                options.next();
                                origin
                            }
                            None => quote!(Space),
                        };
                        quote!(Place { target: #target, origin: ::everybyte::role::Origin::#origin })
                    }
                    "extent" => target().map(|target| quote!(Extent { target: #target }))?,
                    "counts" => target().map(|target| quote!(Counts { target: #target }))?,
                    "copy_of" => target().map(|target| quote!(CopyOf { target: #target }))?,
                    "check_of" => target().map(|target| quote!(CheckOf { target: #target }))?,
                    "writer" => quote!(Writer),
                    "fact" => quote!(Fact),
                    "payload" => quote!(Payload),
                    "key" => {
                        roles.is_key = true;
                        continue;
                    }
                    "relative_to" | "after" => {
                        return Err(syn::Error::new(name.span(), format!("`{name}` follows `place = …`")));
                    }
                    _ => {
                        let why = "unknown role: a field has `place`, `extent`, `counts`, `copy_of`, `check_of`, \
                                   `writer`, `fact` or `payload`, and may be a `key`";
                        return Err(syn::Error::new(name.span(), why));
                    }
                };
                if roles.role.is_some() {
                    return Err(syn::Error::new(name.span(), "a number has one role"));
                }
                roles.role = Some(role);
            }
        }
        Ok(roles)
    }

    pub fn is_empty(&self) -> bool {
        self.role.is_none() && !self.is_key
    }

    /// The same. A number that counts the elements of another field has that role, unless one was chosen.
    pub fn or_count(self, field: &Ident, counted: &[(Ident, String)]) -> Self {
        let list = counted.iter().find(|(count, _)| count == field).map(|(_, list)| {
            let target = quote!(::everybyte::role::Target::beside(#list));
            quote!(Counts { target: #target })
        });
        Roles { role: self.role.or(list), ..self }
    }

    /// The role as `Option<Role>`.
    pub fn role(&self) -> TokenStream {
        match &self.role {
            Some(role) => quote!(Some(::everybyte::Role::#role)),
            None => quote!(None),
        }
    }

    pub fn is_key(&self) -> bool {
        self.is_key
    }
}

/// `Target` of this path.
fn role_target(path: &str, beside: &[Ident]) -> TokenStream {
    let first = path.split(['.', '!']).next().unwrap_or_default();
    match beside.iter().any(|field| field == first) {
        true => quote!(::everybyte::role::Target::beside(#path)),
        false => quote!(::everybyte::role::Target::new(#path)),
    }
}

fn missing_target(name: &Ident) -> syn::Error {
    syn::Error::new(name.span(), format!("say which field: `{name} = field`"))
}

/// One option, such as `place = columns`.
#[derive(Clone)]
struct Choice {
    name: Ident,
    target: Option<String>,
}

impl Choice {
    /// The `Origin` of the place before this option; `None` if this option is none of a place.
    fn origin(&self) -> syn::Result<Option<TokenStream>> {
        let target = || self.target.clone().ok_or_else(|| missing_target(&self.name));
        match self.name.to_string().as_str() {
            "relative_to" => target().map(|around| Some(quote!(Structure(#around)))),
            "after" => target().map(|field| Some(quote!(After(#field)))),
            _ => Ok(None),
        }
    }
}

impl Parse for Choice {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        if !input.peek(Token![=]) {
            return Ok(Choice { name, target: None });
        }
        input.parse::<Token![=]>()?;
        if input.peek(LitStr) {
            return Ok(Choice { name, target: Some(input.parse::<LitStr>()?.value()) });
        }
        let mut target = input.parse::<Ident>()?.to_string();
        while input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            target = format!("{target}.{}", input.parse::<Ident>()?);
        }
        Ok(Choice { name, target: Some(target) })
    }
}

/// The fields that count others: the name of each, and that of the list.
pub fn counted(fields: &FieldsNamed) -> syn::Result<Vec<(Ident, String)>> {
    let mut counted = Vec::new();
    for Field { attrs, ident, .. } in &fields.named {
        let (directives, Some(list)) = (Directives::take(&mut attrs.clone())?, ident) else { continue };
        let Some(count) = directives.reading("count") else { continue };
        if let Some(field) = innermost(&count.expression()?) {
            counted.push((field, list.to_string()));
        }
    }
    Ok(counted)
}

/// The variable that an expression such as `count.value()` or `count as usize` is made of.
fn innermost(expression: &Expr) -> Option<Ident> {
    match expression {
        Expr::Path(path) => path.path.get_ident().cloned(),
        Expr::Field(field) => innermost(&field.base),
        Expr::MethodCall(call) => innermost(&call.receiver),
        Expr::Cast(cast) => innermost(&cast.expr),
        Expr::Paren(group) => innermost(&group.expr),
        _ => None,
    }
}
