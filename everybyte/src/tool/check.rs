//! The command `check`: reports problems in files.

use super::described::Described;
use super::input::{read, shown};
use super::outcome::Outcome;
use crate::error::amount;
use std::ffi::OsStr;
use std::io::{self, Write};

pub fn run(format: &dyn Described, paths: &[&OsStr], out: &mut dyn Write, err: &mut dyn Write) -> io::Result<Outcome> {
    let mut outcome = Outcome::Clean;
    for path in paths {
        let Some(file) = read(path, err)? else {
            outcome = Outcome::Unusable;
            continue;
        };
        let (findings, unclaimed) = format.check(&file);
        for finding in &findings {
            writeln!(out, "{}: {finding}", shown(path))?;
        }
        if findings.is_empty() {
            match unclaimed {
                0 => writeln!(out, "{}: every byte accounted for", shown(path))?,
                _ => writeln!(out, "{}: nothing is wrong; no field claims {}", shown(path), amount(unclaimed))?,
            }
        } else if outcome == Outcome::Clean {
            outcome = Outcome::Findings;
        }
    }
    Ok(outcome)
}
