//! The plan for a definition: what each field needs, and parameters for anything that cannot be translated.
//!
//! Both generators, for Kaitai Struct and ImHex, work from the same plan. An expression without a translation becomes a
//! parameter of its type ([`Need`]), and the enclosing types pass it on, up to the root. A type that contains itself
//! would pass on parameters forever, so a fixed value replaces them there and a note says so.

use super::elements::{Amount, Ask, Elements, argument, counted, is_each, is_readable, parsed, repeated};
use super::expression::{Element, Known, Language, Scope, are_apart};
use super::nested::List;
use super::subject::snake_case;
use crate::reference::{CodeDoc, FieldDoc, TypeDoc, TypeKind, VariantDoc};
use crate::role::Origin;
use crate::terms::{ArgumentDoc, Expression, Form, ParameterDoc, Term};

/// A parameter that replaces an expression.
#[derive(Debug, Clone, PartialEq)]
pub struct Need {
    pub name: String,
    /// True if it is a boolean; otherwise it is a number.
    pub is_bool: bool,
    /// Its description.
    pub doc: String,
}

/// A declared parameter.
#[derive(Debug, Clone)]
pub struct Parameter<'b> {
    name: &'b str,
    /// Its name in the definition, which differs from every field's name.
    pub id: String,
    pub form: Form,
}

/// The condition under which an alternative of a choice is present.
pub struct Condition<'b> {
    pub variant: &'b VariantDoc,
    /// The condition, or the parameter that replaces it.
    pub text: String,
    pub need: Option<Need>,
    /// The part that the definition cannot express exactly.
    pub inexact: Option<String>,
}

/// The plan of one field.
pub struct FieldPlan<'b> {
    pub field: &'b FieldDoc,
    /// The condition under which it is present.
    pub condition: Option<String>,
    /// The number of its elements or bytes.
    pub amount: Amount,
    /// The type of its numbers, if the declaration fixes it.
    pub number: Option<Form>,
    /// True if a Rust function reads it.
    pub is_opaque: bool,
    /// The condition that holds for its last element.
    pub until: Option<String>,
    /// The maximum number of bytes, for a list with any number of elements.
    pub space: Option<String>,
    /// Its position, if it does not follow the previous field.
    pub place: Option<PlacePlan<'b>>,
    /// The arguments of its type.
    pub arguments: Vec<String>,
    /// The value that its bytes represent, or a calculated value.
    pub value: Option<String>,
    /// The parts that the definition cannot express exactly.
    pub inexact: Vec<String>,
}

/// The position of a field.
pub struct PlacePlan<'b> {
    pub at: String,
    pub origin: &'b Origin,
    /// The list of offsets, if each element has its own.
    pub each: Option<String>,
}

impl FieldPlan<'_> {
    /// Returns whether it is a list of elements other than bytes.
    pub fn is_list(&self) -> bool {
        is_list(&self.field.form)
    }
}

/// A structure or one alternative of a choice.
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
    /// Returns the description of a type.
    pub fn page(&self, name: &str) -> Option<&'b TypeDoc> {
        self.pages.iter().find(|page| page.name == name).copied()
    }

    /// Returns whether a type is the root of the file.
    fn is_root(&self, page: &TypeDoc) -> bool {
        self.pages.first().is_some_and(|root| root.name == page.name)
    }

    /// The parameters of a type that a definition can express, and their forms.
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

    /// The names and forms of everything that a type receives: its own parameters and those that replace expressions.
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
        matches!(field.form, Form::Counted(..) | Form::Varint(_) | Form::Integer { .. }).then(|| field.form.clone())
    }

    /// All fields of all types.
    fn fields(&self) -> impl Iterator<Item = &'b FieldDoc> {
        self.pages.iter().flat_map(|page| structures(page)).flat_map(|(_, fields)| fields)
    }

    /// The structures of a type: a single one or its alternatives.
    pub fn plan(&self, page: &'b TypeDoc) -> Vec<Structure<'b>> {
        self.planned(page, true)
    }

    /// Plans a type. Arguments that match no parameter of the type are dropped, so planning terminates for recursive types.
    fn planned(&self, page: &'b TypeDoc, is_whole: bool) -> Vec<Structure<'b>> {
        let each = structures(page).into_iter();
        each.map(|(_, fields)| self.structure(page, fields, is_whole)).collect()
    }

    /// The conditions of a choice: of its alternatives, the first one whose condition holds is present.
    pub fn conditions(&self, page: &'b TypeDoc) -> Vec<Condition<'b>> {
        let (scope, mut before) = (self.scope(page), Vec::new());
        let each = structures(page).into_iter().filter_map(|(variant, _)| variant).map(|variant| {
            let condition = &variant.condition;
            let Some(own) = scope.translate(&condition.term) else {
                let name = format!("is_{}", snake_case(&variant.name));
                let need = Need { name, is_bool: true, doc: format!("`{}`", condition.text) };
                return Condition { variant, text: need.name.clone(), inexact: Some(need.words()), need: Some(need) };
            };
            let may_hold: Vec<&(&Expression, String)> = before
                .iter()
                .filter(|(other, _): &&(&Expression, _)| !are_apart(&other.term, &condition.term))
                .collect();
            let Language { and, not, .. } = self.language;
            let text = may_hold.iter().fold(own.clone(), |all, (_, other)| format!("({all} {and} ({not} {other}))"));
            // Of those that a value selects, no other one is tried.
            let is_tried = may_hold.iter().any(|(other, _)| !is_selected(other) && !is_selected(condition));
            let inexact = is_tried.then(|| "it is also read if an alternative before it cannot be read".to_owned());
            before.push((condition, own));
            Condition { variant, text, need: None, inexact }
        });
        each.collect()
    }

    /// The names that expressions of a type can use.
    fn scope(&self, page: &'b TypeDoc) -> Scope<'_, 'b> {
        let parameters = self.parameters(page);
        let known = |it: &Parameter<'b>| (it.name, Known::Parameter(it.id.clone(), it.form.clone()));
        let mut names: Vec<_> = parameters.iter().map(known).collect();
        if self.is_root(page) && parameters.is_empty() {
            // The root gets no arguments, so its parameters have their defaults.
            let bound = |parameter: &'b ParameterDoc| {
                Some((parameter.name, Known::Bound(parameter.default.as_ref()?.term.clone())))
            };
            names.extend(page.parameters.iter().filter_map(bound));
        }
        Scope { language: self.language, pages: &self.pages, names, element: None }
    }

    /// Plans the fields of a structure or of one alternative of a choice.
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
        let (mut inexact, first) = (chained(field, self.alignment(page, field)), needs.len());
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
        let is_foreign = matches!(elements, Some(None));
        let is_opaque = is_foreign || !is_each(field) && !is_readable(&field.form);
        let Elements { filled, until, each } = elements.flatten().unwrap_or_default();
        let ((repeated, inner), space) = (repeated(each, scope), filled.or(space));
        if is_opaque && is_list(&field.form) {
            inexact.push("its elements are shown as bytes".to_owned());
        }
        let number = argument(field, "number").filter(|_| field.form == Form::Numbers);
        let number = number.and_then(|number| number_of(&number.term));
        let is_ending = field.parser.is_some() && !is_foreign && until.is_none() && repeated.is_none();
        let amount = match space.clone() {
            Some(space) if is_opaque => Amount::Of(space),
            _ if is_opaque && !is_ending => Amount::Of(ask("length", false, parsed(field))),
            _ if field.parser.is_some() => repeated.map_or(Amount::ToEnd, Amount::Of),
            _ => counted((field, is_end, number.is_some()), scope, &mut ask, &mut inexact),
        };
        let (arguments, passed) = self.arguments(page, (field, is_whole), &inner, &mut ask, &mut inexact);
        inexact.extend(needs[first..needs.len() - passed].iter().map(Need::words));
        FieldPlan { field, condition, amount, number, is_opaque, until, space, place, arguments, value: None, inexact }
    }

    /// The position of a field and the names that its expressions may use. `list` contains the positions of its elements.
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

    /// Translates the arguments of a field's type. `ask` returns the name of a parameter to use if an argument cannot be translated. Also
    /// returns how many of the last arguments are only passed on.
    fn arguments(
        &self,
        page: &TypeDoc,
        (field, is_whole): (&'b FieldDoc, bool),
        scope: &Scope<'_, 'b>,
        ask: &mut Ask<'_>,
        inexact: &mut Vec<String>,
    ) -> (Vec<String>, usize) {
        let (mut arguments, mut passed) = (Vec::new(), 0);
        if let Some(target) = self.target(&field.form) {
            for Parameter { name, form, .. } in self.parameters(target) {
                let place = target.parameters.iter().position(|it| it.name == name);
                let declared = place.and_then(|place| target.parameters[place].default.as_ref());
                // Unnamed arguments are in the order of the parameters.
                let mut unnamed = field.arguments.iter().filter(|it| it.name.is_empty());
                let in_order = || place.and_then(|place| unnamed.nth(place));
                let named = field.arguments.iter().find(|it: &&ArgumentDoc| it.name == name);
                let given = named.or_else(in_order).map(|it| &it.value).or(declared);
                let translated = given.and_then(|given| scope.translate(&given.term));
                let text = given.map_or("", |given| &given.text);
                arguments.push(translated.unwrap_or_else(|| ask(name, form == Form::Bytes(1), format!("`{text}`"))));
            }
            // A type that contains itself would have infinitely many parameters.
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
                    passed += 1;
                }
            }
        }
        (arguments, passed)
    }

    /// The type of a form's structure.
    pub fn target(&self, form: &Form) -> Option<&'b TypeDoc> {
        match form {
            Form::Page(name, _) => self.page(name),
            Form::List(element) | Form::Array(_, element) | Form::Ordered(_, element) => self.target(element),
            _ => None,
        }
    }

    /// The parameters of a type that replace expressions.
    pub fn needs(&self, page: &'b TypeDoc) -> Vec<Need> {
        let mut needs: Vec<Need> = self.conditions(page).into_iter().filter_map(|condition| condition.need).collect();
        for structure in self.planned(page, false) {
            for need in structure.needs {
                if !needs.iter().any(|known| known.name == need.name) {
                    needs.push(need);
                }
            }
        }
        needs
    }

    /// Returns whether a value of a type can be or contain a value of another type.
    pub(super) fn reaches(&self, from: &'b TypeDoc, to: &TypeDoc) -> bool {
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
    /// The value to use if none is known.
    pub fn fallback(&self) -> &'static str {
        if self.is_bool { "false" } else { "0" }
    }

    /// The comment at the place where it replaces an expression.
    pub fn words(&self) -> String {
        format!("`{}` is a parameter in place of {}", self.name, self.doc)
    }
}

/// Returns whether an alternative is selected by a value, as `match` does.
fn is_selected(condition: &Expression) -> bool {
    condition.text == "otherwise" || condition.text.contains(" is ")
}

/// Returns whether a code can be negative.
pub fn is_signed(codes: &[CodeDoc]) -> bool {
    codes.iter().any(|code| code.code < 0)
}

/// The structures of a type, with their fields; none for a code or bits.
pub fn structures(page: &TypeDoc) -> Vec<(Option<&VariantDoc>, &[FieldDoc])> {
    match &page.kind {
        TypeKind::Structure(fields) => vec![(None, fields)],
        TypeKind::Choice(variants) => variants.iter().map(|variant| (Some(variant), &variant.fields[..])).collect(),
        _ => Vec::new(),
    }
}

/// Returns a name that no field of the page has.
fn free_name(page: &TypeDoc, name: &str) -> String {
    let mut fields = structures(page).into_iter().flat_map(|(_, fields)| fields);
    if fields.any(|field| field.name == name) { format!("given_{name}") } else { name.to_owned() }
}

/// Returns the form of a number's type: `Number::I32`.
fn number_of(term: &Term) -> Option<Form> {
    let Term::Name(name) = term else { return None };
    let (kind, bits) = name.strip_prefix("Number::")?.split_at(1);
    let size = bits.parse::<u64>().ok()? / 8;
    match kind {
        "F" => Some(Form::Float { size }),
        kind => Some(Form::Integer { size, is_signed: kind == "I" }),
    }
}

/// Returns the translation of an expression, or a parameter in its place.
fn stated(scope: &Scope<'_, '_>, (expression, name, is_bool): (&Expression, &str, bool), ask: &mut Ask<'_>) -> String {
    let translated = scope.translate(&expression.term);
    translated.unwrap_or_else(|| ask(name, is_bool, format!("`{}`", expression.text)))
}

/// Returns whether a form is a list of elements other than bytes.
fn is_list(form: &Form) -> bool {
    matches!(form, Form::List(element) if **element != (Form::Integer { size: 1, is_signed: false }))
}

/// Adds what a definition cannot express about a chain.
fn chained(field: &FieldDoc, mut inexact: Vec<String>) -> Vec<String> {
    if let Some((variable, next)) = field.place.as_ref().and_then(|place| place.chain.as_ref()) {
        let next = &next.text;
        inexact
            .push(format!("it is a chain: after each {variable}, the next one is at `{next}`; here is the first one"));
    }
    inexact
}
