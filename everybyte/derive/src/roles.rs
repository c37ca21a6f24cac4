//! `#[layout(…)]` on a field: the role of its number, the number of bytes that it may take, and its rules.
//!
//! Options that contradict each other are refused here, before any code is generated, with a message that says what to
//! write instead. The compiler checks that the fields named by a role exist: the macro adds an expression that uses
//! each of them, since it cannot see other types.

use crate::directives::Directives;
use crate::options::{self, FieldOption, Opens, Rule, Value};
use crate::place::Place;
use crate::target::{Measured, Siblings, Target};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Expr, Field, FieldsNamed, Ident, LitStr, Member, Path, Type};

/// The options of a field.
#[derive(Default)]
pub struct Roles {
    role: Option<Role>,
    /// True if the field identifies an element of the list that contains it.
    pub is_key: bool,
    /// The number of bytes that the field may take.
    pub size: Option<Expr>,
    /// The position of the field, if it does not follow the previous one.
    pub place: Option<Place>,
    /// The content that its bytes unpack into.
    pub opens: Option<Box<Opens>>,
    /// The content that its bytes are a piece of.
    pub piece: Option<Type>,
    /// The value that its bytes represent.
    pub value: Option<Expr>,
    /// True for a calculated field with a node.
    pub has_node: bool,
    /// True if its value is shown in hexadecimal.
    pub is_hex: bool,
    /// The function that computes the checksum in the field.
    pub sum: Option<Path>,
    /// The byte that replaces each of its own bytes while it is computed.
    pub own: Option<Expr>,
    pub rules: Vec<Rule>,
    /// Typical texts for the field, for generated files.
    pub examples: Vec<LitStr>,
    /// The name of the field in maps, if it differs from the declaration.
    pub name: Option<LitStr>,
    /// True if the field does not have its own node, so its parts belong to the structure.
    pub is_inline: bool,
    /// The field from whose first byte padding is counted.
    pub from: Option<Target>,
    /// A variable and the list that it iterates over, until the positions of the elements are known.
    each: Option<(Ident, Expr)>,
    /// A variable and the offset of the next element, until the offset of the first one is known.
    chain: Option<(Ident, Expr)>,
    /// Assertions that the fields named by the role exist.
    pub checks: Vec<TokenStream>,
}

/// The role of a number.
pub struct Role {
    /// Its name, as declared.
    pub name: String,
    /// The field that it refers to.
    pub target: Option<Target>,
    /// The origin of a place.
    pub origin: Option<(String, Target)>,
    /// The number of the first element, for an index.
    pub first: i16,
}

impl Roles {
    /// Removes the options from the attributes of a field, which may have others.
    pub fn take(attributes: &mut Vec<Attribute>, beside: &Siblings) -> syn::Result<Self> {
        let mut roles = Roles::default();
        for option in options::take(attributes)? {
            roles.add(option, beside)?;
        }
        if let Some((variable, _)) = &roles.each {
            let why = "say where each element is: `each(entry in entries), at = entry.offset`";
            return Err(syn::Error::new(variable.span(), why));
        }
        if let Some((variable, _)) = &roles.chain {
            let why = "say where the first element is: `at = first, chain(page => page.next)`";
            return Err(syn::Error::new(variable.span(), why));
        }
        if let (None, Some(own)) = (&roles.sum, &roles.own) {
            let why = "`own` is the byte that replaces the sum's own bytes: add `check_of = …, sum = …`";
            return Err(syn::Error::new_spanned(own, why));
        }
        if let (Some(value), Some(_)) = (&roles.value, &roles.role) {
            let why = "a number about other fields cannot have another `value`";
            return Err(syn::Error::new_spanned(value, why));
        }
        match (&roles.sum, &roles.role) {
            (Some(sum), role) if role.as_ref().is_none_or(|role| role.name != "check_of") => {
                Err(syn::Error::new_spanned(sum, "`sum` needs `check_of = …`"))
            }
            _ => Ok(roles),
        }
    }

    fn add(&mut self, option: FieldOption, beside: &Siblings) -> syn::Result<()> {
        let FieldOption { name, value } = option;
        let name_text = name.to_string();
        let Some(value) = self.set(&name_text, value) else { return Ok(()) };
        let target = match (name_text.as_str(), value) {
            ("from", Value::Target(target)) => {
                self.checks.extend(target.check(&name_text, beside)?);
                self.from = Some(target);
                return Ok(());
            }
            ("place" | "extent" | "counts" | "copy_of" | "index_of" | "check_of", Value::Target(target)) => {
                Some(target)
            }
            ("from", Value::First(first)) => {
                let Some(role) = self.role.as_mut().filter(|role| role.name == "index_of") else {
                    let why = "`from = 1` follows `index_of = list`: the number of its first element";
                    return Err(syn::Error::new(first.span(), why));
                };
                role.first = first.base10_parse()?;
                return Ok(());
            }
            ("writer" | "fact" | "payload" | "steady", Value::None) => None,
            ("relative_to" | "after", Value::Target(target)) if self.is_placed() => {
                self.checks.extend(target.check(&name_text, beside)?);
                self.place.as_mut().expect("it is placed").origin = Some((name_text, target));
                return Ok(());
            }
            ("relative_to" | "after", Value::Target(target)) => {
                let place = self.role.as_mut().filter(|role| role.name == "place" && role.origin.is_none());
                let Some(place) = place else {
                    return Err(syn::Error::new(name.span(), format!("`{name}` follows `place = …`")));
                };
                self.checks.extend(target.check(&name_text, beside)?);
                place.origin = Some((name_text, target));
                return Ok(());
            }
            _ => return Err(unfit(&name)),
        };
        if self.role.is_some() {
            return Err(syn::Error::new(name.span(), "a number can have only one role"));
        }
        self.checks.extend(target.as_ref().map(|target| target.check(&name_text, beside)).transpose()?.flatten());
        self.role = Some(Role { name: name_text, target, origin: None, first: 0 });
        Ok(())
    }

    /// Sets an option that does not refer to other fields; returns the value of any other option.
    fn set(&mut self, name: &str, value: Value) -> Option<Value> {
        match (name, value) {
            ("size", Value::Size(size)) => self.size = Some(size),
            ("at", Value::At(at)) => {
                let (each, chain) = (self.each.take(), self.chain.take());
                self.place = Some(Place { at, origin: None, each, chain });
            }
            ("chain", Value::Chain(variable, next)) => match &mut self.place {
                Some(place) => place.chain = Some((variable, next)),
                None => self.chain = Some((variable, next)),
            },
            ("each", Value::Each(variable, list)) => match &mut self.place {
                Some(place) => place.each = Some((variable, list)),
                None => self.each = Some((variable, list)),
            },
            ("opens", Value::Opens(opens)) => self.opens = Some(opens),
            ("value", Value::Is(value)) => self.value = Some(value),
            ("value", Value::None) => self.has_node = true,
            ("show", Value::Show(way)) if way == "hex" => self.is_hex = true,
            ("piece", Value::Piece(content)) => self.piece = Some(content),
            ("sum", Value::Sum(sum)) => self.sum = Some(sum),
            ("own", Value::Own(own)) => self.own = Some(own),
            ("rule", Value::Rule(rule)) => self.rules.push(rule),
            ("examples", Value::Examples(texts)) => self.examples.extend(texts),
            ("name", Value::Name(name)) => self.name = Some(name),
            ("key", Value::None) => self.is_key = true,
            ("inline", Value::None) => self.is_inline = true,
            (_, value) => return Some(value),
        }
        None
    }

    /// Returns whether an origin belongs to the field instead of its number.
    fn is_placed(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.origin.is_none())
            && self.role.as_ref().is_none_or(|role| role.name != "place" || role.origin.is_some())
    }

    pub fn is_empty(&self) -> bool {
        let is_plain = self.role.is_none()
            && self.size.is_none()
            && self.rules.is_empty()
            && self.examples.is_empty()
            && self.from.is_none()
            && self.place.is_none()
            && self.opens.is_none()
            && self.piece.is_none()
            && self.value.is_none();
        is_plain && !self.is_key && !self.is_inline && self.name.is_none()
    }

    /// Adds the implied role: a number that counts the elements or bytes of another field has that role, unless one was chosen.
    pub fn or_implied(mut self, field: &Ident, beside: &Siblings) -> Self {
        let implied = beside.measured.iter().find(|measured| measured.number == *field);
        if let (None, Some(Measured { role, target, origin, .. })) = (&self.role, implied) {
            let target = Target { text: target.clone(), span: field.span(), is_plain: true };
            self.role = Some(Role { name: (*role).to_owned(), target: Some(target), origin: origin.clone(), first: 0 });
        }
        self
    }

    /// Returns the name of the field in maps.
    pub fn shown(&self, ident: &Ident) -> String {
        self.name.as_ref().map_or_else(|| ident.to_string(), LitStr::value)
    }

    pub fn role(&self) -> Option<&Role> {
        self.role.as_ref()
    }

    /// Returns the role as `Option<Role>`.
    pub fn expression(&self, beside: &Siblings) -> TokenStream {
        let Some(Role { name, target, origin, first }) = &self.role else { return quote!(None) };
        let target = target.as_ref().map(|target| target.expression(beside));
        let role = match name.as_str() {
            "place" => {
                let origin = match origin.as_ref().map(|(kind, target)| (kind.as_str(), target.stripped())) {
                    Some(("relative_to", around)) => quote!(Structure(::everybyte::map::Name::new(#around))),
                    Some((_, field)) => quote!(After(::everybyte::map::Name::new(#field))),
                    None => quote!(Space),
                };
                quote!(Place { target: #target, origin: ::everybyte::role::Origin::#origin })
            }
            "extent" => quote!(Extent { target: #target }),
            "counts" => quote!(Counts { target: #target }),
            "copy_of" => quote!(CopyOf { target: #target }),
            "index_of" if *first == 0 => quote!(IndexOf { target: #target }),
            "index_of" => {
                let plus = -first;
                quote!(IndexOf { target: (#target).with(::everybyte::role::Affine { times: 1, plus: #plus }) })
            }
            "check_of" => quote!(CheckOf { target: #target }),
            "writer" => quote!(Writer),
            "fact" => quote!(Fact),
            "steady" => quote!(Steady),
            _ => quote!(Payload),
        };
        quote!(Some(::everybyte::role::Role::#role))
    }
}

/// Returns the error for an option that is unknown or has an unexpected value.
fn unfit(name: &Ident) -> syn::Error {
    let why = match name.to_string().as_str() {
        "place" | "extent" | "counts" | "copy_of" | "index_of" | "check_of" | "relative_to" | "after" | "from" => {
            format!("say which field: `{name} = field`")
        }
        "size" => "say how many bytes: `size = length`".to_owned(),
        "at" => "say at which offset: `at = offset`".to_owned(),
        "opens" => "say what the content is: `opens(Zlib as Rows)`".to_owned(),
        "show" => "say how its value is shown: `show = hex`".to_owned(),
        "piece" => "say of which content: `piece = Rows`".to_owned(),
        "each" => "say of which list: `each(entry in entries)`".to_owned(),
        "chain" => "say where the next element stands: `chain(page => page.next)`".to_owned(),
        "sum" => "say which sum: `sum = everybyte::sums::crc32`".to_owned(),
        "own" => "say which byte: `own = b' '`".to_owned(),
        "rule" => "say which rule: `rule(\"format/name\", error, condition, \"words\")`".to_owned(),
        "examples" => "say which texts: `examples(\"{}\", \"[1]\")`".to_owned(),
        "name" => "say which name: `name = \"first-last\"`".to_owned(),
        "writer" | "fact" | "payload" | "steady" | "key" | "inline" => format!("`{name}` takes no value"),
        _ => "unknown role: a field has `place`, `extent`, `counts`, `copy_of`, `index_of`, `check_of`, `writer`, `fact`, `payload` or \
              `steady`, \
              and may be a `key` or `inline`, stand `at` an offset, and have a `size`, a `name` and a `rule`; padding has `from`"
            .to_owned(),
    };
    syn::Error::new(name.span(), why)
}

/// Returns the lengths of the typical texts of each field.
pub fn examples(fields: &FieldsNamed) -> syn::Result<Vec<(String, Vec<u64>)>> {
    let mut all = Vec::new();
    for Field { attrs, ident, .. } in &fields.named {
        for option in options::take(&mut attrs.clone())? {
            if let (Value::Examples(texts), Some(ident)) = (option.value, ident) {
                all.push((ident.to_string(), texts.iter().map(|text| text.value().len() as u64).collect()));
            }
        }
    }
    Ok(all)
}

/// Returns the names of fields in maps, if they differ from the declaration.
pub fn renamed(fields: &FieldsNamed) -> syn::Result<Vec<(String, String)>> {
    let mut renamed = Vec::new();
    for Field { attrs, ident, .. } in &fields.named {
        for option in options::take(&mut attrs.clone())? {
            if let (Value::Name(name), Some(ident)) = (option.value, ident) {
                renamed.push((ident.to_string(), name.value()));
            }
        }
    }
    Ok(renamed)
}

/// Returns the numbers that determine how other fields are read.
pub fn measured(fields: &FieldsNamed) -> syn::Result<Vec<Measured>> {
    let mut measured = Vec::new();
    for Field { attrs, ident, .. } in &fields.named {
        let mut attributes = attrs.clone();
        let (directives, Some(target)) = (Directives::take(&mut attributes)?, ident) else { continue };
        let mut add = |role, expression: &Expr| {
            if let Some((number, is_plain)) = innermost(expression).filter(|_| !has_field(expression)) {
                let target = target.to_string();
                measured.push(Measured { number, role, target, is_plain, origin: None, is_each: false });
            }
        };
        if let Some(count) = directives.reading("count") {
            add("counts", &count.expression()?);
        }
        for option in options::take(&mut attributes)? {
            if let Value::Size(size) = &option.value {
                add("extent", size);
            }
        }
        measured.extend(placed(attrs, target)?);
    }
    Ok(measured)
}

/// Returns the number that states the position of a field, or the list of such numbers.
fn placed(attributes: &[Attribute], target: &Ident) -> syn::Result<Option<Measured>> {
    let mut place = Roles::default();
    let mut origin = None;
    for FieldOption { name, value } in options::take(&mut attributes.to_vec())? {
        let name = name.to_string();
        match (name.as_str(), value) {
            ("relative_to" | "after", Value::Target(target)) => origin = Some((name, target)),
            (_, value) => drop(place.set(&name, value)),
        }
    }
    let Some(Place { at, each, .. }) = place.place else { return Ok(None) };
    let number = innermost(&at).filter(|_| !has_field(&at));
    let number = match &each {
        None => number,
        // Each number of the list is an offset.
        Some((variable, list)) => number
            .filter(|(number, is_plain)| number == variable && *is_plain)
            .and_then(|_| innermost(list).filter(|_| matches!(list, Expr::Path(_)))),
    };
    Ok(number.map(|(number, is_plain)| Measured {
        number,
        role: "place",
        target: target.to_string(),
        is_plain,
        origin,
        is_each: each.is_some(),
    }))
}

/// Returns whether an expression accesses a field of a value. The number of a type with one field is the value.
pub fn has_field(expression: &Expr) -> bool {
    match expression {
        Expr::Field(field) => matches!(field.member, Member::Named(_)) || has_field(&field.base),
        Expr::MethodCall(call) => has_field(&call.receiver),
        Expr::Cast(cast) => has_field(&cast.expr),
        Expr::Paren(group) => has_field(&group.expr),
        _ => false,
    }
}

/// Returns the variable in an expression such as `count.value()` or `count as usize`, and whether its value is
/// unchanged.
fn innermost(expression: &Expr) -> Option<(Ident, bool)> {
    match expression {
        Expr::Path(path) => path.path.get_ident().cloned().map(|name| (name, true)),
        Expr::Field(field) => innermost(&field.base),
        Expr::MethodCall(call) => {
            let keeps = ["into", "value", "get", "clone"].iter().any(|name| call.method == name);
            innermost(&call.receiver).map(|(name, is_plain)| (name, is_plain && keeps))
        }
        Expr::Cast(cast) => innermost(&cast.expr),
        Expr::Paren(group) => innermost(&group.expr),
        _ => None,
    }
}
