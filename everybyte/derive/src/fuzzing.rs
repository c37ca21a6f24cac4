//! `#[derive(everybyte::Arbitrary)]`: values for fuzzing, if everybyte's feature `arbitrary` is on.
//!
//! The derive macro of `arbitrary` refers to its crate as `arbitrary`, which users of everybyte need not depend on. It is therefore
//! put on a twin of the type, in a block where that name refers to everybyte's copy. The type is created from its twin.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Attribute, Data, DeriveInput, Fields, GenericParam, Lifetime, LifetimeParam, Visibility, parse_quote};

pub fn expand(item: &DeriveInput) -> syn::Result<TokenStream> {
    let ident = &item.ident;
    let (twin, made) = (twin(item)?, made(&item.data));
    let mut generics = item.generics.clone();
    for parameter in generics.type_params_mut() {
        parameter.bounds.push(parse_quote!(arbitrary::Arbitrary<'arbitrary>));
    }
    let lifetime = LifetimeParam::new(Lifetime::new("'arbitrary", proc_macro2::Span::call_site()));
    generics.params.insert(0, GenericParam::Lifetime(lifetime));
    let (impl_generics, ..) = generics.split_for_impl();
    let (_, type_generics, where_clause) = item.generics.split_for_impl();
    let arguments = type_generics.as_turbofish();
    Ok(quote! {
        ::everybyte::if_arbitrary! {
            const _: () = {
                use ::everybyte::arbitrary;

                #twin

                impl #impl_generics arbitrary::Arbitrary<'arbitrary> for #ident #type_generics #where_clause {
                    fn arbitrary(unstructured: &mut arbitrary::Unstructured<'arbitrary>) -> arbitrary::Result<Self> {
                        __Twin #arguments::arbitrary(unstructured).map(|twin| #made)
                    }

                    fn arbitrary_take_rest(unstructured: arbitrary::Unstructured<'arbitrary>) -> arbitrary::Result<Self> {
                        __Twin #arguments::arbitrary_take_rest(unstructured).map(|twin| #made)
                    }

                    fn size_hint(depth: usize) -> (usize, ::core::option::Option<usize>) {
                        __Twin #arguments::size_hint(depth)
                    }

                    fn try_size_hint(
                        depth: usize,
                    ) -> ::core::result::Result<(usize, ::core::option::Option<usize>), arbitrary::MaxRecursionReached> {
                        __Twin #arguments::try_size_hint(depth)
                    }
                }
            };
        }
    })
}

/// Returns the same type under another name, with no attributes except those of `arbitrary`.
fn twin(item: &DeriveInput) -> syn::Result<DeriveInput> {
    let mut twin = item.clone();
    twin.ident = format_ident!("__Twin");
    twin.vis = Visibility::Inherited;
    let bare = |attributes: &mut Vec<Attribute>| attributes.retain(|attribute| attribute.path().is_ident("arbitrary"));
    let bare_fields = |fields: &mut Fields| {
        for field in fields {
            bare(&mut field.attrs);
            field.vis = Visibility::Inherited;
        }
    };
    bare(&mut twin.attrs);
    match &mut twin.data {
        Data::Struct(data) => bare_fields(&mut data.fields),
        Data::Enum(data) => {
            for variant in &mut data.variants {
                bare(&mut variant.attrs);
                variant.discriminant = None;
                bare_fields(&mut variant.fields);
            }
        }
        Data::Union(data) => {
            return Err(syn::Error::new_spanned(data.union_token, "a union has no values of its own for fuzzing"));
        }
    }
    twin.attrs.push(parse_quote!(#[derive(arbitrary::Arbitrary)]));
    Ok(twin)
}

/// Returns the expression that creates the type from `twin`.
fn made(data: &Data) -> TokenStream {
    let fields = |fields: &Fields| {
        let held = fields.members().enumerate().map(|(place, member)| (member, format_ident!("field{place}")));
        held.map(|(member, name)| quote!(#member: #name)).collect::<Vec<_>>()
    };
    match data {
        Data::Enum(data) => {
            let arms = data.variants.iter().map(|variant| {
                let (ident, fields) = (&variant.ident, fields(&variant.fields));
                quote!(__Twin::#ident { #(#fields),* } => Self::#ident { #(#fields),* })
            });
            quote!(match twin { #(#arms),* })
        }
        Data::Struct(data) => {
            let fields = fields(&data.fields);
            quote!({
                let __Twin { #(#fields),* } = twin;
                Self { #(#fields),* }
            })
        }
        Data::Union(_) => TokenStream::new(),
    }
}
