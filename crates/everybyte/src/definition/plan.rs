//! The plan of a definition: what each field needs, and the parameters that stand for what has no translation.

use super::elements::{Elements, repeated};
use super::expression::{Element, Known, Language, Scope};
use super::nested::List;
use super::subject::snake_case;
use crate::reference::{CodeDoc, FieldDoc, TypeDoc, TypeKind, VariantDoc};
use crate::role::Origin;
use crate::terms::{ArgumentDoc, Expression, Form, ParameterDoc, Term};

/// A parameter in the place of an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    pub name: String,
    /// True if it is a boolean; else it is a number.
    pub is_bool: bool,
    /// Its description.
    pub doc: String,
}

/// A parameter that the declaration has.
#[derive(Debug, Clone)]
pub struct Parameter<'b> {
    name: &'b str,
    /// Its name in the definition: no field has it.
    pub id: String,
    pub form: Form,
}

/// The plan of one field.
pub struct FieldPlan<'b> {
    pub field: &'b FieldDoc,
    /// The condition under which it is present.
    pub condition: Option<String>,
    /// The number of its elements, or of its bytes.
    pub amount: Amount,
    /// The type of its numbers, if the declaration fixes it.
    pub number: Option<Form>,
    /// True if a function of Rust reads it.
    pub is_opaque: bool,
    /// The condition that holds for its last element.
    pub until: Option<String>,
    /// The number of bytes that it may take, of which its elements may be as many as there are.
    pub space: Option<String>,
    /// Its place, if it does not stand after the field before it.
    pub place: Option<PlacePlan<'b>>,
    /// The arguments of its type.
    pub arguments: Vec<String>,
    /// The value that its bytes mean, or that is calculated.
    pub value: Option<String>,
    /// The inexact parts of the definition.
    pub inexact: Vec<String>,
}

/// The place of a field.
pub struct PlacePlan<'b> {
    pub at: String,
    pub origin: &'b Origin,
    /// The list of the offsets, if each element has one.
    pub each: Option<String>,
}

impl FieldPlan<'_> {
    /// Returns whether it is a list of elements that are no bytes.
    pub fn is_list(&self) -> bool {
        matches!(&self.field.form, Form::List(element) if **element != (Form::Integer { size: 1, is_signed: false }))
    }
}

/// The number of elements or bytes of a field.
pub enum Amount {
    /// The type says it.
    Own,
    /// An expression.
    Of(String),
    /// All up to the end.
    ToEnd,
}

/// A structure, or one alternative of a choice.
pub struct Structure<'b> {
    pub fields: Vec<FieldPlan<'b>>,
    pub parameters: Vec<Parameter<'b>>,
    pub needs: Vec<Need>,
}

/// The plans of all structures.
pub struct Planner<'l, 'b> {
    pub language: &'l Language,
    pub pages: Vec<&'b TypeDoc>,
}

impl<'b> Planner<'_, 'b> {
    pub fn page(&self, name: &str) -> Option<&'b TypeDoc> {
        self.pages.iter().find(|page| page.name == name).copied()
    }

    fn is_root(&self, page: &TypeDoc) -> bool {
        self.pages.first().is_some_and(|root| root.name == page.name)
    }

    /// The parameters of a page that a definition can have, and their forms.
    pub fn parameters(&self, page: &'b TypeDoc) -> Vec<Parameter<'b>> {
        let form = |parameter: &'b ParameterDoc| {
            let (name, form) = (parameter.name, self.parameter_form(parameter.type_name)?);
            Some(Parameter { name, id: free_name(page, name), form })
        };
        if self.is_root(page) && page.parameters.iter().all(|parameter| parameter.default.is_some()) {
            return Vec::new();
        }
        page.parameters.iter().filter_map(form).collect()
    }

    /// The names and the forms of all that a page is given: its parameters, and those in the place of expressions.
    pub fn given(&self, page: &'b TypeDoc) -> Vec<(String, Form)> {
        let form =
            |need: &Need| if need.is_bool { Form::Bytes(1) } else { Form::Integer { size: 8, is_signed: false } };
        let parameters = self.parameters(page).into_iter().map(|parameter| (parameter.id, parameter.form));
        parameters.chain(self.needs(page).into_iter().map(|need| (need.name.clone(), form(&need)))).collect()
    }

    fn parameter_form(&self, type_name: &str) -> Option<Form> {
        let (kind, bits) = type_name.split_at(1);
        match (type_name.trim_start_matches('&'), bits) {
            ("bool", _) => return Some(Form::Bytes(1)),
            (bytes, _) if self.language.has_elements && bytes.starts_with("[u8") => return Some(Form::Opaque(Some(1))),
            (_, "8" | "16" | "32" | "64") if matches!(kind, "u" | "i") => {
                let size = bits.parse::<u64>().ok()? / 8;
                return Some(Form::Integer { size, is_signed: kind == "i" });
            }
            _ => {}
        }
        let name = type_name.trim_start_matches('&');
        if let Some(page) = self.page(name)
            && let TypeKind::Codes(_) = page.kind
        {
            return Some(Form::Page(page.name.clone(), None));
        }
        let field = self.fields().find(|field| field.type_name == name && !matches!(field.form, Form::Page(..)))?;
        matches!(field.form, Form::Counted(..) | Form::Leb128 | Form::Integer { .. }).then(|| field.form.clone())
    }

    fn fields(&self) -> impl Iterator<Item = &'b FieldDoc> {
        self.pages.iter().flat_map(|page| structures(page)).flat_map(|(_, fields)| fields)
    }

    /// The structures of a page: one, or its alternatives.
    pub fn plan(&self, page: &'b TypeDoc) -> Vec<Structure<'b>> {
        self.planned(page, true)
    }

    /// The plan. Without the arguments that no parameter of the page stands for, it ends for types that contain themselves.
    fn planned(&self, page: &'b TypeDoc, is_whole: bool) -> Vec<Structure<'b>> {
        let each = structures(page).into_iter();
        each.map(|(_, fields)| self.structure(page, fields, is_whole)).collect()
    }

    /// The conditions of a choice, each an expression or a parameter.
    pub fn conditions(&self, page: &'b TypeDoc) -> Vec<(&'b VariantDoc, Result<String, Need>)> {
        let scope = self.scope(page);
        let each = structures(page).into_iter().filter_map(|(variant, _)| variant).map(|variant| {
            let need = || Need {
                name: format!("is_{}", snake_case(&variant.name)),
                is_bool: true,
                doc: format!("`{}`", variant.condition.text),
            };
            (variant, scope.translate(&variant.condition.term).ok_or_else(need))
        });
        each.collect()
    }

    fn scope(&self, page: &'b TypeDoc) -> Scope<'_, 'b> {
        let parameters = self.parameters(page);
        let known = |it: &Parameter<'b>| (it.name, Known::Parameter(it.id.clone(), it.form.clone()));
        let mut names: Vec<_> = parameters.iter().map(known).collect();
        if self.is_root(page) && parameters.is_empty() {
            // Nobody gives the root arguments: its parameters have their defaults.
            let bound = |parameter: &'b ParameterDoc| {
                Some((parameter.name, Known::Bound(parameter.default.as_ref()?.term.clone())))
            };
            names.extend(page.parameters.iter().filter_map(bound));
        }
        Scope { language: self.language, pages: &self.pages, names, element: None }
    }

    fn structure(&self, page: &'b TypeDoc, fields: &'b [FieldDoc], is_whole: bool) -> Structure<'b> {
        let mut scope = self.scope(page);
        let (mut planned, mut needs) = (Vec::new(), Vec::new());
        for (place, field) in fields.iter().enumerate() {
            let is_last = fields[place + 1..].iter().all(|field| field.form == Form::Calculated);
            let is_end = self.is_root(page) && is_last;
            planned.push(self.field(page, field, (is_end, is_whole), &scope, &mut needs));
            let condition = planned.last().and_then(|plan: &FieldPlan<'_>| plan.condition.clone());
            let known = (&*field.name, Known::Field(field, condition));
            if field.form != Form::Calculated {
                scope.names.push(known.clone());
            }
            let Some((value, plan)) = field.value.as_ref().zip(planned.last_mut()) else { continue };
            plan.value = scope.translate(&value.term);
            match plan.value {
                Some(_) if field.form == Form::Calculated => scope.names.push(known),
                Some(_) => {}
                None => plan.inexact.push(format!("the value of `{}` is `{value}`", field.name)),
            }
        }
        Structure { fields: planned, parameters: self.parameters(page), needs }
    }

    fn field(
        &self,
        page: &TypeDoc,
        field: &'b FieldDoc,
        (is_end, is_whole): (bool, bool),
        scope: &Scope<'_, 'b>,
        needs: &mut Vec<Need>,
    ) -> FieldPlan<'b> {
        let mut inexact = self.alignment(page, field);
        let mut ask = |name: &str, is_bool: bool, doc: String| {
            let name = free_name(page, &format!("{}_{name}", field.name));
            needs.push(Need { name: name.clone(), is_bool, doc });
            name
        };
        let condition = field.condition.as_ref().map(|condition| stated(scope, (condition, "present", true), &mut ask));
        let list = scope.list_of(field);
        let (ref scope, place) = self.placed(field, scope, list.as_ref(), &mut ask);
        let condition = condition.or(list.and_then(|list| list.present));
        let space = field.space.as_ref().map(|space| stated(scope, (space, "size", false), &mut ask));
        let elements = field.parser.as_ref().map(|parser| self.elements(field, parser, scope));
        let is_opaque = matches!(elements, Some(None));
        let Elements { filled, until, each } = elements.flatten().unwrap_or_default();
        let (repeated, inner) = repeated(each, scope);
        let space = filled.or(space);
        let argument = |name: &str| field.arguments.iter().find(|argument| argument.name == name).map(|it| &it.value);
        let number = argument("number").filter(|_| field.form == Form::Numbers).and_then(|it| number_of(&it.term));
        let mut amount = |expression: Option<&Expression>, name: &str| match expression {
            Some(expression) => match scope.translate(&expression.term) {
                _ if is_end_of_space(expression, scope) => {
                    inexact.extend(taken(expression, scope));
                    Amount::ToEnd
                }
                Some(amount) => {
                    inexact.extend(taken(expression, scope));
                    Amount::Of(amount)
                }
                None if is_end && matches!(field.form, Form::Sized(_)) => {
                    inexact.push(format!("its length is `{}`; here it reaches to the end", expression.text));
                    Amount::ToEnd
                }
                None => Amount::Of(ask(name, false, format!("`{}`", expression.text))),
            },
            None => Amount::Of(ask(name, false, format!("the {name}, which a reader of its own knows"))),
        };
        let amount = match &field.form {
            _ if is_opaque => Amount::Of(space.clone().unwrap_or_else(|| ask("length", false, parsed(field)))),
            _ if field.parser.is_some() => repeated.map_or(Amount::ToEnd, Amount::Of),
            Form::Sized(_) => amount(argument("length"), "length"),
            Form::List(_) if matches!(&field.place, Some(place) if place.each.is_some()) => Amount::Own,
            Form::List(_) => amount(field.count.as_ref().or_else(|| argument("count")), "count"),
            Form::Numbers if number.is_some() => amount(argument("count"), "count"),
            Form::Numbers => Amount::Of(ask("length", false, "the bytes of the numbers".to_owned())),
            Form::Opaque(None) => amount(None, "length"),
            Form::Rest => Amount::ToEnd,
            _ => Amount::Own,
        };
        let arguments = self.arguments(page, (field, is_whole), &inner, &mut ask, &mut inexact);
        FieldPlan { field, condition, amount, number, is_opaque, until, space, place, arguments, value: None, inexact }
    }

    /// The place of a field, and the names that its expressions may use. `list` says where its elements stand.
    fn placed<'s>(
        &self,
        field: &'b FieldDoc,
        scope: &Scope<'s, 'b>,
        list: Option<&List<'b>>,
        ask: &mut Ask<'_>,
    ) -> (Scope<'s, 'b>, Option<PlacePlan<'b>>) {
        let name = field.place.as_ref().and_then(|place| Some(place.each.as_ref()?.0));
        let element = name.zip(list).map(|(name, list)| Element {
            name,
            fields: list.fields,
            text: (self.language.element)(&list.text),
        });
        let inner = Scope { element, names: scope.names.clone(), ..*scope };
        let each = |given: &'b Expression| list.map_or_else(|| given.text.to_string(), |list| list.text.clone());
        let place = field.place.as_ref().map(|place| PlacePlan {
            at: stated(&inner, (&place.at, "offset", false), ask),
            origin: &place.origin,
            each: place.each.as_ref().map(|(_, list)| each(list)),
        });
        (inner, place)
    }

    /// The arguments of a field's type. `ask` gives the name of a parameter in the place of one that has no translation.
    fn arguments(
        &self,
        page: &TypeDoc,
        (field, is_whole): (&'b FieldDoc, bool),
        scope: &Scope<'_, 'b>,
        ask: &mut dyn FnMut(&str, bool, String) -> String,
        inexact: &mut Vec<String>,
    ) -> Vec<String> {
        let mut arguments = Vec::new();
        if let Some(target) = self.target(&field.form) {
            for Parameter { name, form, .. } in self.parameters(target) {
                let place = target.parameters.iter().position(|it| it.name == name);
                let declared = place.and_then(|place| target.parameters[place].default.as_ref());
                // Arguments without names stand in the order of the parameters.
                let mut unnamed = field.arguments.iter().filter(|it| it.name.is_empty());
                let in_order = || place.and_then(|place| unnamed.nth(place));
                let named = field.arguments.iter().find(|it: &&ArgumentDoc| it.name == name);
                let given = named.or_else(in_order).map(|it| &it.value).or(declared);
                let translated = given.and_then(|given| scope.translate(&given.term));
                let text = given.map_or("", |given| &given.text);
                arguments.push(translated.unwrap_or_else(|| ask(name, form == Form::Bytes(1), format!("`{text}`"))));
            }
            // A type that contains itself would have parameters without end.
            let is_fallback = self.reaches(target, page);
            let needs = if is_fallback && !is_whole { Vec::new() } else { self.needs(target) };
            for need in needs {
                if is_fallback {
                    inexact.push(format!("`{}` is taken for {}: {}", need.name, need.fallback(), need.doc));
                    arguments.push(need.fallback().to_owned());
                } else {
                    if matches!(field.form, Form::List(_)) {
                        inexact.push(format!("`{}` is the same for all elements: {}", need.name, need.doc));
                    }
                    arguments.push(ask(&need.name, need.is_bool, need.doc));
                }
            }
        }
        arguments
    }

    /// The page of a form's structure.
    pub fn target(&self, form: &Form) -> Option<&'b TypeDoc> {
        match form {
            Form::Page(name, _) => self.page(name),
            Form::List(element) | Form::Array(_, element) | Form::Ordered(_, element) => self.target(element),
            _ => None,
        }
    }

    /// The parameters of a page that stand for expressions.
    pub fn needs(&self, page: &'b TypeDoc) -> Vec<Need> {
        let mut needs: Vec<Need> =
            self.conditions(page).into_iter().filter_map(|(_, condition)| condition.err()).collect();
        for structure in self.planned(page, false) {
            for need in structure.needs {
                if !needs.iter().any(|known| known.name == need.name) {
                    needs.push(need);
                }
            }
        }
        needs
    }

    /// Returns whether a value of a page can contain one of another page, or is one.
    fn reaches(&self, from: &'b TypeDoc, to: &TypeDoc) -> bool {
        let (mut seen, mut open) = (vec![&from.name], vec![from]);
        while let Some(page) = open.pop() {
            if page.name == to.name {
                return true;
            }
            for field in structures(page).into_iter().flat_map(|(_, fields)| fields) {
                if let Some(next) = self.target(&field.form).filter(|next| !seen.contains(&&next.name)) {
                    seen.push(&next.name);
                    open.push(next);
                }
            }
        }
        false
    }
}

impl Need {
    /// The value that is taken where nobody can give one.
    pub fn fallback(&self) -> &'static str {
        if self.is_bool { "false" } else { "0" }
    }
}

/// Returns whether a code may be negative.
pub fn is_signed(codes: &[CodeDoc]) -> bool {
    codes.iter().any(|code| code.code < 0)
}

/// The structures of a page, with their fields: none of a code or of bits.
pub fn structures(page: &TypeDoc) -> Vec<(Option<&VariantDoc>, &[FieldDoc])> {
    match &page.kind {
        TypeKind::Structure(fields) => vec![(None, fields)],
        TypeKind::Choice(variants) => variants.iter().map(|variant| (Some(variant), &variant.fields[..])).collect(),
        _ => Vec::new(),
    }
}

fn is_end_of_space(expression: &Expression, scope: &Scope<'_, '_>) -> bool {
    let term = match &expression.term {
        Term::Name(name) => match scope.names.iter().rev().find(|(known, _)| known == name) {
            Some((_, Known::Bound(value))) => value,
            _ => &expression.term,
        },
        term => term,
    };
    matches!(term, Term::Name("u64::MAX"))
}

fn parsed(field: &FieldDoc) -> String {
    format!("the bytes that `{}` reads", field.parser.as_ref().map_or("", |parser| &parser.text))
}

/// The parameters of an expression for which nobody gives another value.
fn taken(expression: &Expression, scope: &Scope<'_, '_>) -> Vec<String> {
    let words = |(name, value): (&str, &Term)| {
        let value = if let Term::Name(value) = value { (*value).to_owned() } else { format!("{value:?}") };
        format!("`{name}` is taken for {value} in `{}`", expression.text)
    };
    scope.bound(&expression.term).into_iter().map(words).collect()
}

/// A name that no field of the page has.
fn free_name(page: &TypeDoc, name: &str) -> String {
    let mut fields = structures(page).into_iter().flat_map(|(_, fields)| fields);
    if fields.any(|field| field.name == name) { format!("given_{name}") } else { name.to_owned() }
}

/// The form of a number's type: `Number::I32`.
fn number_of(term: &Term) -> Option<Form> {
    let Term::Name(name) = term else { return None };
    let (kind, bits) = name.strip_prefix("Number::")?.split_at(1);
    let size = bits.parse::<u64>().ok()? / 8;
    match kind {
        "F" => Some(Form::Float { size }),
        kind => Some(Form::Integer { size, is_signed: kind == "I" }),
    }
}

/// A parameter in the place of an expression: its name, whether it is a boolean, and its description.
type Ask<'a> = dyn FnMut(&str, bool, String) -> String + 'a;

/// An expression in a definition, or a parameter in its place.
fn stated(scope: &Scope<'_, '_>, (expression, name, is_bool): (&Expression, &str, bool), ask: &mut Ask<'_>) -> String {
    let translated = scope.translate(&expression.term);
    translated.unwrap_or_else(|| ask(name, is_bool, format!("`{}`", expression.text)))
}
