//! Fields whose bytes unpack into content: `opens(Zlib as Rows)`.

use crate::checked::checked;
use crate::derived;
use crate::options::Opens;
use crate::part::Part;
use crate::place;
use proc_macro2::{Delimiter, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::spanned::Spanned;

/// Refuses packed content in a field whose value does not own its bytes.
pub fn ensure_bytes(part: &Part) -> syn::Result<()> {
    let ty = &part.field.ty;
    let holds_bytes = place::element(ty).is_some_and(|element| element.to_token_stream().to_string() == "u8");
    if let (Some(piece), true) = (&part.roles.piece, !holds_bytes || part.roles.is_inline) {
        let why = "a piece of packed content must be owned bytes: give the field the type `Vec<u8>`, and a node";
        return Err(syn::Error::new(piece.span(), why));
    }
    let Some(opens) = &part.roles.opens else { return Ok(()) };
    if !opens.is_joined && !holds_bytes {
        let why = "content is packed in bytes that the value owns: give the field the type `Vec<u8>`, or say `join` if they stand \
                   in pieces inside the field";
        return Err(syn::Error::new(ty.span(), why));
    }
    if part.roles.place.is_some() || part.is_temporary() || part.roles.is_inline {
        let why = "a field that unpacks into content must be in order, in the value, and have a node of its own";
        return Err(syn::Error::new(opens.packing.span(), why));
    }
    Ok(())
}

/// Returns the packing, as `Option<&'static Codec>`.
pub fn codec(part: &Part) -> TokenStream {
    let Some(opens) = &part.roles.opens else { return quote!(None) };
    let packing = &opens.packing;
    quote_spanned! {packing.span()=> {
        static CODEC: ::everybyte::packing::Codec = ::everybyte::hook::codec::<#packing>();
        Some(&CODEC)
    }}
}

/// Returns the arguments of the content.
fn arguments(opens: &Opens) -> TokenStream {
    let field = checked(&opens.content);
    match &opens.arguments {
        Some(group) if group.delimiter() == Delimiter::Brace => {
            let stream = group.stream();
            quote!(::everybyte::hook::arguments::<#field>(::binrw::args! { #stream }))
        }
        Some(group) => {
            let stream = group.stream();
            quote!(::everybyte::hook::arguments::<#field>((#stream,)))
        }
        None => quote!(::everybyte::hook::NoArguments::none()),
    }
}

/// Returns the hook of the field, which generates content in generated files.
pub fn hook(opens: Option<&Opens>, hook: TokenStream) -> TokenStream {
    // Pieces are not known until all of them have been read.
    let Some(opens) = opens.filter(|opens| !opens.is_joined) else { return hook };
    let (packing, content, arguments) = (&opens.packing, checked(&opens.content), arguments(opens));
    quote_spanned! {packing.span()=>
        ::everybyte::hook::packed::<#packing, #content, _, _, _>(|| #arguments, #hook)
    }
}

/// Returns the fields that are inserted after a field to read its content, or to record a piece of content.
pub fn after(part: &Part) -> Vec<TokenStream> {
    let (ident, name) = (&part.ident, part.roles.shown(&part.ident));
    let opened = part.roles.opens.as_ref().map(|opens| {
        let own = format_ident!("__content_{}", part.ident);
        let (packing, content, arguments) = (&opens.packing, checked(&opens.content), arguments(opens));
        let (hook, bytes) = match opens.is_joined {
            true => (quote!(joined), derived::start(ident).into_token_stream()),
            false => (quote!(opened), quote!(&#ident)),
        };
        quote_spanned! {packing.span()=>
            #[br(temp, parse_with = ::everybyte::hook::#hook::<#content, _>(
                ::everybyte::hook::codec::<#packing>(), #name, #bytes, #arguments
            ))]
            #[bw(ignore)]
            #own: ()
        }
    });
    let piece = part.roles.piece.as_ref().map(|whole| {
        let (own, content) = (format_ident!("__piece_{}", part.ident), checked(whole));
        quote_spanned! {whole.span()=>
            #[br(temp, parse_with = ::everybyte::hook::piece::<#content, _>(#name, &#ident))]
            #[bw(ignore)]
            #own: ()
        }
    });
    opened.into_iter().chain(piece).collect()
}

/// Returns the content that a field is a piece of, for the field reference.
pub fn whole(piece: Option<&Type>) -> TokenStream {
    match piece {
        Some(whole) => quote_spanned!(whole.span()=> Some(<#whole as ::everybyte::Layout>::type_name())),
        None => quote!(None),
    }
}

/// Returns the content for the field reference.
pub fn documented(opens: Option<&Opens>) -> TokenStream {
    let Some(Opens { packing, content, is_joined, .. }) = opens else { return quote!(None) };
    quote! {
        Some(::everybyte::reference::ContentDoc {
            packing: <#packing as ::everybyte::packing::Packing>::NAME,
            content: <#content as ::everybyte::Layout>::type_name(),
            is_joined: #is_joined,
        })
    }
}
