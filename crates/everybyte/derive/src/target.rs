//! The fields that numbers are about, as the numbers see them.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::{Ident, LitStr, Token, Type};

/// The fields of a structure, as one of them sees the others.
pub struct Beside {
    /// The name and the type of each. The bytes of a magic have no type of their own.
    pub fields: Vec<(Ident, Option<Type>)>,
    /// The numbers that other fields are read with.
    pub measured: Vec<Measured>,
    /// The fields that stand at offsets.
    pub placed: Vec<Ident>,
    /// The names of fields in maps, where they are not those of the declaration.
    pub renamed: Vec<(String, String)>,
    /// The lengths of the texts that fields may well have.
    pub examples: Vec<(String, Vec<u64>)>,
}

/// A number that says how many elements, or bytes, another field has.
pub struct Measured {
    pub number: Ident,
    pub role: &'static str,
    pub target: String,
    /// True if the number is used as it is; `count - 1` is not.
    pub is_plain: bool,
    /// The origin of a place.
    pub origin: Option<(String, Target)>,
    /// True of a list of numbers, each of which is about an element.
    pub is_each: bool,
}

impl Beside {
    /// Returns whether a field stands at an offset.
    pub fn is_placed(&self, name: &str) -> bool {
        self.placed.iter().any(|field| field == name)
    }

    /// The lengths of the texts that a number counts, where its structure has examples of them.
    pub fn lengths(&self, number: &Ident) -> Vec<u64> {
        let counts =
            |measured: &&Measured| measured.number == *number && measured.role == "counts" && measured.is_plain;
        let targets: Vec<&str> = self.measured.iter().filter(counts).map(|measured| &*measured.target).collect();
        let examples = self.examples.iter().filter(|(text, _)| targets.contains(&&**text));
        examples.flat_map(|(_, lengths)| lengths.clone()).collect()
    }

    /// The field of this name; `Some(None)` for a magic.
    pub fn field(&self, name: &str) -> Option<Option<&Type>> {
        self.fields.iter().find(|(field, _)| field == name).map(|(_, ty)| ty.as_ref())
    }
}

/// The prefix of the name of a field of a structure around.
const OUTER: &str = "outer::";

/// The field that a number is about: `body`, `shape.extents`, `"kind..body"`, `outer::columns`, `Table`.
#[derive(Clone)]
pub struct Target {
    /// The path, with `outer::`.
    pub text: String,
    pub span: Span,
    /// True unless it stands in quotation marks.
    pub is_plain: bool,
}

impl Target {
    /// The names with which it begins: that of a field, or those of the first and the last one of a run. `None` stands for a
    /// field of a structure around.
    fn firsts(&self) -> impl Iterator<Item = Option<&str>> {
        let ends = self.text.split("..");
        ends.map(|end| if end.starts_with(OUTER) { None } else { end.split(['.', '!']).next() })
    }

    /// The path without `outer::`.
    pub fn stripped(&self) -> String {
        self.text.replace(OUTER, "")
    }

    /// The path as the map has it: fields beside the number may have other names there.
    fn shown(&self, beside: &Beside) -> String {
        let ends = self.text.split("..").map(|end| {
            let first = end.split(['.', '!']).next().unwrap_or(end);
            let renamed = beside.renamed.iter().find(|(declared, _)| declared == first);
            renamed.map_or_else(|| end.replace(OUTER, ""), |(_, name)| format!("{name}{}", &end[first.len()..]))
        });
        ends.collect::<Vec<_>>().join("..")
    }

    /// The first and the last field of the run, if they stand beside the number.
    pub fn run(&self, beside: &Beside) -> Option<(Ident, Ident)> {
        let (first, last) = self.text.split_once("..").unwrap_or((&self.text, &self.text));
        let field = |name: &str| beside.fields.iter().find(|(field, _)| field == name).map(|(field, _)| field.clone());
        Some((field(first)?, field(last)?))
    }

    /// `Target` of the path.
    pub fn expression(&self, beside: &Beside) -> TokenStream {
        let path = self.shown(beside);
        match self.firsts().all(|first| first.is_some_and(|first| beside.field(first).is_some())) {
            true => quote!(::everybyte::role::Target::beside(#path)),
            false => quote!(::everybyte::role::Target::new(#path)),
        }
    }

    /// An assertion that the field is there, and fits the role. Fields of structures around are not seen from here.
    pub fn check(&self, role: &str, beside: &Beside) -> syn::Result<Option<TokenStream>> {
        for first in self.firsts().flatten().filter(|first| !is_type(first)) {
            if beside.field(first).is_none() {
                let why = format!(
                    "there is no field `{first}` beside this one: a field of a structure around it is `outer::{first}`"
                );
                return Err(syn::Error::new(self.span, why));
            }
        }
        if is_type(&self.text) && self.is_plain {
            let ty = Ident::new(&self.text, self.span);
            return Ok(Some(quote!(const _: fn(&#ty) = |_| ();)));
        }
        let list = beside.field(&self.text).flatten().filter(|_| role == "counts");
        Ok(list.map(|list| {
            let why = format!("`counts` names a list, and `{}` is a number", self.text);
            quote_spanned! {self.span=>
                const _: () = ::core::assert!(
                    !<#list as ::everybyte::Layout>::IS_NUMBER || <#list as ::everybyte::Layout>::IS_LIST,
                    #why
                );
            }
        }))
    }
}

/// Returns whether a name is that of a type: the structure of that type around a number.
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
