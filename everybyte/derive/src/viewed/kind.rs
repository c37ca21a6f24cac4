//! What the bytes of a field contain and how a view reads them.

use super::terms::Stated;
use crate::directives::{Directive, Directives};
use crate::parsers::element_of;
use crate::place::optional;
use crate::placed::variables;
use proc_macro2::{Delimiter, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Ident, Type};

/// What the bytes of a field contain.
pub enum Kind {
    /// A value of the field's type, with the arguments of that type.
    Value(TokenStream),
    /// As many bytes as a number states.
    Counted(Stated),
    /// As many elements as a number states.
    List(Type, Stated, TokenStream),
    /// All remaining bytes.
    Rest,
    /// The elements that fill a number of bytes.
    Filling(Type, Stated, TokenStream),
    /// No bytes: a value that is computed.
    Calculated(Stated),
}

impl Kind {
    pub fn of(
        ty: &Type,
        directives: &Directives,
        parser: Option<&Expr>,
        is_from: bool,
        known: &[Ident],
        needs: &mut Vec<Ident>,
    ) -> syn::Result<Self> {
        if is_from {
            return Err(syn::Error::new_spanned(
                ty,
                "a view counts padding from the beginning of the file, not from a field",
            ));
        }
        let given = directives.reading("args");
        let args = given.map(|args| arguments(args, known, needs)).transpose()?.unwrap_or_else(|| judged(&quote!(())));
        let count = directives.reading("count").map(|count| Stated::of(&count.expression()?)).transpose()?;
        let element = element_of(ty).filter(|element| element.to_token_stream().to_string() != "u8");
        let list_args = || match given.and_then(Directive::group).filter(|group| group.delimiter() == Delimiter::Brace)
        {
            Some(group) => {
                Err(syn::Error::new(group.span(), "a view gives elements their arguments without names: `args(kind)`"))
            }
            None => Ok(args.clone()),
        };
        match (parser, count, element) {
            (None, None, None) => {
                // A type without arguments may have parameters that are all optional.
                Ok(Kind::Value(if given.is_some() {
                    args
                } else {
                    judged(&quote!(::core::default::Default::default()))
                }))
            }
            (None, Some(count), Some(element)) => {
                if let Some(given) = given {
                    return Err(syn::Error::new(
                        given.name.span(),
                        "a view gives the elements of a counted list no arguments",
                    ));
                }
                Ok(Kind::List(element.clone(), count, args))
            }
            (None, Some(count), None) => Ok(Kind::Counted(count)),
            (Some(parser), None, _) if is_called(parser, "rest") => Ok(Kind::Rest),
            (Some(Expr::Call(call)), None, Some(element))
                if is_called(&call.func, "filling") && call.args.len() == 1 =>
            {
                Ok(Kind::Filling(element.clone(), Stated::of(&call.args[0])?, list_args()?))
            }
            (Some(parser), ..) => {
                let why =
                    "a view cannot read a field with a parser of its own: it knows `rest`, and `filling` of a list";
                Err(syn::Error::new_spanned(parser, why))
            }
            (None, None, Some(_)) => {
                Err(syn::Error::new_spanned(ty, "a `Vec` needs a number of elements: add `#[br(count = …)]`"))
            }
        }
    }

    /// Returns the expression in it.
    pub fn stated(&self) -> Option<&Stated> {
        match self {
            Kind::Counted(it) | Kind::List(_, it, _) | Kind::Filling(_, it, _) | Kind::Calculated(it) => Some(it),
            Kind::Value(_) | Kind::Rest => None,
        }
    }

    /// Returns the type of its view.
    pub fn view(&self, ty: &Type) -> TokenStream {
        let stored = optional(ty).unwrap_or(ty);
        let view = match self {
            Kind::Value(_) => quote_spanned!(stored.span()=> <#stored as ::everybyte::view::Viewed>::View<'a>),
            Kind::Counted(_) | Kind::Rest => {
                quote_spanned!(stored.span()=> <#stored as ::everybyte::view::OfBytesViewed>::View<'a>)
            }
            Kind::List(of, ..) => quote!(::everybyte::view::List<'a, #of>),
            Kind::Filling(of, ..) => quote!(::everybyte::view::Filling<'a, #of>),
            Kind::Calculated(_) => return ty.to_token_stream(),
        };
        if optional(ty).is_some() { quote!(::core::option::Option<#view>) } else { view }
    }

    /// Its view, starting at the first byte of `__field`.
    pub fn value(&self, ty: &Type) -> TokenStream {
        let stored = optional(ty).unwrap_or(ty);
        let value = match self {
            Kind::Value(args) => quote_spanned! {stored.span()=> {
                let __args = __field.judged::<<#stored as ::everybyte::view::Viewed>::Args>(#args)?;
                <#stored as ::everybyte::view::Viewed>::at(__field, __args)?
            }},
            Kind::Counted(count) => {
                let count = count.count();
                quote!(<#stored as ::everybyte::view::OfBytesViewed>::of(__field.counted(__field.judged(#count)? as u64)?))
            }
            Kind::Rest => quote!(<#stored as ::everybyte::view::OfBytesViewed>::of(__field.bytes())),
            Kind::List(..) | Kind::Filling(..) => self.list(),
            Kind::Calculated(value) => {
                let value = value.judged();
                return quote!(__field.judged(#value)?);
            }
        };
        if optional(ty).is_some() { quote!(::core::option::Option::Some(#value)) } else { value }
    }

    /// Returns the list.
    fn list(&self) -> TokenStream {
        match self {
            Kind::List(of, count, args) => {
                let count = count.count();
                quote!(::everybyte::view::List::<#of>::new(__field, __field.judged(#count)?, __field.judged(#args)?)?)
            }
            Kind::Filling(of, length, args) => {
                let length = length.judged();
                quote!(::everybyte::view::Filling::<#of>::new(__field, __field.judged(#length)?, __field.judged(#args)?))
            }
            _ => TokenStream::new(),
        }
    }

    /// Returns the number of its bytes, as a `Result`.
    pub fn length(&self, ty: &Type) -> TokenStream {
        let stored = optional(ty).unwrap_or(ty);
        match self {
            Kind::Value(args) => quote_spanned! {stored.span()=> {
                let __args = __field.judged::<<#stored as ::everybyte::view::Viewed>::Args>(#args)?;
                <#stored as ::everybyte::view::Viewed>::length(__field, __args)
            }},
            Kind::Counted(count) => {
                let count = count.count();
                quote!(__field.counted(__field.judged(#count)? as u64).map(|bytes| bytes.len()))
            }
            Kind::List(..) | Kind::Filling(..) => {
                let list = self.list();
                quote!(#list.length())
            }
            Kind::Rest => quote!(::core::result::Result::Ok(__field.bytes().len())),
            Kind::Calculated(_) => quote!(::core::result::Result::Ok(0)),
        }
    }

    /// Returns the result if the field is absent.
    pub fn absent(&self, ty: &Type) -> TokenStream {
        let none = quote!(__frame.past(__at).within(0)?);
        match self {
            _ if optional(ty).is_some() => quote!(::core::option::Option::None),
            Kind::List(of, _, args) => quote!(::everybyte::view::List::<#of>::new(#none, 0, __frame.judged(#args)?)?),
            Kind::Filling(of, _, args) => {
                quote!(::everybyte::view::Filling::<#of>::new(#none, 0, __frame.judged(#args)?))
            }
            _ => quote!(<#ty as ::everybyte::view::OfBytesViewed>::of(&[])),
        }
    }
}

/// Wraps an expression that always has a value in a `Result`.
fn judged(value: &TokenStream) -> TokenStream {
    quote!(::core::result::Result::Ok(#value))
}

/// Returns whether an expression calls a function of everybyte.
fn is_called(function: &Expr, name: &str) -> bool {
    matches!(function, Expr::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == name))
}

/// Returns the expression of a computed field.
pub fn calculated(directives: &Directives) -> syn::Result<Stated> {
    match directives.reading("calc") {
        Some(calc) => Stated::of(&calc.expression()?),
        None => {
            let name = directives.reading("try_calc").map_or(proc_macro2::Span::call_site(), |it| it.name.span());
            Err(syn::Error::new(name, "a view does not know `try_calc`: write `calc`"))
        }
    }
}

/// Returns the arguments of a field: named ones are a value of the type that they belong to.
fn arguments(args: &Directive, known: &[Ident], needs: &mut Vec<Ident>) -> syn::Result<TokenStream> {
    let Some(group) = args.group() else {
        return Err(syn::Error::new(
            args.name.span(),
            "a view knows arguments in parentheses, `args(kind)`, or in braces",
        ));
    };
    let stream = group.stream();
    let all: Expr = match group.delimiter() {
        Delimiter::Brace => syn::parse2(quote!(::binrw::args! { #stream }))?,
        _ => syn::parse2(quote!((#stream,)))?,
    };
    let stated = Stated::of(&all)?;
    let mut names = Vec::new();
    variables(stream, &mut names);
    needs.extend(names.into_iter().filter(|name| known.contains(name)));
    Ok(stated.judged())
}
