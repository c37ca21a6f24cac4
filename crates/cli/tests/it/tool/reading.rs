//! `cat`, `stats` and `info`, as a new user would try them.

use crate::support::tool::{Ended, json_lines, plain, run, run_here, run_in};
use ndbytes_testkit::{corpus, project};
use serde_json::json;
use std::fs;

fn in_samples(arguments: &[&str]) -> Ended {
    run_in(&project().join("samples"), arguments)
}

/// Runs the tool on a terminal with this many columns.
fn on_terminal(arguments: &[&str], width: usize) -> String {
    let samples = project().join("samples");
    let there = |argument: &&str| match samples.join(argument).exists() {
        true => samples.join(argument).to_str().unwrap().to_owned(),
        false => (*argument).to_owned(),
    };
    let ended = run_here(arguments.iter().map(there), &[], Some(width));
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    ended.stdout
}

#[test]
fn first_and_last_items_and_rows_are_printed() {
    for (arguments, expected) in [
        (&["cat", "-n", "3", "digits-idx1-ubyte"][..], "[0 1 2]\n"),
        (&["cat", "--head", "1", "digits-idx1-ubyte"], "[0]\n"),
        (&["cat", "--tail", "2", "digits-idx1-ubyte"], "[8 9]\n"),
        (&["cat", "--tail", "99", "digits-idx1-ubyte[::5]"], "[0 5]\n"),
        (&["cat", "--item", "3", "--item", "-1", "digits-idx1-ubyte"], "3\n\n9\n"),
        (
            &["cat", "-n", "1", "--columns", "Evergreen,Name", "trees.idv"],
            "   Evergreen  Name\n   Boolean    String\n0  True       pine\n1 row of 4 × 4 columns\n",
        ),
    ] {
        let ended = in_samples(arguments);
        assert_eq!((ended.status, &*ended.stdout), (0, expected), "{arguments:?}: {}", ended.stderr);
    }
}

#[test]
fn unknown_columns_are_refused_with_a_near_name() {
    let ended = in_samples(&["cat", "--columns", "label", "trees.idv"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("there is no column \"label\"; did you mean \"Label\"?"), "{}", ended.stderr);
    let ended = in_samples(&["cat", "--columns", "x", "surface.ra"]);
    assert!(ended.stderr.contains("`--columns` works only with tables, but this is an array"), "{}", ended.stderr);
}

#[test]
fn all_values_are_printed_if_asked_for() {
    let short = in_samples(&["cat", "digits-idx3-ubyte.gz"]).stdout;
    let all = in_samples(&["cat", "--all", "digits-idx3-ubyte.gz"]).stdout;
    assert!(short.contains("...") && !all.contains("..."));
    assert_eq!(all.split([' ', '[', ']', '\n']).filter(|word| !word.is_empty()).count(), 7840);
    let rows = |text: &str| text.lines().count();
    let table = ndbytes_testkit::corpus::root().join("idv/ok");
    let long = fs::read_dir(table).unwrap().map(|entry| entry.unwrap().path());
    for path in long {
        let path = path.to_str().unwrap();
        let (short, all) = (run(&["cat", path]).stdout, run(&["cat", "--all", path]).stdout);
        assert!(rows(&all) >= rows(&short), "{path}");
    }
}

#[test]
fn several_files_are_told_apart() {
    let ended = in_samples(&["cat", "digits-idx1-ubyte[:2]", "nothing", "trees.idv[:1]"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stdout.starts_with("digits-idx1-ubyte[:2]\n[0 1]\n\ntrees.idv[:1]\n"), "{}", ended.stdout);
}

#[test]
fn digits_look_like_digits() {
    let signs = in_samples(&["cat", "--images", "2", "digits-idx3-ubyte.gz"]).stdout;
    let lines: Vec<&str> = signs.lines().collect();
    assert_eq!(lines.len(), 15, "two lines of pixels are one of letters: {signs}");
    assert_eq!(lines[0], "the first 2 of 10 images of 28 × 28 pixels");
    assert!(signs.contains("=========") && signs.contains("@@@") && lines[1..].join("").is_ascii(), "{signs}");
    let blocks = on_terminal(&["cat", "--images", "2", "digits-idx3-ubyte.gz"], 80);
    assert_eq!(blocks.matches('▀').count(), 2 * 14 * 28);
    assert!(plain(&blocks).lines().all(|line| line.chars().count() <= 80));
    // On a narrow terminal, images are smaller.
    let narrow = plain(&on_terminal(&["cat", "--images", "1", "digits-idx3-ubyte.gz"], 20));
    assert!(narrow.lines().all(|line| line.chars().count() <= 20), "{narrow}");
    let numbers = in_samples(&["cat", "--images", "1", "surface.ra"]);
    assert_eq!((numbers.status, numbers.stdout.lines().count()), (0, 17), "{}", numbers.stdout);
    let refused = in_samples(&["cat", "--images", "1", "digits-idx1-ubyte"]);
    assert_eq!(refused.status, 2);
    assert!(refused.stderr.contains("an image needs two axes with several items"), "{}", refused.stderr);
}

#[test]
fn a_last_axis_of_three_is_shown_in_colours() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, channels: usize, pixel: &[u16]| {
        let pixels = pixel.iter().copied().cycle().take(8 * 10 * channels).collect();
        let array = ndarray::Array3::from_shape_vec((8, 10, channels), pixels).unwrap();
        ndbytes::b2nd::write(folder.path().join(name), &array).unwrap();
    };
    write("red.b2nd", 3, &[0xffff, 0, 0]);
    write("half.b2nd", 4, &[0, 0xffff, 0, 0x8000]);
    let shown = |name: &str| {
        let path = folder.path().join(name);
        let path = path.to_str().unwrap();
        (on_terminal(&["cat", "--images", "1", path], 80), run(&["cat", "--images", "1", path]).stdout)
    };
    // Red is terminal colour 196, and half-bright green is 28. Eight lines of pixels are four lines of text.
    let (red, signs) = shown("red.b2nd");
    assert!(red.contains("38;5;196") && red.contains("48;5;196") && red.matches('▀').count() == 40, "{red:?}");
    assert_eq!(signs, format!("8 × 10 pixels in red, green, blue\n{}", "::::::::::\n".repeat(4)));
    assert!(shown("half.b2nd").0.contains("38;5;28"), "{:?}", shown("half.b2nd").0);
}

#[test]
fn rules_of_every_format_are_tolerated() {
    for (path, rule) in
        [("idx/bad/trailing-one.idx", "idx/trailing-bytes"), ("idv/bad/trailing-byte.idv", "idv/trailing-bytes")]
    {
        for command in ["cat", "stats"] {
            assert_eq!(run(&[command, path]).status, 1, "{command} {path}");
            for name in [rule, "trailing-bytes"] {
                let ended = run(&[command, "--tolerate", name, path]);
                assert_eq!(ended.status, 0, "{command} {name} {path}: {}", ended.stderr);
                assert!(ended.stderr.contains(&format!("tolerated[{rule}]")), "{}", ended.stderr);
            }
        }
    }
    let both = ["cat", "--tolerate", "idx/trailing-bytes", "idx/bad/trailing-one.idx", "idv/ok/key-values.idv"];
    assert_eq!(run(&both).status, 0, "a rule may be about one of several files");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out.npy");
    let convert = ["convert", "--tolerate", "trailing-bytes", "idx/bad/trailing-one.idx", out.to_str().unwrap()];
    assert_eq!((run(&convert).status, out.exists()), (0, true));
    let ended = run(&["stats", "--tolerate", "idx/trailing-byte", "idx/ok/u8-2d.idx"]);
    assert_eq!(ended.status, 2);
    assert!(ended.stderr.contains("did you mean idx/trailing-bytes?"), "{}", ended.stderr);
}

#[test]
fn sizes_may_have_fractions_and_units() {
    for size in ["1048576", "64M", "1.5G", "1GiB", "512 KiB", "0.5t", "2gb"] {
        assert_eq!(in_samples(&["cat", "--max-memory", size, "digits-idx1-ubyte"]).status, 0, "{size}");
    }
    for size in ["", "G", "1..5G", "1e9", "-1", "1X", "1.5.5M", "99999999T", "NaN", "1GiBB"] {
        let ended = in_samples(&["cat", &format!("--max-memory={size}"), "digits-idx1-ubyte"]);
        assert_eq!(ended.status, 2, "{size}: {}", ended.stdout);
    }
}

#[test]
fn folders_are_listed_a_line_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let samples = project().join("samples");
    for (from, to) in [("surface.ra", "b/surface.ra"), ("trees.idv", "a.idv"), ("interrupted-idx3-ubyte", "c d")] {
        let to = folder.path().join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(samples.join(from), to).unwrap();
    }
    fs::write(folder.path().join("notes.txt"), "words").unwrap();
    let ended = run_in(folder.path(), &["info", "."]);
    assert_eq!(ended.status, 1, "one of them is broken");
    let lines: Vec<String> =
        ended.stdout.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        lines,
        [
            "format holds bytes address",
            "IDV 4 rows, 4 columns 777 ./a.idv",
            "RawArray 4 × 6 of <f4 160 ./b/surface.ra",
            "IDX ✗ idx/truncated-payload 2,468 './c d'",
            "3 files, 1 with errors, which `ndbytes check` reports; 1 of other formats",
        ]
    );
    let objects = json_lines(&run_in(folder.path(), &["info", "--json", "--digest", "."]).stdout);
    let formats: Vec<_> = objects.iter().map(|object| object["format"].clone()).collect();
    assert_eq!(formats, [json!("idv"), json!("rawarray"), json!(null)]);
    assert_eq!(objects[0]["digest"].as_str().unwrap().len(), 32);
}

#[test]
fn one_array_has_one_digest_in_any_format() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("t.npy");
    assert_eq!(in_samples(&["convert", "--lossy", "temperatures.b2nd", out.to_str().unwrap()]).status, 0);
    let digest = |path: &str| {
        let text = in_samples(&["info", "--digest", path]).stdout;
        text.lines().find_map(|line| line.strip_prefix("  digest ")).unwrap().trim().to_owned()
    };
    assert_eq!(digest("temperatures.b2nd"), digest(out.to_str().unwrap()));
    assert_ne!(digest("temperatures.b2nd"), digest("surface.ra"));
}

#[test]
fn attributes_are_shown_with_their_values() {
    let text = in_samples(&["info", "temperatures.b2nd"]).stdout;
    assert!(text.contains("  attribute    unit: \"0.1 °C\"\n"), "{text}");
    let object = &json_lines(&in_samples(&["info", "--json", "temperatures.b2nd"]).stdout)[0];
    let attribute = json!({"kind": "attribute", "name": "unit", "value": "\"0.1 °C\""});
    assert!(object["metadata"].as_array().unwrap().contains(&attribute), "{object}");
}

#[test]
fn blank_lines_stand_between_files_whatever_they_are() {
    let ended = in_samples(&["info", "trees.idv", "interrupted-idx3-ubyte", "surface.ra"]);
    assert_eq!(ended.status, 1);
    assert!(!ended.stdout.contains("\n\n\n") && !ended.stdout.starts_with('\n'), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n\nerror[idx/truncated-payload]"), "{}", ended.stdout);
    assert!(ended.stdout.contains("\n\nsurface.ra\n"), "{}", ended.stdout);
    let ended = in_samples(&["info", "nothing", "surface.ra", "nothing"]);
    assert!(ended.stdout.starts_with("surface.ra") && !ended.stdout.ends_with("\n\n"), "{}", ended.stdout);
}

#[test]
fn statistics_of_an_array_are_a_line_each() {
    let text = on_terminal(&["stats", "digits-idx1-ubyte"], 60);
    let rows: Vec<String> =
        plain(&text).lines().skip(1).map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    assert_eq!(
        rows,
        [
            "values 10",
            "min 0",
            "max 9",
            "mean 4.5",
            "std 2.87228",
            "sum 45",
            "zeros 1",
            "distinct 10",
            "histogram ██████████",
            "0 to 10, 1 each",
        ]
    );
}

#[test]
fn statistics_of_a_table_fit_the_terminal() {
    for width in [40, 60, 80, 120] {
        let text = plain(&on_terminal(&["stats", "trees.idv"], width));
        let long = text.lines().skip(1).find(|line| line.chars().count() > width);
        assert_eq!(long, None, "{width}");
        assert!(text.contains("  Features"), "{text}");
        assert!(width > 40 || text.ends_with("  6 columns not shown\n"), "{text}");
    }
    let object = &json_lines(&in_samples(&["stats", "--json", "trees.idv"]).stdout)[0];
    let names: Vec<_> = object["series"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["Name", "Label", "Features", "Evergreen"]);
    assert_eq!(object["series"][2]["mean"], json!(76.625));
    assert_eq!(object["series"][0]["lengths"], json!([3, 5]));
}

#[test]
fn chunks_are_told_with_their_compression() {
    let object = &json_lines(&in_samples(&["stats", "--json", "temperatures.b2nd"]).stdout)[0];
    assert_eq!(object["chunks"], json!({"lengths": [864, 864, 864], "stored": [700, 708, 309]}));
    let text = in_samples(&["stats", "temperatures.b2nd"]).stdout;
    assert!(text.contains("3, 1,717 of 2,592 bytes, 1.50961 ×\n"), "{text}");
}

#[test]
fn broken_values_are_reported_by_stats() {
    let ended = run(&["stats", "idv/bad/second-block.idv", "idx/ok/u8-2d.idx"]);
    assert_eq!(ended.status, 1);
    assert!(ended.stderr.starts_with("error["), "{}", ended.stderr);
    assert!(ended.stdout.contains("u8-2d.idx"), "the other file is summarised: {}", ended.stdout);
}

/// Every command that reads prints a line per file with the warning on standard error; `-q` suppresses it.
#[test]
fn warnings_are_said_by_every_command_that_reads_and_hushed_by_q() {
    const WARNED: &str = "idx/ok/scalar-u8.idx";
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one.idx", "two.idx"].map(|name| {
        let path = folder.path().join(name);
        fs::copy(ndbytes_testkit::corpus::root().join(WARNED), &path).unwrap();
        path.to_str().unwrap().to_owned()
    });
    let [one, two, all] = [&one[..], &two[..], folder.path().to_str().unwrap()];
    for (arguments, lines) in [
        (&["cat", one][..], 1),
        (&["info", one], 1),
        (&["info", one, two], 2),
        (&["info", all], 2),
        (&["stats", one], 1),
        (&["textconv", one], 1),
        (&["diff", one, two], 2),
        (&["diff", "/dev/null", one], 1),
    ] {
        let ended = run(arguments);
        let said: Vec<&str> = ended.stderr.lines().collect();
        assert_eq!(said.len(), lines, "{arguments:?}: {}", ended.stderr);
        assert!(said.iter().all(|line| line.starts_with("warning[idx/scalar]: ")), "{arguments:?}: {}", ended.stderr);
        assert_eq!(run(&[&["-q"], arguments].concat()).stderr, "", "{arguments:?}");
    }
}

#[test]
fn check_breaks_no_word_at_the_end_of_a_line() {
    let path = corpus::root().join("npy/bad/two-arrays.npy");
    let path = path.to_str().unwrap();
    let words = |text: &str| plain(text).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let piped = run(&["check", path]).stdout;
    assert!(piped.lines().any(|line| line.len() > 90), "{piped}");
    for width in [70, 80, 100] {
        let shown = run_here(["check", path], &[], Some(width)).stdout;
        let is_prose = |line: &&str| !line.contains(path) && !line.contains(" | ");
        let long = plain(&shown).lines().filter(is_prose).find(|line| line.chars().count() > width).map(str::to_owned);
        assert_eq!((long, words(&shown)), (None, words(&piped)), "{width}");
    }
}
