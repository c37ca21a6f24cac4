//! The fields that numbers refer to, as the numbers see them.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, Type};

/// The fields of a structure, as seen by one of them.
pub struct Siblings {
    /// The name and the type of each. The bytes of a magic have no type.
    pub fields: Vec<(Ident, Option<Type>)>,
    /// The numbers that determine how other fields are read.
    pub measured: Vec<Measured>,
    /// The fields at offsets.
    pub placed: Vec<Ident>,
    /// The fields whose elements state the offset of the next one.
    pub chains: Vec<Ident>,
    /// The names of fields in maps, if they differ from the declaration.
    pub renamed: Vec<(String, String)>,
    /// The lengths of the typical texts of fields.
    pub examples: Vec<(String, Vec<u64>)>,
}

/// A number that states how many elements or bytes another field has.
pub struct Measured {
    pub number: Ident,
    pub role: &'static str,
    pub target: String,
    /// True if the number is used unchanged, unlike in `count - 1`.
    pub is_plain: bool,
    /// The origin of a place.
    pub origin: Option<(String, Target)>,
    /// True for a list of numbers, one per element.
    pub is_each: bool,
}

impl Siblings {
    /// Returns whether a field is at an offset.
    pub fn is_placed(&self, name: &str) -> bool {
        self.placed.iter().any(|field| field == name)
    }

    /// Returns the lengths of the texts that a number counts, if its structure has typical texts.
    pub fn lengths(&self, number: &Ident) -> Vec<u64> {
        let counts =
            |measured: &&Measured| measured.number == *number && measured.role == "counts" && measured.is_plain;
        let targets: Vec<&str> = self.measured.iter().filter(counts).map(|measured| &*measured.target).collect();
        let examples = self.examples.iter().filter(|(text, _)| targets.contains(&&**text));
        examples.flat_map(|(_, lengths)| lengths.clone()).collect()
    }

    /// Returns the field with this name; `Some(None)` for a magic.
    pub fn field(&self, name: &str) -> Option<Option<&Type>> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, ty)| ty.as_ref())
    }
}

/// The prefix of the name of a field in an enclosing structure.
const OUTER: &str = "outer::";

/// The field that a number refers to: `body`, `shape.extents`, `"kind..body"`, `outer::columns`, `Table`.
#[derive(Clone)]
pub struct Target {
    /// The path, with `outer::`.
    pub text: String,
    pub span: Span,
    /// True unless it is quoted.
    pub is_plain: bool,
}

impl Target {
    /// Returns the names at its beginning: the name of a field, or the names of the first and last field of a run. `None` means
    /// a field of a surrounding structure.
    fn firsts(&self) -> impl Iterator<Item = Option<&str>> {
        let ends = self.text.split("..");
        ends.map(|end| if end.starts_with(OUTER) { None } else { end.split(['.', '!']).next() })
    }

    /// Returns the path without `outer::`.
    pub fn stripped(&self) -> String {
        self.text.replace(OUTER, "")
    }

    /// Returns the path in the map, where fields of the same structure may have different names.
    fn shown(&self, beside: &Siblings) -> String {
        let ends = self.text.split("..").map(|end| {
            let first = end.split(['.', '!']).next().unwrap_or(end);
            let renamed = beside.renamed.iter().find(|(declared, _)| declared == first);
            renamed.map_or_else(|| end.replace(OUTER, ""), |(_, name)| format!("{name}{}", &end[first.len()..]))
        });
        ends.collect::<Vec<_>>().join("..")
    }

    /// Returns the first and the last field of the run, if they are in the structure of the number.
    pub fn run(&self, beside: &Siblings) -> Option<(Ident, Ident)> {
        let (first, last) = self.text.split_once("..").unwrap_or((&self.text, &self.text));
        let field = |name: &str| beside.fields.iter().find(|(field, _)| field == name).map(|(field, _)| field.clone());
        Some((field(first)?, field(last)?))
    }

    /// Returns `Target` of the path.
    pub fn expression(&self, beside: &Siblings) -> TokenStream {
        let path = self.shown(beside);
        match self.firsts().all(|first| first.is_some_and(|first| beside.field(first).is_some())) {
            true => quote!(::everybyte::role::Target::beside(#path)),
            false => quote!(::everybyte::role::Target::new(#path)),
        }
    }

    /// Returns an assertion that the field exists and fits the role. Fields of surrounding structures are not visible here.
    pub fn check(&self, role: &str, beside: &Siblings) -> syn::Result<Option<TokenStream>> {
        for first in self.firsts().flatten().filter(|first| !is_type(first)) {
            if beside.field(first).is_none() {
                let why = format!(
                    "this structure has no field `{first}`: a field of an enclosing structure is `outer::{first}`"
                );
                return Err(syn::Error::new(self.span, why));
            }
        }
        if is_type(&self.text) && self.is_plain {
            let ty = Ident::new(&self.text, self.span);
            return Ok(Some(quote!(const _: fn(&#ty) = |_| ();)));
        }
        let list = beside.field(&self.text).flatten().filter(|_| matches!(role, "counts" | "index_of"));
        Ok(list.map(|list| {
            let why = format!("`{role}` names a list, and `{}` is a number", self.text);
            quote_spanned! {self.span=>
                const _: () = ::core::assert!(
                    !<#list as ::everybyte::Layout>::IS_NUMBER || <#list as ::everybyte::Layout>::IS_LIST,
                    #why
                );
            }
        }))
    }
}

/// Returns whether a name is a type. It then refers to the structure of that type around a number.
fn is_type(name: &str) -> bool {
    name.starts_with(char::is_uppercase)
}

impl Parse for Target {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let span = input.span();
        if input.peek(LitStr) {
            return Ok(Target { text: input.parse::<LitStr>()?.value(), span, is_plain: false });
        }
        let mut text = input.parse::<Ident>()?.to_string();
        if text == "outer" && input.parse::<Option<Token![::]>>()?.is_some() {
            text = format!("{OUTER}{}", input.parse::<Ident>()?);
        }
        while input.peek(Token![.]) {
            input.parse::<Token![.]>()?;
            text = format!("{text}.{}", input.parse::<Ident>()?);
        }
        Ok(Target { text, span, is_plain: true })
    }
}
