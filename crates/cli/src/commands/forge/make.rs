//! `ndbytes forge --valid`, `--broken`, `--mutate`

use super::Arguments;
use super::folder::{Folder, Refusal, refuse};
use super::request::file;
use crate::commands::rules;
use crate::context::{Context, Outcome};
use crate::show::json;
use crate::show::text;
use ndbytes::Rule;
use ndbytes::forge::{Forge, Forged, Kind, Mutation};
use std::io;
use std::path::Path;

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

/// What is made, one file after the other.
struct Making<'m> {
    folder: Folder,
    arguments: &'m Arguments,
    manifest: Vec<u8>,
}

pub fn run(out: &Path, arguments: &Arguments, context: &mut Context<'_>) -> io::Result<Outcome> {
    let rules = match rules_of(&arguments.broken) {
        Ok(rules) => rules,
        Err(message) => return unusable(&message, context),
    };
    let sources: Result<Vec<_>, _> =
        arguments.from.iter().map(|path| Ok((path.as_path(), file(path, context)?))).collect();
    let sources = match sources {
        Ok(sources) => sources,
        Err(message) => return unusable::<String>(&message, context),
    };
    let folder = match Folder::new(out, context.limits.output) {
        Ok(folder) => folder,
        Err(refusal) => return refuse(&refusal, context),
    };
    let mut making = Making { folder, arguments, manifest: Vec::new() };
    let mut unbroken = Vec::new();
    let made = making.make(&rules, &sources, &mut unbroken).and_then(|()| making.finish());
    if let Err(refusal) = made {
        return refuse(&refusal, context);
    }
    for rule in &unbroken {
        context.complain(&format!("no file was found that breaks {} and no other rule", rule.id))?;
    }
    Ok(if unbroken.is_empty() { Outcome::Clean } else { Outcome::Findings })
}

fn unusable<T: AsRef<str>>(message: &T, context: &mut Context<'_>) -> io::Result<Outcome> {
    context.complain(message.as_ref())?;
    Ok(Outcome::Unreadable)
}

/// The rules of these names.
fn rules_of(names: &[String]) -> Result<Vec<&'static Rule>, String> {
    if names.iter().any(|name| name == "all") {
        return Ok(ndbytes::rules().filter(|rule| Forge::can_break(rule)).collect());
    }
    let rule = |name: &String| {
        let near = || rules::near(name).map_or_else(String::new, |rule| format!("; the nearest name is {}", rule.id));
        rules::rule(name).ok_or_else(|| format!("there is no rule {name:?}{}", near()))
    };
    names.iter().map(rule).collect()
}

/// The mutation that the arguments ask for.
pub fn mutation(arguments: &Arguments) -> Mutation {
    Mutation { repair: arguments.repair, only: arguments.only.clone(), max_len: arguments.size, ..Mutation::default() }
}

impl Making<'_> {
    fn make(
        &mut self,
        rules: &[&'static Rule],
        sources: &[(&Path, Vec<u8>)],
        unbroken: &mut Vec<&'static Rule>,
    ) -> Result<(), Refusal> {
        let Arguments { seed, size, count, .. } = *self.arguments;
        let mut forge = Forge::new(seed).size(size);
        for rule in rules {
            for number in 0..count {
                match forge.broken(rule) {
                    Some(forged) => self.put(&rule.id.replace('/', "-"), number, &forged)?,
                    None => {
                        unbroken.push(rule);
                        break;
                    }
                }
            }
        }
        if !rules.is_empty() {
            return Ok(());
        }
        let how = mutation(self.arguments);
        for (path, bytes) in sources {
            let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
            for number in 0..count {
                let forged = forge.mutate_named(&name, bytes, &how);
                self.put(&text::path(Path::new(&name)).replace(['/', '\\'], "-"), number, &forged)?;
            }
        }
        if !sources.is_empty() {
            return Ok(());
        }
        let kinds = match &self.arguments.format {
            kinds if kinds.is_empty() => Kind::ALL.to_vec(),
            kinds => kinds.clone(),
        };
        for kind in kinds {
            for number in 0..count {
                let mut forged = forge.valid(kind);
                if self.arguments.mutate {
                    forged = forge.mutate_again(&forged, &how);
                }
                self.put(kind.name(), number, &forged)?;
            }
        }
        Ok(())
    }

    /// Writes a file, and what is said of it.
    fn put(&mut self, name: &str, number: u64, forged: &Forged) -> Result<(), Refusal> {
        let extension = forged.kind.map_or("bin", Kind::extension);
        let file = format!("{name}-{}-{number}.{extension}", self.arguments.seed);
        self.folder.put(&file, forged)?;
        let recipe = forged.recipe.to_string();
        if self.arguments.recipes {
            self.folder.put_bytes(&format!("{file}.recipe"), recipe.as_bytes())?;
        }
        if self.arguments.manifest {
            let line = Line {
                file: &file,
                kind: forged.kind.map(Kind::name),
                seed: self.arguments.seed,
                number,
                rule: forged.recipe.expected,
                recipe,
                version: env!("CARGO_PKG_VERSION"),
            };
            json::line(&mut self.manifest, &line).expect("writing to memory does not fail");
        }
        Ok(())
    }

    fn finish(mut self) -> Result<(), Refusal> {
        if !self.arguments.manifest {
            return Ok(());
        }
        self.folder.put_bytes("manifest.jsonl", &self.manifest)
    }
}
