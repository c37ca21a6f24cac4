//! Converts types to layouts, field by field.
//!
//! The generated source is meant to be read and edited: names, comments and order follow the specification. Whatever
//! has no equivalent is refused with its position, because code that reads something slightly different would be worse.

use super::code::{Code, Is};
use super::model::{Model, structures};
use super::names::{self, camel};
use super::recursion::{LEVEL, LEVELS};
use super::terms::Scope;
use super::text::{Item, array, doc, words};
use crate::read::hex;
use crate::resolve::{Content, Endian, Field, Formula, Repeat, Size, Term, Valid};

impl Model<'_> {
    /// Returns the declaration of a type and of the types that only it uses.
    pub fn structure(&self, number: usize) -> Vec<String> {
        let own = &self.plan.types[number];
        let (mut items, mut fields) = (Vec::new(), Vec::new());
        if let Some(Endian { on, .. }) = &own.endian {
            self.refuse(on.at, format!("the byte order of `{}` is chosen by `{}`", own.name, on.text));
        }
        for instance in own.fields.iter().skip(own.sequence) {
            match (&instance.value, &instance.valid) {
                (None, _) => self.refuse(instance.at, format!("`{}` is read elsewhere in the file", instance.name)),
                (_, Some(_)) => self.refuse(instance.at, format!("`{}` is checked by a rule", instance.name)),
                _ => {}
            }
        }
        for run in own.runs.iter().filter(|run| run.places.start < own.sequence) {
            let place = run.places.start;
            if run.places.len() > 1 {
                let Some(mut item) = self.run(number, run, &mut items) else { continue };
                for place in run.places.clone() {
                    let scope = Scope::of(number, place + 1);
                    item.options.extend(self.rules(scope, &own.fields[place]));
                }
                fields.push(item);
            } else {
                fields.extend(self.field(number, place, &mut items));
            }
        }
        let order = fields.iter().find_map(|item| item.order);
        let parameters = self.parameters(number).unwrap_or_default();
        let mut text = doc(&own.doc, "") + "#[everybyte::layout]\n";
        if let Some(order) = order {
            text.push_str(&format!("#[brw({order})]\n"));
        }
        if !parameters.is_empty() {
            text.push_str(&format!("#[br(import({}))]\n", parameters.join(", ")));
        }
        if self.circles.contains_key(&number) {
            let words = format!("structures are nested more than {LEVELS} deep");
            text.push_str(&format!("#[br(pre_assert({LEVEL} < {LEVELS}, {words:?}))]\n"));
        }
        let lines: String = fields.iter().map(|item| item.text(order, true)).collect();
        text.push_str(&format!("pub struct {} {{", self.type_names[&number]));
        text.push_str(&if lines.is_empty() { "}\n".to_owned() } else { format!("\n{lines}}}\n") });
        items.insert(0, text);
        items
    }

    /// Returns a field; `None` if it was refused.
    fn field(&self, number: usize, place: usize, items: &mut Vec<String>) -> Option<Item> {
        let field = &self.plan.types[number].fields[place];
        let scope = Scope::of(number, place);
        if field.check.is_some() {
            self.refuse(field.at, format!("`{}` is a checksum, by `-check`", field.name));
            return None;
        }
        let content = self.content(scope, field, items);
        let condition = match &field.when {
            Some(when) => Some(self.formula(scope, when, Is::Bool)?.text),
            None => None,
        };
        let mut item = self.repeated(scope, field, content?, items)?;
        item.doc = field.doc.to_string();
        item.name = names::field(&field.name);
        item.shown = (item.name != field.name).then(|| field.name.to_string());
        if let Some(condition) = condition {
            // A number of elements is evaluated and checked even if the field is absent.
            for count in item.br.iter_mut().filter(|it| it.starts_with("count = ") && it.contains("i128::MIN")) {
                *count = format!("count = if {condition} {{ {} }} else {{ 0 }}", &count["count = ".len()..]);
            }
            item.br.insert(0, format!("if({condition})"));
            // Lists and texts are empty if they are absent.
            if !item.ty.starts_with("Vec<")
                && !item.br.iter().any(|it| it.starts_with("count") || it.starts_with("parse"))
            {
                item.ty = format!("Option<{}>", item.ty);
            }
        }
        item.options.extend(self.rules(Scope { place: place + 1, ..scope }, field));
        Some(item)
    }

    /// Returns the list of a field's elements, if it is repeated.
    fn repeated(&self, scope: Scope<'_>, field: &Field, item: Item, items: &mut Vec<String>) -> Option<Item> {
        if matches!(field.repeat, Repeat::Once) {
            return Some(item);
        }
        if !self.takes_bytes(&item.ty, field) {
            self.refuse(field.at, format!("an element of `{}` may be empty", field.name));
            return None;
        }
        let mut element = item;
        // In a layout, a list of bytes is one value; here, each byte has a node.
        let is_byte = element.ty == "u8";
        if is_byte || element.size.is_some() || element.br.iter().any(|it| !it.starts_with("args(")) {
            let name = self.type_names[&scope.number].clone() + &camel(&field.name) + "Element";
            let name = self.names.borrow_mut().fresh(&name);
            element = self.element(field, element, name, items)?;
        }
        let arguments = element.br.first().map(|args| args.trim_start_matches("args").to_owned());
        let mut br = Vec::new();
        let argument = arguments.as_ref().map(|args| format!("args{args}"));
        match &field.repeat {
            Repeat::Count(count) => {
                br.push(self.count(scope, count)?);
                br.extend(arguments.map(|args| format!("args {{ inner: {} }}", tuple(&args))));
            }
            Repeat::ToEnd => {
                br.push("parse_with = everybyte::list::filling(u64::MAX)".into());
                br.extend(argument);
            }
            Repeat::Until(until) => {
                br.push(format!(
                    "parse_with = everybyte::list::until(|it: &{}| {})",
                    element.ty,
                    self.until(scope, field, until)?
                ));
                br.extend(argument);
            }
            Repeat::Once => {}
        }
        Some(Item { ty: format!("Vec<{}>", element.ty), br, order: element.order, ..Item::default() })
    }

    /// Returns an element. If it needs more than arguments, it has its own type, in which the siblings of the list are not
    /// available.
    fn element(&self, field: &Field, mut inner: Item, name: String, items: &mut Vec<String>) -> Option<Item> {
        let is_fixed = |text: &str| text.bytes().all(|it| it.is_ascii_digit());
        if inner.br.iter().any(|it| it.strip_prefix("count = ").is_some_and(|count| !is_fixed(count))) {
            self.refuse(field.at, format!("the size of an element of `{}` is computed", field.name));
            return None;
        }
        let mut element = Item { ty: name.clone(), ..Item::default() };
        let passed: Vec<String> =
            inner.parameters.iter().filter_map(|it| it.split(':').next()).map(str::to_owned).collect();
        let given = inner.br.iter().find_map(|it| it.strip_prefix("args(")?.strip_suffix(')').map(str::to_owned));
        element.parameters = inner.parameters.clone();
        let mut arguments: Vec<String> = given.into_iter().collect();
        if let Some(args) = inner.br.iter_mut().find(|it| it.starts_with("args(")) {
            *args = format!("args({})", passed.join(", "));
        }
        if let Some((plain, number)) = inner.size.take_if(|(plain, _)| !is_fixed(plain)) {
            let _ = plain;
            element.parameters.push("element_size: i128".into());
            arguments.push(number);
            inner.size = Some(("element_size".into(), String::new()));
        }
        if !arguments.is_empty() {
            element.br = vec![format!("args({})", arguments.join(", "))];
        }
        let import = match element.parameters.is_empty() {
            true => String::new(),
            false => format!("#[br(import({}))]\n", element.parameters.join(", ")),
        };
        inner.options.insert(0, "inline".into());
        let inner = Item { name: "value".into(), ..inner };
        items.push(format!("#[everybyte::layout]\n{import}pub struct {name} {{\n{}}}\n", inner.text(None, true)));
        Some(element)
    }

    /// Returns the condition that ends a list.
    fn until(&self, scope: Scope<'_>, field: &Field, until: &Formula) -> Option<String> {
        let it = match &field.content {
            Content::Int { .. } if field.enumeration.is_some() => Some(Code::whole("i128::from(it.0)", Is::Int)),
            Content::Int { size: 1, is_signed: false, .. } => Some(Code::whole("i128::from(it.value)", Is::Int)),
            Content::Int { .. } => Some(Code::whole("i128::from(*it)", Is::Int)),
            _ => None,
        };
        let element = match &field.content {
            Content::Structure { number, .. } => Some((*number, "it.")),
            _ => None,
        };
        Some(self.formula(Scope { it: it.as_ref(), element, ..scope }, until, Is::Bool)?.text)
    }

    /// Returns whether each element takes at least one byte.
    fn takes_bytes(&self, ty: &str, field: &Field) -> bool {
        let is_counted = ty.starts_with("Vec<")
            || (ty.starts_with("everybyte::text::Text")
                && !["Ended<", "Padded<", "ClosedIn<"].iter().any(|it| ty.contains(it)));
        !is_counted && self.least_of(field) > 0
    }

    /// Returns a lower bound for the length of some content in bytes.
    fn least(&self, content: &Content) -> u64 {
        match content {
            Content::Structure { number, .. } => {
                if let Some(known) = self.least.borrow().get(number) {
                    return *known;
                }
                self.least.borrow_mut().insert(*number, 0);
                let own = &self.plan.types[*number];
                let fields = own.fields.iter().take(own.sequence);
                let always = fields.filter(|field| field.when.is_none() && matches!(field.repeat, Repeat::Once));
                // A box may hold the type itself, whose minimum size is not known yet.
                let is_box =
                    |field: &&Field| structures(&field.content).iter().any(|(inner, _)| self.is_boxed(*number, *inner));
                let known = always.filter(|field| !is_box(field));
                let least = known.map(|field| self.least_of(field)).fold(0, u64::saturating_add);
                self.least.borrow_mut().insert(*number, least);
                least
            }
            Content::Switch { cases, default, .. } => {
                let all = cases.iter().map(|(_, case)| case).chain([&**default]);
                all.map(|case| self.least(case)).min().unwrap_or_default()
            }
            Content::Int { .. } | Content::Float { .. } | Content::Bits { .. } | Content::Text(_) => 1,
            Content::Bytes | Content::Nothing | Content::Opaque(_) => 0,
        }
    }

    fn least_of(&self, field: &Field) -> u64 {
        let fixed = match &field.size {
            Size::Of(Formula { term: Term::Int(size @ 1..=256), .. }) => *size as u64,
            _ => 0,
        };
        match &field.content {
            Content::Bytes => field.contents.as_ref().map_or(fixed, |contents| contents.len() as u64),
            Content::Text(_) if field.delimiter.is_some() && matches!(field.size, Size::Own) => 1,
            Content::Text(_) if field.delimiter.is_some() || field.pad.is_some() => fixed,
            Content::Text(_) => 0,
            content => self.least(content),
        }
    }

    /// Returns the rules of a field, as options of its declaration.
    fn rules(&self, scope: Scope<'_>, field: &Field) -> Vec<String> {
        let mut rules = Vec::new();
        let name = names::field(&field.name);
        if let Some(contents) = &field.contents {
            let array = array(contents);
            let condition = match (&field.repeat, &field.when) {
                (Repeat::Once, None) => format!("{name} == {array}"),
                (Repeat::Once, Some(_)) => format!("{name}.is_none_or(|it| it == {array})"),
                _ => format!("{name}.iter().all(|it| *it == {array})"),
            };
            let message = words(&format!("the bytes are not {}", hex(contents)));
            rules.push(format!("rule(\"wrong-magic\", error, {condition}, {message})"));
        }
        let Some(valid) = &field.valid else { return rules };
        if !matches!(field.repeat, Repeat::Once) || field.when.is_some() {
            self.refuse(
                field.at,
                format!("the rule of `{}` applies to a list, or to a field that may be missing", field.name),
            );
            return rules;
        }
        if let Some((rule, condition, message)) = self.valid(scope, field, valid) {
            rules.push(format!("rule(\"{rule}\", error, {condition}, {})", words(&message)));
        }
        rules
    }

    /// Returns the rule for a value: its name, its condition and its message.
    fn valid(&self, scope: Scope<'_>, field: &Field, valid: &Valid) -> Option<(&'static str, String, String)> {
        let own = &self.plan.types[scope.number];
        let slot = own.slots.get(&*field.name).copied()?;
        let value = self.local(scope, &[(scope.number, slot)]);
        let value = value.map_err(|why| self.refuse(field.at, format!("the rule of `{}`: {why}", field.name))).ok()?;
        let scope = Scope { it: Some(&value), ..scope };
        let compared = |formula: &Formula, sign: &str| {
            let other = self.formula(scope, formula, value.is)?;
            Some(format!(
                "{} {sign} {}",
                value.within(super::code::Binds::BitOr),
                other.within(super::code::Binds::BitOr)
            ))
        };
        Some(match valid {
            Valid::Equal(wanted) => {
                ("not-valid", compared(wanted, "==")?, format!("the value is not `{}`", wanted.text))
            }
            Valid::Range(min, max) => {
                let bounds = min.iter().map(|min| (min, ">=")).chain(max.iter().map(|max| (max, "<=")));
                let (mut conditions, mut said) = (Vec::new(), Vec::new());
                for (bound, sign) in bounds {
                    conditions.push(compared(bound, sign)?);
                    said.push(format!("{sign} {}", bound.text));
                }
                ("not-valid", conditions.join(" && "), format!("the value is not {}", said.join(" and ")))
            }
            Valid::AnyOf(all) => {
                let conditions = all.iter().map(|wanted| compared(wanted, "==")).collect::<Option<Vec<_>>>()?;
                let said: Vec<&str> = all.iter().map(|wanted| &*wanted.text).collect();
                ("not-valid", conditions.join(" || "), format!("the value is not one of {}", said.join(", ")))
            }
            Valid::InEnum => {
                let number = value.text.strip_prefix("i128::from(").and_then(|text| text.strip_suffix(".0)"));
                let Some(code) = number else {
                    self.refuse(field.at, format!("`{}` has an enumeration, but is not an integer", field.name));
                    return None;
                };
                ("unknown-code", format!("{code}.name().is_some()"), "the value is not defined".to_owned())
            }
            Valid::Expr(wanted) => {
                let condition = self.formula(scope, wanted, Is::Bool)?;
                ("not-valid", condition.text, format!("`{}` does not hold", wanted.text))
            }
        })
    }
}

/// Returns arguments as a tuple, which needs a comma after a single one.
fn tuple(arguments: &str) -> String {
    let inner = arguments.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')).unwrap_or(arguments);
    let (mut depth, mut has_comma) = (0_i32, false);
    for letter in inner.chars() {
        match letter {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => depth -= 1,
            ',' if depth == 0 => has_comma = true,
            _ => {}
        }
    }
    if has_comma { format!("({inner})") } else { format!("({inner},)") }
}
