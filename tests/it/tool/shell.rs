//! Integration with shells and manuals: completions, pages, colours, its version.

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
        // `--tolerate` takes the first one, `forge --broken` both.
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
    assert_eq!(name, "ndbytes\\-diff \\- Compare two files: bytes, structure, values, findings");
}

#[test]
fn the_examples_in_the_help_are_command_lines() {
    let commands = [
        "info", "check", "fix", "diff", "convert", "merge", "cat", "show", "stats", "forge", "rules", "seal", "explain",
    ];
    for command in commands {
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
    let zstd = if cfg!(feature = "zstd") { "zstd (reference implementation, in C)" } else { "zstd (in Rust alone)" };
    assert!(long.contains(zstd), "{long}");
}
