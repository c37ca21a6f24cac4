//! Compares the files of two commits: one page per file, and one report on all of them.
//!
//! As in a pull request, the base is the merge base of both commits, so changes that others made in the meantime are
//! not included. Each changed file is written from git's objects to a scratch directory, compared, and removed. A file
//! that cannot be compared is reported as such, and does not stop the others.

use super::comment::{Comment, Told};
use super::trees::{Change, Scratch, Tree, changes, commit, merge_base};
use crate::commands::diff::arguments::Arguments;
use crate::commands::diff::opened::{NO_FILE, Opened, compared, forget_bytes};
use crate::commands::diff::picture::picture;
use crate::commands::git::run::Failed;
use crate::commands::page;
use crate::context::{Context, Outcome};
use crate::contract::Contract;
use crate::report::sentence;
use crate::show::style::counted;
use crate::show::text::{self, Shown};
use crate::values::open::Failure;
use ndbytes::names::{Content, Name};
use ndbytes_compare::diff::Diff;
use ndbytes_pictures::PictureBudget;
use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The contract of a repository.
const CONTRACT: &str = ".ndbytes.toml";

/// The files that the comparison writes to its directory, in addition to the pages.
const COMMENT: &str = "comment.md";
/// The file with the number of compared files, which the action reads.
const COUNT: &str = "files";
/// The directory with one page per file.
const PAGES: &str = "pages";

/// Compares the files of two commits and writes pages and a report into a directory.
pub fn run(arguments: &Arguments, range: [&str; 2], out: &Path, context: &mut Context<'_>) -> io::Result<Outcome> {
    let begun = Range::new(range).and_then(|range| {
        fs::create_dir_all(out.join(PAGES)).map_err(|error| Failed(format!("{}: {error}", text::path(out))))?;
        Ok(range)
    });
    let range = match begun {
        Ok(range) => range,
        Err(Failed(words)) => return context.complain(&words).map(|()| Outcome::Unreadable),
    };
    let contract = match range.contract(arguments) {
        Ok(contract) => contract,
        // The commit may have broken the contract itself. The changes are reported nevertheless.
        Err(words) => {
            context.complain(&words)?;
            None
        }
    };
    let mut comment = Comment::default();
    for change in range.files() {
        context.begin();
        let page = out.join(PAGES).join(format!("{}.html", comment.compared + 1));
        let told = range.tell(&change, contract.as_ref(), (arguments, &page), context);
        comment.add(&told);
    }
    let write = |name: &str, text: String| ndbytes::replace_file(out.join(name), text.as_bytes());
    let written = write(COMMENT, comment.text()).and_then(|()| write(COUNT, format!("{}\n", comment.compared)));
    if let Err(error) = written {
        return context.complain(&error.to_string()).map(|()| Outcome::Unreadable);
    }
    let (files, different) = (counted(comment.compared, "file"), comment.different);
    writeln!(context.out, "{files} compared, {different} different; {}", text::path(&out.join(COMMENT)))?;
    Ok(arguments.outcome(comment.different > 0))
}

/// Two commits and a directory for their files.
struct Range {
    trees: [Tree; 2],
    changes: Vec<Change>,
    scratch: Scratch,
}

impl Range {
    /// Lists the changes since the merge base, as a pull request does. Changes on the base branch since then are not
    /// reported.
    fn new([base, head]: [&str; 2]) -> Result<Range, Failed> {
        let (base, head) = (commit(base)?, commit(head)?);
        let base = merge_base(&base, &head)?;
        let scratch = Scratch::new()
            .map_err(|error| Failed(format!("cannot create a directory for temporary files: {error}")))?;
        Ok(Range { trees: [Tree::of(&base)?, Tree::of(&head)?], changes: changes(&base, &head)?, scratch })
    }

    /// Returns the contract in the arguments, or else in the proposed commit. It states which differences are tolerated.
    fn contract(&self, arguments: &Arguments) -> Result<Option<Contract>, String> {
        if arguments.config.is_given() {
            return arguments.config.contract();
        }
        let target = self.scratch.path().join(CONTRACT);
        match self.trees[1].put_as(Path::new(CONTRACT), &target) {
            Ok(true) => Contract::of(Some(&target)),
            Ok(false) => Ok(None),
            Err(Failed(words)) => Err(words),
        }
    }

    /// Returns the files to compare, without duplicates: files whose names suggest a known format, and directories of
    /// sparse frames.
    fn files(&self) -> Vec<Change> {
        let whole = |path: &Path| {
            let folder = path.parent().filter(|folder| self.trees.iter().any(|tree| tree.has_frame(folder)));
            folder.unwrap_or(path).to_owned()
        };
        let mut seen = HashSet::new();
        let whole = self.changes.iter().map(|change| Change { old: whole(&change.old), new: whole(&change.new) });
        whole.filter(|change| is_compared(&change.new) && seen.insert(change.new.clone())).collect()
    }

    /// Compares a file and writes its page.
    fn tell(
        &self,
        change: &Change,
        contract: Option<&Contract>,
        (arguments, page): (&Arguments, &Path),
        context: &mut Context<'_>,
    ) -> Told {
        let sides = [self.scratch.path().join("a"), self.scratch.path().join("b")];
        let mut told = match self.compare(change, &sides, contract, (arguments, page), context) {
            Ok(told) => told,
            Err(words) => {
                let there = [Some(&*change.old), Some(&*change.new)];
                let verdict = "cannot be compared".to_owned();
                Told { text: Shown(&words).to_string(), verdict, is_different: true, ..named(there) }
            }
        };
        told.text = told.text.replace(&format!("{}/", self.scratch.path().display()), "");
        for side in sides {
            let _ = fs::remove_dir_all(side);
        }
        if !page.exists() {
            told.text += "\nthere is no page of this file";
        }
        told
    }

    /// Compares one changed file and writes its page to `out`.
    fn compare(
        &self,
        change: &Change,
        sides: &[PathBuf; 2],
        contract: Option<&Contract>,
        (arguments, out): (&Arguments, &Path),
        context: &mut Context<'_>,
    ) -> Result<Told, String> {
        let names = [&*change.old, &*change.new];
        let mut paths = Vec::new();
        for ((tree, name), side) in self.trees.iter().zip(names).zip(sides) {
            paths.push(tree.put(name, side).map_err(|Failed(words)| words)?);
        }
        let there = [paths[0].as_ref().map(|_| names[0]), paths[1].as_ref().map(|_| names[1])];
        let [a, b] = [&paths[0], &paths[1]].map(|path| path.as_deref().unwrap_or(Path::new(NO_FILE)));
        let mut opened = Vec::new();
        for (path, name) in [a, b].into_iter().zip(names) {
            opened.push(Opened::new(path, context).map_err(|failure| match failure {
                Failure::Error(error) => sentence(&error, name),
                Failure::Words(words) => words,
            })?);
        }
        let agreed = arguments.agreed(contract, &[&self.scratch.path().join(&change.new)]);
        let options = arguments.options(context);
        let options = agreed.iter().fold(options, |options, agreed| options.tolerance(agreed.tolerance));
        let has_values = opened.iter().any(|side| side.values().is_some());
        let options = if has_values { options.structure(false) } else { options };
        let found = compared(&opened[0], &opened[1], &options, context.limits);
        let found = found.ok_or("a store is compared with another store only")?;
        let mut found = found.map_err(|error| sentence(&error, names[1]))?;
        if has_values {
            forget_bytes(&mut found);
            opened[0].name(&mut found.a, a);
            opened[1].name(&mut found.b, b);
        }
        for ((side, name), label) in [&mut found.a, &mut found.b].into_iter().zip(there).zip(["a/", "b/"]) {
            side.name = name.map(|name| format!("{label}{}", name.display()));
        }
        let files = [opened[0].file(), opened[1].file()];
        let drawing = picture(&found, [a, b], files, PictureBudget::PAGE_DIFFERENCE, context.limits).ok();
        let page = page::of_two(&found, [a, b], files, drawing.as_ref(), context);
        // If the page cannot be written, the comparison is still reported.
        let _ = page.and_then(|page| {
            context.limits.ensure_output("the page", page.len() as u64)?;
            ndbytes::replace_file(out, page.as_bytes())
        });
        let note = agreed.map_or_else(String::new, |agreed| format!("\n{}\n", agreed.note));
        Ok(of_diff(&found, there, &note))
    }
}

/// Returns whether a file with this name is compared: an array, a table, or an archive of them.
fn is_compared(path: &Path) -> bool {
    Name::of(path).is_some_and(|name| match name.content {
        Content::File(_) => true,
        Content::Archive(_) => !name.is_gzip,
        _ => false,
    })
}

/// Returns the text of a comparison: its title, its verdict, and its details.
fn of_diff(found: &Diff, there: [Option<&Path>; 2], note: &str) -> Told {
    let whole = found.to_string();
    let mut lines = whole.lines().map(|line| Shown(line).to_string());
    let (title, verdict) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
    let text = lines.collect::<Vec<_>>().join("\n") + note;
    Told { title, verdict, text, is_different: !found.is_equal(), ..named(there) }
}

/// Returns the names in a comparison.
fn named(there: [Option<&Path>; 2]) -> Told {
    let shown = |path: &Path| Shown(&path.to_string_lossy()).to_string();
    let side = |path: Option<&Path>, label: &str| {
        path.map_or_else(|| "no file".to_owned(), |path| format!("{label}{}", shown(path)))
    };
    let title = format!("{} → {}", side(there[0], "a/"), side(there[1], "b/"));
    let name = match there {
        [Some(old), Some(new)] if old == new => shown(new),
        _ => title.clone(),
    };
    Told { name, title, verdict: String::new(), text: String::new(), is_different: false }
}
