//! Numbers that follow from fields at offsets.

use super::{Base, Derived, Number, Of, end, start};
use crate::part::Part;
use crate::place;
use crate::roles::Role;
use crate::target::Target;
use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Ident, Type};

impl Derived<'_> {
    /// Returns the position that an offset is relative to.
    pub(super) fn origin_of(&self, base: Option<&Base>) -> TokenStream {
        let noted = match base {
            None => return quote!(::everybyte::hook::At(0)),
            Some(Base::Structure) => start(&self.beside.fields[0].0),
            Some(Base::After(field)) => end(field),
        };
        quote!(#noted)
    }

    /// Returns whether the offset of a field is computed when the structure is written.
    pub fn is_computed(&self, field: &Ident) -> bool {
        self.places(field).any(|number| number.is_written)
    }

    /// Returns whether the offset of a field is computed in generated files.
    pub fn is_made(&self, field: &Ident) -> bool {
        self.places(field).any(|number| number.is_made)
    }

    fn places<'n>(&'n self, field: &'n Ident) -> impl Iterator<Item = &'n Number> {
        self.numbers.iter().filter(move |number| match &number.of {
            Of::Placed(placed, _) | Of::EachPlaced(placed, ..) => placed == field,
            _ => false,
        })
    }

    /// Returns the offset that a field's position is relative to.
    pub fn origin_of_place(&self, origin: Option<&(String, Target)>) -> TokenStream {
        match origin {
            None => self.origin_of(None),
            Some((kind, after)) if kind == "after" => {
                let last = after.run(self.beside).map(|(_, last)| last);
                self.origin_of(last.map(Base::After).as_ref())
            }
            Some(_) => self.origin_of(Some(&Base::Structure)),
        }
    }

    /// Returns the field that writes the numbers of a list at their positions.
    pub(super) fn settled_list(
        &self,
        number: &Number,
        (list, element, origin): (&Ident, &Type, TokenStream),
    ) -> TokenStream {
        let Number { name, is_written, order, .. } = number;
        let (own, at, text) = (format_ident!("__settled_{name}"), start(name), name.to_string());
        let slots = place::slots(list);
        let new = quote_spanned! {element.span()=>
            ::everybyte::hook::SettledList::<#element>::new(#at, &#slots, #list.len(), #origin, #text)
        };
        let written = match is_written {
            true => new,
            false => quote! {
                if ::everybyte::hook::is_all() { #new } else { Ok(::everybyte::hook::SettledList::none()) }
            },
        };
        quote! {
            #[br(temp, parse_with = ::everybyte::hook::SettledList::unread)]
            #[bw(try_calc = #written)]
            #order
            #own: ::everybyte::hook::SettledList<#element>
        }
    }

    /// Adds the origin of a field at an offset.
    pub(super) fn add_origin(&mut self, part: &Part) {
        let Some(place::Place { origin: Some((kind, origin)), .. }) = &part.roles.place else { return };
        self.has_origin = true;
        match kind.as_str() {
            "after" => self.ends.extend(origin.run(self.beside).map(|(_, last)| last)),
            _ => self.starts.push(self.beside.fields[0].0.clone()),
        }
    }

    /// Adds a number in the value that states the position or length of a field. Generated files contain the correct number.
    pub(super) fn add_made(&mut self, part: &Part) -> syn::Result<()> {
        let measured = self.beside.measured.iter().find(|measured| measured.number == part.ident);
        let is_fit = place::is_integer(&part.field.ty) && !part.is_temporary();
        let is_mapped = ["map", "try_map", "if"].into_iter().any(|name| part.directives.reading(name).is_some());
        if let Some((list, is_place)) = part.roles.role().and_then(outer)
            && is_fit
            && !is_mapped
            && place::element(&part.field.ty).is_none()
        {
            self.starts.push(part.ident.clone());
            self.push(part, false, Of::Owed(list, is_place));
            return Ok(());
        }
        let (Some(measured), Some(role)) = (measured, part.roles.role()) else { return Ok(()) };
        if !measured.is_plain || !is_fit || is_mapped || !self.beside.is_placed(&measured.target) {
            return Ok(());
        }
        if role.target.as_ref().is_some_and(|target| target.text == measured.target) && role.name == measured.role {
            self.starts.push(part.ident.clone());
            let of = self.of(part, role)?;
            self.push(part, false, of);
        }
        Ok(())
    }

    /// Returns the origin of an offset.
    pub(super) fn base(&self, role: &Role) -> Option<Option<Base>> {
        match &role.origin {
            None => Some(None),
            Some((kind, _)) if kind == "relative_to" => Some(Some(Base::Structure)),
            Some((_, after)) => after.run(self.beside).map(|(_, after)| Some(Base::After(after))),
        }
    }

    /// Returns the fields from which the position or length of a field at an offset follows, or the reason why there are none.
    pub(super) fn of_placed(&self, part: &Part, role: &Role, field: Ident) -> Result<Of, &'static str> {
        let measured = self.beside.measured.iter().find(|measured| measured.number == part.ident);
        if measured.is_some_and(|measured| !measured.is_plain) {
            return Err("a field is read with an expression of it");
        }
        let is_each = measured.is_some_and(|measured| measured.is_each);
        match (role.name.as_str(), self.base(role), place::element(&part.field.ty)) {
            ("extent", ..) => Ok(Of::PlacedExtent(field)),
            (_, Some(base), Some(element)) if is_each => Ok(Of::EachPlaced(field, Box::new(element.clone()), base)),
            (_, Some(base), _) if !is_each => Ok(Of::Placed(field, base)),
            (_, None, _) => Err("its origin is not in the same structure"),
            _ => Err("it is not a `Vec` of offsets"),
        }
    }
}

/// Returns the list of an enclosing structure that a number refers to, and whether the number is a position.
fn outer(role: &Role) -> Option<(String, bool)> {
    let list = role.target.as_ref()?.text.strip_prefix("outer::")?;
    let is_place = role.name == "place";
    (is_place || role.name == "extent").then(|| (list.to_owned(), is_place))
}
