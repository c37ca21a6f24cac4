//! `ndbytes show` draws pictures in terminals, in pipes and in files.

use crate::support::tool::{run, run_here, run_in};
use ndbytes_testkit::project;
use ndbytes_testkit::snapshot::snapshot;
use std::fs;

fn sample(name: &str) -> String {
    project().join("samples").join(name).into_os_string().into_string().unwrap()
}

#[test]
fn pictures_in_a_pipe_are_as_before() {
    let mut text = String::new();
    for arguments in [
        &["surface.ra"][..],
        &["--scale", "rank", "surface.ra[1:]"],
        &["digits-idx3-ubyte.gz[3]"],
        &["digits-idx3-ubyte.gz[4:6]"],
        &["--as", "heat", "digits-idx3-ubyte.gz[0]"],
        &["temperatures.b2nd"],
        &["temperatures.b2nd[:, 2]"],
        &["--as", "line", "temperatures.b2nd"],
        &["--as", "histogram", "temperatures.b2nd"],
    ] {
        let ended = run_in(&project().join("samples"), &[&["show"], arguments].concat());
        assert_eq!((ended.status, &*ended.stderr), (0, ""), "{arguments:?}");
        text += &format!("$ ndbytes show {}\n{}\n", arguments.join(" "), ended.stdout);
    }
    snapshot("show", &text);
}

#[test]
fn a_terminal_gets_blocks_as_wide_as_it_is() {
    for width in [20, 40, 80, 200] {
        let ended = run_here(["show", &sample("surface.ra")], &[], Some(width));
        let plain = crate::support::tool::plain(&ended.stdout);
        assert!(plain.contains('▀') && plain.lines().all(|line| line.chars().count() <= width), "{plain}");
    }
    let none = run_here(["show", "--graphics", "none", &sample("surface.ra")], &[], Some(80)).stdout;
    assert!(!none.contains(['▀', '\u{1b}']), "{none}");
}

#[test]
fn graphics_are_sent_if_they_are_asked_for_and_text_else() {
    let shown = |way: &str| run(&["show", "--graphics", way, &sample("surface.ra")]).stdout;
    assert!(shown("kitty").starts_with("\u{1b}_Ga=T,f=100,"));
    assert!(shown("iterm").starts_with("\u{1b}]1337;File=inline=1;"));
    assert!(shown("sixel").starts_with("\u{1b}P0;1q"));
    assert_eq!(shown("auto"), shown("none"));
}

#[test]
fn a_picture_is_written_to_a_file_that_is_named_and_to_no_input() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let input = place("a.ra");
    fs::copy(sample("surface.ra"), &input).unwrap();
    for (name, head) in [("a.png", &b"\x89PNG\r\n"[..]), ("a.SVG", b"<svg ")] {
        let ended = run(&["show", "--out", &place(name), &input]);
        assert_eq!((ended.status, &*ended.stdout), (0, ""));
        assert!(ended.stderr.starts_with("wrote the picture "), "{}", ended.stderr);
        assert!(fs::read(place(name)).unwrap().starts_with(head));
    }
    let refused = run(&["show", "--out", &place("a.jpg"), &input]);
    assert!(refused.status == 2 && refused.stderr.contains("must end with .png or .svg"), "{}", refused.stderr);
    // A file in a known format is not replaced without `--force`.
    let taken = place("taken.png");
    fs::copy(&input, &taken).unwrap();
    let refused = run(&["show", "--out", &taken, &input]);
    assert!(refused.status == 2 && refused.stderr.contains("`--force` replaces it"), "{}", refused.stderr);
    assert_eq!(run(&["show", "--force", "--out", &taken, &input]).status, 0);
    fs::copy(sample("surface.ra"), &taken).unwrap();
    let itself = run(&["show", "--force", "--out", &taken, &taken]);
    assert!(itself.status == 2 && itself.stderr.contains("is never replaced"), "{}", itself.stderr);
}

#[test]
fn what_makes_no_picture_is_refused_by_name() {
    for (path, reason) in [
        ("trees.idv", "only arrays can be drawn, but this is a table; `stats` prints its histograms"),
        ("temperatures.b2nd[3:3]", "the array is empty"),
        ("interrupted-idx3-ubyte", "idx/truncated-payload"),
    ] {
        let ended = run(&["show", &sample(path)]);
        assert!(ended.status > 0 && ended.stderr.contains(reason), "{path}: {}", ended.stderr);
    }
    let mended = run(&["show", "--tolerate", "truncated-payload", &sample("interrupted-idx3-ubyte")]);
    assert!(mended.status == 0 && mended.stderr.contains("tolerated[idx/truncated-payload]"), "{}", mended.stderr);
}
