//! Integration with shells and manuals: completions, manual pages, colours, and the version.

use crate::support::tool::{plain, run, run_here};
use std::fs;

const COMMANDS: [&str; 9] = ["info", "check", "explain", "cat", "convert", "rules", "schema", "completions", "man"];

#[test]
fn completions_know_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let ended = run(&["completions", shell]);
        assert_eq!((ended.status, ended.stderr.as_str()), (0, ""), "{shell}");
        for word in COMMANDS.iter().chain(&["max-memory", "deny-warnings"]) {
            assert!(ended.stdout.contains(word), "{shell}: {word}");
        }
    }
    assert_eq!(run(&["completions", "tcsh"]).status, 2);
}

#[test]
fn completions_name_the_rules_where_a_rule_is_wanted() {
    for shell in ["bash", "zsh", "fish"] {
        let script = run(&["completions", shell]).stdout;
        let lines = |part: &str| script.lines().filter(|line| line.contains(part)).count();
        // `--tolerate` accepts only the first rule, and `forge --broken` accepts both.
        assert!(lines("idx/trailing-bytes") > lines("unknown-format") && lines("unknown-format") > 0, "{shell}");
    }
}

#[test]
fn the_script_for_bash_is_one() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("ndbytes.bash");
    fs::write(&script, run(&["completions", "bash"]).stdout).unwrap();
    match std::process::Command::new("bash").arg("-n").arg(&script).status() {
        Ok(status) => assert!(status.success()),
        Err(error) => eprintln!("skipped: no bash: {error}"),
    }
}

#[test]
fn every_subcommand_has_a_manual_page() {
    let folder = tempfile::tempdir().unwrap();
    let ended = run(&["man", folder.path().to_str().unwrap()]);
    assert_eq!((ended.status, ended.stdout.as_str(), ended.stderr.as_str()), (0, "", ""));
    for name in COMMANDS {
        let page = fs::read_to_string(folder.path().join(format!("ndbytes-{name}.1"))).unwrap();
        assert!(page.contains(&format!(".TH ndbytes-{name} 1")), "{page}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("ndbytes.1")).unwrap(), run(&["man"]).stdout);
    let ended = run(&["man", "/nonexistent/folder"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.starts_with("error: /nonexistent/folder: "), "{}", ended.stderr);
}

#[test]
fn a_manual_page_has_examples_and_exit_status() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("new");
    run(&["man", folder.to_str().unwrap()]);
    let page = fs::read_to_string(folder.join("ndbytes-diff.1")).unwrap();
    for part in
        [".SH EXAMPLES\n", ".SH \"EXIT STATUS\"\n", ".SH ENVIRONMENT\n", ".SH \"SEE ALSO\"\n", "runs.html old/ new/"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let name = page.lines().skip_while(|line| *line != ".SH NAME").nth(1).unwrap();
    assert_eq!(name, "ndbytes\\-diff \\- Compare two files or directories: values, structure and findings");
}

/// The maximum number of lines of `ndbytes --help`.
const HELP_LINES: usize = 40;

#[test]
fn the_help_fits_a_screen_and_has_one_line_per_command() {
    let help = run(&["--help"]).stdout;
    assert!(help.lines().count() <= HELP_LINES, "{} lines: {help}", help.lines().count());
    for command in ndbytes_cli::command_line().get_subcommands() {
        let name = command.get_name();
        let lines = help.lines().filter(|line| line.trim_start().split(' ').next() == Some(name)).count();
        assert_eq!(lines, usize::from(!command.is_hide_set()), "{name}: {help}");
        let about = command.get_about().unwrap().to_string();
        assert!(about.len() <= 80 && !about.ends_with('.'), "{name}: {about}");
    }
}

/// The maximum number of options under one heading of a help text.
const OPTIONS: usize = 8;

#[test]
fn options_are_grouped_and_the_global_ones_come_last() {
    for command in ndbytes_cli::command_line().get_subcommands().map(clap::Command::get_name) {
        let help = run(&["help", command]).stdout;
        let heading = |line: &&str| line.ends_with(':') && !line.starts_with(' ');
        let headings: Vec<&str> = help.lines().filter(heading).filter(|line| *line != "Examples:").collect();
        assert_eq!(headings.last(), Some(&"Global options:"), "{command}: {help}");
        let mut options = 0;
        for line in help.lines() {
            options = if heading(&line) {
                0
            } else {
                options + usize::from(line.trim_start().starts_with('-') && !line.trim_start().starts_with("- "))
            };
            assert!(options <= OPTIONS + 4, "{command}: {help}");
        }
    }
}

#[test]
fn the_examples_in_the_help_are_command_lines() {
    for command in ndbytes_cli::command_line().get_subcommands().filter(|command| !command.is_hide_set()) {
        let command = command.get_name();
        let help = run(&[command, "--help"]).stdout;
        let examples: Vec<&str> = help.lines().filter(|line| line.starts_with("  ndbytes ")).collect();
        assert!(!examples.is_empty(), "{help}");
        for example in examples {
            let line = example.trim().split("  ").next().unwrap().replace("'x.npy[0, 5:8]'", "x.npy[:]");
            let parsed = ndbytes_cli::command_line().try_get_matches_from(line.split(' '));
            assert!(parsed.is_ok(), "{line}: {}", parsed.unwrap_err());
        }
    }
}

#[test]
fn colours_are_printed_where_they_are_wanted() {
    let has_colours = |width, arguments: &[&str]| {
        let text = run_here(arguments.iter().copied(), &[], width).stdout;
        assert!(plain(&text).starts_with("idx/scalar  warning\n"), "{text}");
        text.contains('\u{1b}')
    };
    let rules = ["rules", "idx/scalar"];
    assert_eq!([None, Some(80)].map(|width| has_colours(width, &rules)), [false, true]);
    for (word, expected) in [("auto", [false, true]), ("always", [true, true]), ("never", [false, false])] {
        let arguments = [&rules[..], &["--color", word]].concat();
        assert_eq!([None, Some(80)].map(|width| has_colours(width, &arguments)), expected, "{word}");
    }
}

#[test]
fn the_long_version_says_what_is_built_in() {
    let (short, long) = (run(&["-V"]).stdout, run(&["--version"]).stdout);
    assert_eq!(short, format!("ndbytes {}\n", env!("CARGO_PKG_VERSION")));
    assert!(long.starts_with(short.trim_end()), "{long}");
    for format in ndbytes::Format::ALL {
        assert!(long.contains(format.title()), "{long}");
    }
    let zstd = if cfg!(feature = "zstd") { "zstd (reference implementation, in C)" } else { "zstd (pure Rust)" };
    assert!(long.contains(zstd), "{long}");
}
