//! `#[layout]` on a struct with one unnamed field, or without fields: a single value without parts.
//!
//! binrw's derive would add a named part to the value. So the reader and the writer are generated here, and a map shows
//! one node with the value. Only here may a declaration have its own parameters, as in `Marker<const BYTE: u8>`.

use crate::directives::{Directive, Directives};
use crate::fields::Magic;
use crate::structure;
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{DeriveInput, Expr, Fields, GenericParam, Ident, Token, Type};

/// How a value is shown, and which values a file may contain.
#[derive(Default)]
pub struct Shown {
    /// The name of the type in maps.
    name: Option<Expr>,
    value: Option<Expr>,
    meaning: Option<Expr>,
    /// The values that can be read.
    expected: Option<Expr>,
}

impl Shown {
    /// Parses the remaining options, starting with this one.
    pub fn parse(first: Ident, input: ParseStream<'_>) -> syn::Result<Self> {
        let (mut shown, mut name) = (Shown::default(), first);
        loop {
            let option = match name.to_string().as_str() {
                "name" => &mut shown.name,
                "value" => &mut shown.value,
                "meaning" => &mut shown.meaning,
                "expected" => &mut shown.expected,
                _ => {
                    let why = "unknown option: `#[layout]` knows `view`, `bits = N` on a struct, `match = value` on an enum, and \
                               `name`, `value`, `meaning` and `expected` on a single value";
                    return Err(syn::Error::new(name.span(), why));
                }
            };
            input.parse::<Token![=]>()?;
            *option = Some(input.parse()?);
            if input.parse::<Option<Token![,]>>()?.is_none() || input.is_empty() {
                return Ok(shown);
            }
            name = input.parse()?;
        }
    }

    /// Fails at the first option.
    pub fn refuse(&self) -> syn::Result<()> {
        let Shown { name, value, meaning, expected } = self;
        match [name, value, meaning, expected].into_iter().flatten().next() {
            Some(option) => {
                let why = "this is only for a single value, a struct with one unnamed field: `struct Date(u16);`";
                Err(syn::Error::new_spanned(option, why))
            }
            None => Ok(()),
        }
    }
}

/// A parameter of the declaration.
pub struct Parameter {
    pub name: Ident,
    pub ty: Type,
}

impl Parse for Parameter {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let name = input.parse()?;
        input.parse::<Token![:]>()?;
        Ok(Parameter { name, ty: input.parse()? })
    }
}

/// A parsed declaration.
struct Single<'s> {
    item: &'s DeriveInput,
    shown: &'s Shown,
    /// The type of the value; `None` for fixed bytes.
    ty: Option<&'s Type>,
    /// The bytes before the value: an expression and its type.
    magic: Option<(TokenStream, TokenStream)>,
    /// The declared byte order, as an `Endian`.
    order: Option<TokenStream>,
    parameters: Option<Vec<Parameter>>,
}

pub fn expand(item: &DeriveInput, fields: &Fields, shown: &Shown) -> syn::Result<TokenStream> {
    let mut attributes = item.attrs.clone();
    let directives = Directives::take(&mut attributes)?;
    directives.refuse(|name| {
        let is_known = matches!(name, "big" | "little" | "magic" | "import");
        (!is_known).then_some("a single value supports only `big`, `little`, `magic` and `import`")
    })?;
    for field in fields {
        let why = "move this to the struct: a single value is read as a whole";
        Directives::take(&mut field.attrs.clone())?.refuse(|_| Some(why))?;
    }
    let magic = directives.reading("magic").map(|directive| magic(item, directive.expression()?)).transpose()?;
    let ty = fields.iter().next().map(|field| &field.ty);
    if ty.is_none() && magic.is_none() {
        let why = "a struct without fields is fixed bytes: add `#[brw(magic = b\"…\")]`";
        return Err(syn::Error::new_spanned(&item.ident, why));
    }
    let order = directives.order();
    if let (Some(magic), None) = (&magic, &order)
        && matches!(magic.ty.to_string().as_str(), "u16" | "u32" | "u64")
    {
        return Err(syn::Error::new_spanned(&magic.value, "state the byte order: `big` or `little`"));
    }
    let constant = magic.as_ref().filter(|magic| matches!(magic.value, Expr::Lit(_)));
    let constant = constant.map(|magic| structure::magic_bytes(magic, &directives));
    let magic = magic.map(|magic| (magic.expression(), magic.ty));
    let parameters = directives.reading("import").map(parameters).transpose()?;
    let single = Single { item, shown, ty, magic, order, parameters };
    let (reader, writer, layout, values) = (single.reader(), single.writer(), single.layout(), single.values());
    let (ident, vis, generics, clause) = (&item.ident, &item.vis, &item.generics, &item.generics.where_clause);
    let constant = constant.map(|constant| single.implemented(None, &constant));
    Ok(quote! {
        #(#attributes)*
        #[derive(Debug, Clone, PartialEq)]
        #vis struct #ident #generics #fields #clause;

        #constant

        #reader

        #writer

        #layout

        #values
    })
}

/// Returns the bytes before a value: those of a literal or of a constant parameter of the type.
fn magic(item: &DeriveInput, value: Expr) -> syn::Result<Magic> {
    let ty = item.generics.params.iter().find_map(|parameter| match (parameter, &value) {
        (GenericParam::Const(parameter), Expr::Path(path)) if path.path.is_ident(&parameter.ident) => {
            Some(&parameter.ty)
        }
        _ => None,
    });
    match ty {
        Some(ty) => Ok(Magic { ty: quote!(#ty), value }),
        None => structure::magic(value),
    }
}

fn parameters(directive: &Directive) -> syn::Result<Vec<Parameter>> {
    let why = "the parameters of a single value are unnamed: `import(count: u8)`";
    let wrong = || syn::Error::new(directive.name.span(), why);
    let group = directive.group().filter(|group| group.delimiter() == proc_macro2::Delimiter::Parenthesis);
    let list = Punctuated::<Parameter, Token![,]>::parse_terminated.parse2(group.ok_or_else(wrong)?.stream());
    Ok(list.map_err(|_| wrong())?.into_iter().collect())
}

impl Single<'_> {
    /// Returns an implementation for the type.
    fn implemented(&self, of: Option<TokenStream>, items: &TokenStream) -> TokenStream {
        let (ident, (generics, arguments, clause)) = (&self.item.ident, self.item.generics.split_for_impl());
        let of = of.map(|of| quote!(#of for));
        quote!(impl #generics #of #ident #arguments #clause { #items })
    }

    /// Returns the byte order, where `endian` is the byte order of the surrounding structure.
    fn endian(&self) -> TokenStream {
        self.order.clone().unwrap_or_else(|| quote!(endian))
    }

    fn reader(&self) -> TokenStream {
        let (magic, endian) = (self.magic.iter().map(|(magic, _)| magic), self.endian());
        let (of_type, ty) = (quote!(::everybyte::hook::binrw::BinRead), self.ty);
        let names = self.parameters.iter().flatten().map(|parameter| &parameter.name);
        let types = self.parameters.iter().flatten().map(|parameter| &parameter.ty);
        let (pattern, arguments, inner) = match (ty, &self.parameters) {
            (Some(ty), None) if self.shown.expected.is_none() => {
                (quote!(args), quote!(<#ty as #of_type>::Args<'a>), quote!(args))
            }
            _ => (quote!((#(#names,)*)), quote!((#(#types,)*)), quote!(())),
        };
        let read = match (ty, &self.shown.expected) {
            (Some(_), Some(expected)) => quote!(::everybyte::hook::one_of(reader, endian, &#expected).map(Self)),
            (Some(ty), None) => quote!(<#ty as #of_type>::read_options(reader, endian, #inner).map(Self)),
            (None, _) => quote!(::core::result::Result::Ok(Self {})),
        };
        self.implemented(
            Some(of_type),
            &quote! {
                type Args<'a> = #arguments;

                fn read_options<R: ::everybyte::hook::binrw::io::Read + ::everybyte::hook::binrw::io::Seek>(
                    reader: &mut R,
                    endian: ::everybyte::Endian,
                    #pattern: Self::Args<'_>,
                ) -> ::everybyte::hook::binrw::BinResult<Self> {
                    let endian = #endian;
                    #(::everybyte::hook::one_of(reader, endian, &[#magic])?;)*
                    #read
                }
            },
        )
    }

    fn writer(&self) -> TokenStream {
        let (magic, endian) = (self.magic.iter().map(|(magic, _)| magic), self.endian());
        let write = quote!(::everybyte::hook::binrw::BinWrite::write_options);
        let value = self.ty.iter().map(|_| quote!(&self.0));
        self.implemented(
            Some(quote!(::everybyte::hook::binrw::BinWrite)),
            &quote! {
                type Args<'a> = ();

                fn write_options<W: ::everybyte::hook::binrw::io::Write + ::everybyte::hook::binrw::io::Seek>(
                    &self,
                    writer: &mut W,
                    endian: ::everybyte::Endian,
                    (): (),
                ) -> ::everybyte::hook::binrw::BinResult<()> {
                    let endian = #endian;
                    #(#write(&#magic, writer, endian, ())?;)*
                    #(#write(#value, writer, endian, ())?;)*
                    ::core::result::Result::Ok(())
                }
            },
        )
    }

    /// Values for fuzzing: one of the values that can be read, unless parameters determine it.
    fn values(&self) -> TokenStream {
        let (Some(expected), None) = (&self.shown.expected, &self.parameters) else {
            let twin = crate::fuzzing::expand(self.item);
            return twin.unwrap_or_else(syn::Error::into_compile_error);
        };
        let made = self.implemented(
            Some(quote!(::everybyte::arbitrary::Arbitrary<'_>)),
            &quote! {
                fn arbitrary(
                    unstructured: &mut ::everybyte::arbitrary::Unstructured<'_>,
                ) -> ::everybyte::arbitrary::Result<Self> {
                    unstructured.choose(&#expected).cloned().map(Self)
                }
            },
        );
        quote!(::everybyte::if_arbitrary! { #made })
    }

    /// Returns the implementation for readers and for the field reference.
    fn layout(&self) -> TokenStream {
        let layout = quote!(::everybyte::Layout);
        let sizes = self.magic.iter().map(|(_, ty)| ty.clone()).chain(self.ty.map(|ty| quote!(#ty)));
        let sizes: Vec<_> = sizes.map(|ty| quote!(<#ty as #layout>)).collect();
        let name = match &self.shown.name {
            Some(name) => quote!(#name),
            None => {
                let name = self.item.ident.to_string();
                quote!(#name)
            }
        };
        let (form, value) = self.form();
        let value = self.shown.value.as_ref().map_or(value, |value| quote!(#value));
        let meaning = self.shown.meaning.as_ref().map(|meaning| {
            quote! {
                fn meaning(&self) -> ::std::borrow::Cow<'static, str> {
                    (#meaning).into()
                }
            }
        });
        let of_type = self.of_type(&layout);
        self.implemented(
            Some(layout.clone()),
            &quote! {
                const MIN_SIZE: u64 = 0 #(+ #sizes::MIN_SIZE)*;
                const SIZE: Option<u64> = ::everybyte::reference::sum(&[#(#sizes::SIZE),*]);

                fn type_name() -> ::std::string::String {
                    (#name).into()
                }

                fn form() -> ::everybyte::reference::Form {
                    #form
                }

                fn value(&self) -> ::everybyte::map::Value {
                    #value
                }

                #meaning

                #of_type
            },
        )
    }

    /// Returns the form and the value that a map shows by default.
    fn form(&self) -> (TokenStream, TokenStream) {
        let (order, is_one_of) = (self.order.iter(), self.shown.expected.is_some());
        let order = quote!([#(#order)*].into_iter().next());
        let magic = self.magic.as_ref().map(|(magic, _)| magic);
        let bytes = match magic {
            Some(magic) => quote!(::everybyte::hook::bytes(&#magic, #order)),
            None => quote!(::std::vec::Vec::new()),
        };
        match self.ty {
            Some(ty) => (
                quote!(::everybyte::hook::single_form::<#ty>(&#bytes, #order, #is_one_of)),
                quote!(::everybyte::Layout::value(&self.0)),
            ),
            None => {
                (quote!(::everybyte::reference::Form::Fixed(#bytes)), quote!(::everybyte::map::Value::bytes(&#bytes)))
            }
        }
    }

    /// Returns the items that are delegated to the value's type.
    fn of_type(&self, layout: &TokenStream) -> TokenStream {
        let Some(ty) = self.ty else {
            return quote!(
                const NATURE: ::everybyte::reference::Nature = ::everybyte::reference::Nature::VALUE;
            );
        };
        let is_own = self.shown.value.is_some() || self.shown.meaning.is_some();
        // A value that is shown differently is not a number to readers.
        let is_number = self.shown.value.is_none().then(|| ("IS_NUMBER", quote!(bool)));
        let constants = is_number.into_iter().chain([("IS_LIST", quote!(bool)), ("MAY_BE_FLAWED", quote!(bool))]);
        let constants = constants.chain([("NATURE", quote!(::everybyte::reference::Nature))]);
        let constants = constants.map(|(name, of)| {
            let name = format_ident!("{name}");
            quote!(const #name: #of = <#ty as #layout>::#name;)
        });
        let text = quote!(::std::string::String);
        let mut methods = vec![
            ("flaw", quote!(::core::option::Option<(&'static str, #text)>)),
            ("missing", quote!(u64)),
            ("heap", quote!(u64)),
        ];
        if self.shown.meaning.is_none() {
            methods.push(("meaning", quote!(::std::borrow::Cow<'static, str>)));
        }
        if !is_own {
            methods.push(("bits", quote!(::std::vec::Vec<::everybyte::reference::Bits>)));
            methods.push(("said", quote!(::everybyte::reference::Said)));
        }
        let methods = methods.into_iter().map(|(name, of)| {
            let name = format_ident!("{name}");
            quote!(fn #name(&self) -> #of { #layout::#name(&self.0) })
        });
        quote! {
            #(#constants)*

            #(#methods)*

            fn describe(book: &mut ::everybyte::reference::Book) {
                <#ty as #layout>::describe(book);
            }
        }
    }
}
