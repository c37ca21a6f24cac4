//! `#[layout(…)]` on a field, taken apart.

use crate::target::Target;
use proc_macro2::Group;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Ident, LitInt, LitStr, Path, Token, Type, parenthesized, token};

/// One option, such as `extent = body`.
#[derive(Clone)]
pub struct FieldOption {
    pub name: Ident,
    pub value: Value,
}

/// The value of an option.
#[derive(Clone)]
pub enum Value {
    None,
    /// A field.
    Target(Target),
    /// The number of bytes that a field may take.
    Size(Expr),
    /// The function that computes a checksum.
    Sum(Path),
    /// The byte that replaces each byte of a checksum that covers itself.
    Own(Expr),
    Rule(Rule),
    /// Typical texts for the field.
    Examples(Vec<LitStr>),
    /// The name of the field in maps.
    Name(LitStr),
    /// The offset of the field.
    At(Expr),
    /// The content that the field unpacks into.
    Opens(Box<Opens>),
    /// The content that the field is a piece of.
    Piece(Type),
    /// The value that its bytes represent.
    Is(Expr),
    /// How its value is shown.
    Show(Ident),
    /// A variable and the list that it runs over.
    Each(Ident, Expr),
    /// A variable for an element and the offset of the next one.
    Chain(Ident, Expr),
    /// The number of the first element of a list.
    First(LitInt),
}

/// The content that a field unpacks into: its packing, its first type, and the arguments of that type.
#[derive(Clone)]
pub struct Opens {
    pub packing: Path,
    pub content: Type,
    pub arguments: Option<Group>,
    /// True if the bytes are in pieces inside the field.
    pub is_joined: bool,
}

impl Parse for Opens {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let shape = "say how the bytes are packed, and what the content is: `opens(Zlib as Rows)`, `opens(Zlib as Rows, args(width))`, \
                     `opens(Zlib as Rows, join)`";
        let wrong = |_| syn::Error::new(input.span(), shape);
        let packing = input.parse().map_err(wrong)?;
        input.parse::<Token![as]>().map_err(wrong)?;
        let content = input.parse().map_err(wrong)?;
        let mut opens = Opens { packing, content, arguments: None, is_joined: false };
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            let name: Ident = input.parse().map_err(wrong)?;
            match name.to_string().as_str() {
                "args" if opens.arguments.is_none() => opens.arguments = Some(input.parse().map_err(wrong)?),
                "join" if !opens.is_joined => opens.is_joined = true,
                _ => return Err(syn::Error::new(name.span(), shape)),
            }
        }
        Ok(opens)
    }
}

/// A rule of the format: its name, its severity, the condition that holds in a valid file, and the message if it does not.
#[derive(Clone)]
pub struct Rule {
    pub name: LitStr,
    pub severity: Ident,
    pub condition: Expr,
    pub words: Punctuated<Expr, Token![,]>,
}

/// Removes the options from the attributes of a field.
pub fn take(attributes: &mut Vec<Attribute>) -> syn::Result<Vec<FieldOption>> {
    let mut options = Vec::new();
    for attribute in attributes.extract_if(.., |attribute| attribute.path().is_ident("layout")) {
        options.extend(attribute.parse_args_with(Punctuated::<FieldOption, Token![,]>::parse_terminated)?);
    }
    Ok(options)
}

impl Parse for FieldOption {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let name: Ident = input.parse()?;
        if name == "rule" && input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            return Ok(FieldOption { name, value: Value::Rule(inner.parse()?) });
        }
        if name == "examples" && input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&inner)?;
            return Ok(FieldOption { name, value: Value::Examples(texts.into_iter().collect()) });
        }
        if name == "opens" && input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            return Ok(FieldOption { name, value: Value::Opens(Box::new(inner.parse()?)) });
        }
        if name == "each" && input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let variable = inner.parse()?;
            inner.parse::<Token![in]>()?;
            return Ok(FieldOption { name, value: Value::Each(variable, inner.parse()?) });
        }
        if name == "chain" && input.peek(token::Paren) {
            let inner;
            parenthesized!(inner in input);
            let variable = inner.parse()?;
            inner.parse::<Token![=>]>()?;
            return Ok(FieldOption { name, value: Value::Chain(variable, inner.parse()?) });
        }
        if !input.peek(Token![=]) {
            return Ok(FieldOption { name, value: Value::None });
        }
        input.parse::<Token![=]>()?;
        let value = match name.to_string().as_str() {
            "size" => Value::Size(input.parse()?),
            "at" => Value::At(input.parse()?),
            "value" => Value::Is(input.parse()?),
            "show" => Value::Show(input.parse()?),
            "piece" => Value::Piece(input.parse()?),
            "own" => Value::Own(input.parse()?),
            "sum" => Value::Sum(input.parse()?),
            "name" => Value::Name(input.parse()?),
            "from" if input.peek(LitInt) => Value::First(input.parse()?),
            _ => Value::Target(input.parse()?),
        };
        Ok(FieldOption { name, value })
    }
}

impl Parse for Rule {
    fn parse(input: ParseStream) -> syn::Result<Self> {
        let shape = "expected `rule(\"format/name\", error, condition, \"words\")`, or `warning` instead of `error`";
        let wrong = |_| syn::Error::new(input.span(), shape);
        let name: LitStr = input.parse().map_err(wrong)?;
        input.parse::<Token![,]>().map_err(wrong)?;
        let severity: Ident = input.parse().map_err(wrong)?;
        if severity != "error" && severity != "warning" {
            return Err(syn::Error::new(severity.span(), "the severity must be `error` or `warning`"));
        }
        input.parse::<Token![,]>().map_err(wrong)?;
        let condition = input.parse()?;
        input.parse::<Token![,]>().map_err(wrong)?;
        let words = Punctuated::parse_terminated(input)?;
        if words.is_empty() {
            return Err(syn::Error::new(input.span(), shape));
        }
        Ok(Rule { name, severity, condition, words })
    }
}
