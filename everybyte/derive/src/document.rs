//! How fields are read, for the field reference.
//!
//! Generators for other languages see only this. So it contains the expressions as declared, before `arithmetic`
//! rewrites them, and the form of the type in the file, which may differ from the Rust type because of a `map`.

use crate::directives::Directive;
use crate::expanded::Expanded;
use crate::opens;
use crate::options::Opens;
use crate::placed;
use crate::roles::Roles;
use crate::terms;
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Expr, Type};

/// How a field is read, as shown in the field reference.
pub struct Read<'f> {
    pub ty: &'f Type,
    /// The type in the file, if the author states it.
    pub stored: Option<Type>,
    /// The field's own byte order, if it states one.
    pub order: Option<TokenStream>,
    pub count: Option<Directive>,
    pub condition: Option<Directive>,
    pub arguments: Vec<TokenStream>,
    pub parser: Option<Expr>,
    pub opens: Option<&'f Opens>,
    pub role: TokenStream,
    pub roles: &'f Roles,
}

impl Read<'_> {
    /// Adds the field to the field reference, and its size to the size of the structure.
    pub fn document(self, (name, doc): (&str, &str), all: &mut Expanded) -> syn::Result<()> {
        let Read { ty, stored, order, count, condition, arguments, parser, opens, role, roles } = self;
        let Roles { place, is_key, is_hex, .. } = roles;
        let span = ty.span();
        let is_plain = parser.is_none() && condition.is_none();
        let of_stored = |what: TokenStream, otherwise: TokenStream| match &stored {
            Some(stored) => quote_spanned!(span=> <#stored as ::everybyte::Layout>::#what),
            None => otherwise,
        };
        let size = if is_plain { of_stored(quote!(SIZE), quote!(None)) } else { quote!(None) };
        let is_number = of_stored(quote!(IS_NUMBER), quote!(false));
        let type_name = of_stored(quote!(type_name()), quote!(::std::stringify!(#ty).into()));
        let form = match order.filter(|_| stored.is_some()) {
            Some(order) => quote_spanned!(span=> ::everybyte::hook::ordered_form::<#stored>(#order)),
            None => of_stored(quote!(form()), quote!(::everybyte::reference::Form::Opaque(None))),
        };
        let (count, condition) = (documented(count)?, documented(condition)?);
        let stated = |expression: Option<&Expr>| match expression.map(terms::expression) {
            Some(expression) => quote!(Some(#expression)),
            None => quote!(None),
        };
        let [parsed_with, space, value] = [&parser, &roles.size, &roles.value].map(|it| stated(it.as_ref()));
        let place_doc = placed::documented(place.as_ref());
        let (opens_doc, piece) = (opens::documented(opens), opens::whole(roles.piece.as_ref()));
        all.docs.push(quote_spanned! {span=>
            ::everybyte::reference::FieldDoc {
                name: ::everybyte::map::Name::new(#name),
                type_name: #type_name,
                size: #size,
                form: #form,
                count: #count,
                condition: #condition,
                arguments: vec![#(#arguments),*],
                parser: #parsed_with,
                space: #space,
                place: #place_doc,
                opens: #opens_doc,
                piece: #piece,
                role: #role,
                is_key: #is_key,
                is_number: #is_number,
                value: #value,
                is_hex: #is_hex,
                doc: ::everybyte::map::Name::new(#doc),
            }
        });
        measure(stored, size, (is_plain, place.is_some()), all);
        Ok(())
    }
}

/// Adds the length of a field to the length of the structure. A field at an offset adds nothing.
fn measure(stored: Option<Type>, size: TokenStream, (is_plain, is_placed): (bool, bool), all: &mut Expanded) {
    all.sizes.push(if is_placed { quote!(Some(0)) } else { size });
    if let Some(stored) = stored {
        if is_plain && !is_placed {
            all.min_sizes.push(quote_spanned!(stored.span()=> <#stored as ::everybyte::Layout>::MIN_SIZE));
        }
        all.types.push(stored);
    }
}

/// Returns the expression of a directive, for the field reference.
fn documented(directive: Option<Directive>) -> syn::Result<TokenStream> {
    match directive {
        Some(directive) => directive.first_expression().map(|it| terms::expression(&it)).map(|it| quote!(Some(#it))),
        None => Ok(quote!(None)),
    }
}
