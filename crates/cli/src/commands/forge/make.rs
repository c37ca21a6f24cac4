//! `ndbytes forge --valid`, `--broken`, `--mutate`

use super::arguments::{Arguments, kinds};
use super::folder::{Folder, Refusal, refuse};
use super::request::{ensure_matches, files};
use crate::context::{Context, Outcome};
use crate::show::{json, text};
use crate::values::rule::{near, rule};
use ndbytes::Rule;
use ndbytes_forge::{Forge, Forged, Kind, Mutation};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The number of bytes by which a mutant may exceed its original, unless `--size` sets the maximum.
const GROWTH: usize = 64 << 10;

/// The name of the manifest.
const MANIFEST: &str = "manifest.jsonl";

/// A line of the manifest.
#[derive(serde::Serialize)]
struct Line<'l> {
    file: &'l str,
    kind: Option<&'static str>,
    seed: u64,
    number: u64,
    rule: Option<&'static str>,
    recipe: String,
    version: &'static str,
}

/// The files to generate.
struct Making<'m> {
    folder: Folder,
    arguments: &'m Arguments,
}

/// Generates files into an empty or new directory.
pub fn run(out: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let rules = match rules_of(&arguments.broken, &arguments.format) {
        Ok(rules) => rules,
        Err(message) => return unusable(&message, context),
    };
    let sources = match files(&arguments.from, context) {
        Ok(sources) => sources,
        Err(message) => return unusable(&message, context),
    };
    let mut forge = arguments.forge();
    let mut sought = sources.iter();
    let found = sought.try_for_each(|(path, bytes)| ensure_matches(&mut forge, path, bytes, arguments.only.as_ref()));
    if let Err(message) = found {
        return unusable(&message, context);
    }
    let folder = match Folder::new(out, context.limits.output) {
        Ok(folder) => folder,
        Err(refusal) => return refuse(&refusal, context),
    };
    let mut making = Making { folder, arguments };
    let mut unbroken = Vec::new();
    let made = making.make(&mut forge, &rules, &sources, &mut unbroken);
    if let Err(refusal) = made {
        return refuse(&refusal, context);
    }
    unbroken.iter().try_for_each(|message| context.complain(message))?;
    // A given file need not have the fields that each rule is about.
    let is_expected = !sources.is_empty() && is_all(&arguments.broken);
    Ok(if unbroken.is_empty() || is_expected { Outcome::Clean } else { Outcome::Findings })
}

/// Reports arguments that cannot be used together.
fn unusable(message: &str, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(message)?;
    Ok(Outcome::Unreadable)
}

/// Returns whether `all` is among the names of rules.
fn is_all(names: &[String]) -> bool {
    names.iter().any(|name| name == "all")
}

/// Returns the rules with these names; for `all`, the rules of these kinds, or of every kind if none is named.
fn rules_of(names: &[String], kinds: &[Kind]) -> Result<Vec<&'static Rule>, String> {
    if is_all(names) {
        let is_wanted = |rule: &Rule| kinds.is_empty() || Kind::of_rule(rule).is_some_and(|kind| kinds.contains(&kind));
        return Ok(ndbytes::rules().filter(|rule| Forge::can_break(rule) && is_wanted(rule)).collect());
    }
    let rule = |name: &String| {
        let nearest = || near(name).map_or_else(String::new, |rule| format!("; did you mean {}?", rule.id));
        rule(name).ok_or_else(|| format!("no rule is named {name:?}{}", nearest()))
    };
    names.iter().map(rule).collect()
}

/// Returns the mutation that the arguments request, for a file of this length.
pub fn mutation(arguments: &Arguments, length: usize) -> Mutation {
    let max_len = arguments.size.unwrap_or(length.saturating_add(GROWTH));
    Mutation { repair: arguments.repair, only: arguments.only.clone(), max_len, ..Mutation::default() }
}

/// Returns the name of a file, and the prefix of the files derived from it.
fn names(path: &Path) -> (String, String) {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let stem = path.file_stem().map_or_else(String::new, |stem| text::path(Path::new(stem)));
    (name, stem.replace(['/', '\\'], "-"))
}

impl Making<'_> {
    /// Generates the requested files. `unbroken` collects the rules that could not be broken.
    fn make(
        &mut self,
        forge: &mut Forge,
        rules: &[&'static Rule],
        sources: &[(PathBuf, Vec<u8>)],
        unbroken: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        if self.arguments.manifest {
            // The manifest exists even if no file is made.
            self.folder.append(MANIFEST, &[])?;
        }
        match (rules, sources) {
            ([], []) => self.of_kinds(forge),
            ([], sources) => self.of_files(forge, sources),
            (rules, []) => self.of_rules(forge, rules, unbroken),
            (rules, sources) => self.of_rules_in_files(forge, rules, sources, unbroken),
        }
    }

    /// Generates `--count` files for each rule that violate it and, as far as possible, no other.
    fn of_rules(
        &mut self,
        forge: &mut Forge,
        rules: &[&'static Rule],
        unbroken: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        for rule in rules {
            for number in 0..self.arguments.count {
                match forge.broken(rule) {
                    Some(forged) => self.put(&rule.id.replace('/', "-"), number, &forged)?,
                    None => {
                        unbroken.push(format!("found no file that violates {} and no other rule", rule.id));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Breaks rules in each file. `all` means the rules of the file's kind, although the file need not have the fields
    /// for each rule.
    fn of_rules_in_files(
        &mut self,
        forge: &mut Forge,
        rules: &[&'static Rule],
        sources: &[(PathBuf, Vec<u8>)],
        unbroken: &mut Vec<String>,
    ) -> Result<(), Refusal> {
        let is_all = is_all(&self.arguments.broken);
        for (path, bytes) in sources {
            let (name, stem) = names(path);
            let kind = self.arguments.format.first().copied().or_else(|| Kind::of(bytes));
            let is_of_file = |rule: &&&Rule| !is_all || Kind::of_rule(rule) == kind;
            let mut missing = Vec::new();
            for rule in rules.iter().filter(is_of_file) {
                for number in 0..self.arguments.count {
                    match forge.broken_in(rule, &name, bytes) {
                        Some(forged) => self.put(&format!("{stem}-{}", rule.id.replace('/', "-")), number, &forged)?,
                        None => {
                            missing.push(rule.id);
                            break;
                        }
                    }
                }
            }
            if !missing.is_empty() {
                let ways = format!("found no way to violate only {}", missing.join(", "));
                unbroken.push(format!("{}: {ways}", text::path(path)));
            }
        }
        Ok(())
    }

    /// Generates mutants of the given files.
    fn of_files(&mut self, forge: &mut Forge, sources: &[(PathBuf, Vec<u8>)]) -> Result<(), Refusal> {
        let mut made: BTreeMap<String, u64> = BTreeMap::new();
        for (path, bytes) in sources {
            let how = mutation(self.arguments, bytes.len());
            let (name, stem) = names(path);
            // Files with the same name in several directories are numbered consecutively.
            let number = made.entry(stem.clone()).or_insert(0);
            for _ in 0..self.arguments.count {
                let forged = forge.mutate_named(&name, bytes, &how);
                self.put(&stem, *number, &forged)?;
                *number += 1;
            }
        }
        Ok(())
    }

    /// Generates valid files of the requested kinds, or mutants of such files.
    fn of_kinds(&mut self, forge: &mut Forge) -> Result<(), Refusal> {
        for kind in kinds(self.arguments) {
            for number in 0..self.arguments.count {
                let mut forged = forge.valid(kind);
                if self.arguments.mutate {
                    forged = forge.mutate_again(&forged, &mutation(self.arguments, forged.bytes.len()));
                }
                self.put(kind.name(), number, &forged)?;
            }
        }
        Ok(())
    }

    /// Writes a file, and its line in the manifest.
    fn put(&mut self, name: &str, number: u64, forged: &Forged) -> Result<(), Refusal> {
        let extension = forged.kind.map_or("bin", Kind::extension);
        let file = format!("{name}-{}-{number}.{extension}", self.arguments.seed());
        self.folder.put(&file, forged)?;
        let recipe = forged.recipe.to_string();
        if self.arguments.recipes {
            self.folder.put_bytes(&format!("{file}.recipe"), recipe.as_bytes())?;
        }
        if self.arguments.manifest {
            let line = Line {
                file: &file,
                kind: forged.kind.map(Kind::name),
                seed: self.arguments.seed(),
                number,
                rule: forged.recipe.expected,
                recipe,
                version: env!("CARGO_PKG_VERSION"),
            };
            let mut written = Vec::new();
            json::line(&mut written, &line).expect("writing to memory does not fail");
            self.folder.append(MANIFEST, &written)?;
        }
        Ok(())
    }
}
