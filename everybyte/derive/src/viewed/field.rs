//! A field as seen by a view: its position, its length and its content.

use super::checks::{asserted, refuse};
use super::kind::{Kind, calculated};
use super::place::Place;
use super::terms::Stated;
use crate::directives::Directive;
use crate::parsers::element_of;
use crate::part::{Part, is_calculated};
use crate::place::optional;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Attribute, Ident, Type, Visibility};

/// A field. In the generated code, names of everybyte begin with two underscores, because field names are in the same scope.
pub struct Seen {
    pub ident: Ident,
    /// The previous fields that are needed to read it.
    pub needs: Vec<Ident>,
    /// True if the walk needs its value.
    pub is_needed: bool,
    /// The type at one offset.
    pub ty: Type,
    vis: Visibility,
    docs: Vec<Attribute>,
    /// Its name in paths.
    pub name: String,
    pub kind: Kind,
    condition: Option<Stated>,
    order: Option<TokenStream>,
    place: Option<Place>,
    size: Option<Stated>,
    /// The fields that its assertions use, including this one, and the assertions as statements.
    asserted: (Vec<Ident>, Vec<TokenStream>),
    /// True if the value of the structure contains it.
    pub is_held: bool,
}

impl Seen {
    pub fn of(part: Part, owner: &Ident, known: &[Ident]) -> syn::Result<Self> {
        let Part { ident, field, directives, roles, .. } = part;
        refuse(&directives)?;
        let place = roles.place.as_ref().map(|place| Place::of(place, owner, known)).transpose()?;
        let is_each = place.as_ref().is_some_and(|place| place.each.is_some());
        // The type at one offset.
        let ty = if is_each { element_of(&field.ty).unwrap_or(&field.ty) } else { &field.ty }.clone();
        if let Some(of) = optional(&ty).filter(|_| is_each) {
            return Err(syn::Error::new_spanned(of, "a view gives errors, and no `None`: write `Vec<…>`"));
        }
        let parser = directives.reading("parse_with").map(Directive::expression).transpose()?;
        let mut needs = Vec::new();
        let kind = match is_calculated(&directives) {
            true => Kind::Calculated(calculated(&directives)?),
            false => Kind::of(&ty, &directives, parser.as_ref(), roles.from.is_some(), known, &mut needs)?,
        };
        let condition = directives.reading("if").map(|it| Stated::of(&it.first_expression()?)).transpose()?;
        let size = roles.size.as_ref().map(Stated::of).transpose()?;
        if condition.is_some() && (is_each || (optional(&ty).is_none() && element_of(&ty).is_none())) {
            let why = "a view gives an absent field as `None`: give it the type `Option<…>`";
            return Err(syn::Error::new_spanned(&field.ty, why));
        }
        if condition.is_none() && place.is_none() && optional(&ty).is_some() {
            return Err(syn::Error::new_spanned(&field.ty, "a view asks when this is absent: add `#[br(if(…))]`"));
        }
        let stated = [&condition, &size].into_iter().flatten().chain(kind.stated());
        needs.extend(stated.chain(place.iter().map(|place| &place.at)).flat_map(|it| it.names(known)));
        needs.extend(place.iter().filter_map(|place| place.each.as_ref()).map(|(_, list)| list.clone()));
        let asserted = asserted(&directives, &ident, known)?;
        if let (Some(_), Some(_)) = (&place, asserted.1.first()) {
            return Err(syn::Error::new_spanned(&ident, "a view asserts nothing of a structure at an offset"));
        }
        needs.sort();
        needs.dedup();
        Ok(Seen {
            name: roles.shown(&ident),
            needs,
            is_needed: false,
            vis: field.vis,
            docs: field.attrs.into_iter().filter(|it| it.path().is_ident("doc")).collect(),
            order: directives.order().map(|order| quote!(.ordered(#order))),
            is_held: !crate::part::is_temporary(&directives),
            ty,
            ident,
            kind,
            condition,
            place,
            size,
            asserted,
        })
    }

    /// Returns whether it takes no bytes between the previous and the next field.
    pub fn is_aside(&self) -> bool {
        self.is_placed() || matches!(self.kind, Kind::Calculated(_))
    }

    /// Returns whether it is at an offset.
    pub fn is_placed(&self) -> bool {
        self.place.is_some()
    }

    /// Returns the variable for the elements of the list that supplies its offsets, and the list.
    pub fn each(&self) -> Option<&(Ident, Ident)> {
        self.place.as_ref()?.each.as_ref()
    }

    /// Its size, if it is fixed.
    pub fn size(&self) -> TokenStream {
        let ty = &self.ty;
        match (&self.kind, self.is_aside(), &self.condition, &self.size) {
            (_, true, ..) => quote!(::core::option::Option::Some(0)),
            (Kind::Value(_), _, None, None) => quote_spanned!(ty.span()=> <#ty as ::everybyte::Layout>::SIZE),
            _ => quote!(::core::option::Option::None),
        }
    }

    /// Returns the type that its method returns; the type of one element if each has its own offset.
    fn view(&self) -> TokenStream {
        self.kind.view(&self.ty)
    }

    /// Returns the statement that binds the bytes of the field, starting at `__at`.
    fn frame(&self) -> TokenStream {
        let (ty, order) = (&self.ty, &self.order);
        let size = self.size.as_ref().map(Stated::judged);
        if let Some(place) = &self.place {
            let (at, stored) = (place.at.judged(), optional(ty).unwrap_or(ty));
            let size = match size {
                Some(size) => quote!(::core::option::Option::Some(#size)),
                None => quote!(::everybyte::hook::UNSIZED),
            };
            return quote! {
                let __place = ::everybyte::hook::Place::new(#at, ::everybyte::hook::At(__origin), #size);
                let __field = __frame.deeper()?.elsewhere(&__place, <#stored as ::everybyte::Layout>::MIN_SIZE)? #order;
            };
        }
        let nested = match (&self.kind, &self.size) {
            (Kind::Calculated(_), _) => TokenStream::new(),
            (Kind::Rest | Kind::Filling(..), _) | (_, Some(_)) => quote!(.deeper()?),
            _ => quote_spanned!(ty.span()=> .nested::<#ty>()?),
        };
        let sized = size.map(|size| {
            quote!(let __field = __field.within(::everybyte::hook::size(__field.judged(#size)?).unwrap_or(u64::MAX))?;)
        });
        quote! {
            let __field = __frame.past(__at) #order #nested;
            #sized
        }
    }

    /// Returns the statement that returns a value early if the field is absent.
    fn unless_absent(&self, absent: &TokenStream) -> Option<TokenStream> {
        let condition = self.condition.as_ref()?.judged();
        Some(quote! {
            let __is_there: bool = __frame.past(__at).judged(#condition)?;
            if !__is_there {
                return ::core::result::Result::Ok(#absent);
            }
        })
    }

    /// Returns the content of the field, as a `Result`.
    fn value(&self) -> TokenStream {
        let (view, frame, name, value) = (self.view(), self.frame(), &self.name, self.kind.value(&self.ty));
        let origin = self.place.as_ref().map(Place::origin);
        if let Some((variable, list)) = self.each() {
            return quote! {
                (|| -> ::core::result::Result<_, ::std::boxed::Box<::everybyte::ParseError>> {
                    #origin
                    ::core::result::Result::Ok(#list.iter().enumerate().map(move |(__index, __element)| {
                        (|| -> ::core::result::Result<#view, ::std::boxed::Box<::everybyte::ParseError>> {
                            let #variable = __element?;
                            #frame
                            ::core::result::Result::Ok(#value)
                        })()
                        .map_err(|error| ::everybyte::view::field(::everybyte::view::element(error, __index), #name))
                    }))
                })()
            };
        }
        let absent = self.unless_absent(&self.kind.absent(&self.ty));
        quote! {
            (|| -> ::core::result::Result<#view, ::std::boxed::Box<::everybyte::ParseError>> {
                #absent
                #origin
                #frame
                ::core::result::Result::Ok(#value)
            })()
            .map_err(|error| ::everybyte::view::field(error, #name))
        }
    }

    /// Returns the bytes that it takes, as a `Result`.
    fn length(&self) -> TokenStream {
        let (frame, name, absent) = (self.frame(), &self.name, self.unless_absent(&quote!(0)));
        let length = match self.size {
            Some(_) => quote!(::core::result::Result::Ok(__field.bytes().len())),
            None => self.kind.length(&self.ty),
        };
        quote! {
            (|| -> ::core::result::Result<usize, ::std::boxed::Box<::everybyte::ParseError>> {
                #absent
                #frame
                #length
            })()
            .map_err(|error| ::everybyte::view::field(error, #name))
        }
    }

    /// Returns the statement that checks its assertions.
    fn assertions(&self) -> Option<TokenStream> {
        let Seen { ident, needs, name, asserted: (named, assertions), .. } = self;
        let others: Vec<_> = named.iter().filter(|it| *it != ident && !needs.contains(it)).collect();
        (!assertions.is_empty()).then(|| {
            quote! {
                let __field = __frame.past(__at);
                (|| -> ::core::result::Result<(), ::std::boxed::Box<::everybyte::ParseError>> {
                    #(let #others = self.#others()?;)*
                    let #ident = ::core::clone::Clone::clone(&__value);
                    #(#assertions)*
                    ::core::result::Result::Ok(())
                })()
                .map_err(|error| ::everybyte::view::field(error, #name))?;
            }
        })
    }

    /// Returns the method for the field.
    pub fn method(&self, place: usize, names: &TokenStream) -> TokenStream {
        let Seen { ident, vis, docs, needs, name, .. } = self;
        let (view, value, asserted) = (self.view(), self.value(), self.assertions());
        let view = match self.each() {
            Some(_) => quote! {
                impl ::core::iter::Iterator<
                    Item = ::core::result::Result<#view, ::std::boxed::Box<::everybyte::ParseError>>,
                > + use<'a>
            },
            None => view,
        };
        let docs = if docs.is_empty() { quote!(#[doc = #name]) } else { quote!(#(#docs)*) };
        quote! {
            #docs
            #[inline]
            #vis fn #ident(&self) -> ::core::result::Result<#view, ::std::boxed::Box<::everybyte::ParseError>> {
                let (__frame, #names) = (self.__frame, self.__args);
                let __at = match const { Self::__OFFSETS[#place] } {
                    ::core::option::Option::Some(at) => at,
                    ::core::option::Option::None => self.__walk(#place)?,
                };
                #(let #needs = self.#needs()?;)*
                let __value = #value?;
                #asserted
                ::core::result::Result::Ok(__value)
            }
        }
    }

    /// Returns a step of the walk over all fields.
    pub fn step(&self, place: usize) -> TokenStream {
        let ident = &self.ident;
        let value = self.is_needed.then(|| {
            let value = self.value();
            quote!(let #ident = #value?;)
        });
        let length = (!self.is_aside()).then(|| {
            let length = self.length();
            quote!(__at += #length?;)
        });
        quote! {
            if __to == #place {
                return ::core::result::Result::Ok(__at);
            }
            #value
            #length
        }
    }
}
