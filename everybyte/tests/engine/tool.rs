//! The command line tool of a format.

use everybyte::bits::*;
use everybyte::tool::{Outcome, run};
use everybyte::{Format, layout, text::NulString};
use std::ffi::OsString;
use std::fs;

/// A name and its marks.
#[layout]
#[brw(little)]
struct Named {
    /// Ends with a zero byte.
    name: NulString,
    marks: Marks,
    ratio: f32,
}

#[layout(bits = 8)]
struct Marks {
    /// The first.
    first: bool,
    others: B7,
}

impl Format for Named {
    const NAME: &'static str = "named";
}

/// Runs the tool, and returns the outcome, the output and the messages.
fn ran(arguments: &[&str]) -> (Outcome, String, String) {
    let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let outcome = run::<Named>(&arguments, &mut out, &mut err).unwrap();
    (outcome, String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap())
}

#[test]
fn usage_is_printed_where_it_belongs() {
    let (outcome, help, nothing) = ran(&["--help"]);
    assert_eq!((outcome, nothing.as_str()), (Outcome::Clean, ""));
    for wrong in [
        &[][..],
        &["check"],
        &["explain"],
        &["explain", "--json"],
        &["explain", "--html"],
        &["explain", "--html", "a"],
        &["explain", "--html=a"],
        &["explain", "--some", "a"],
        &["explain", "a", "b"],
        &["schema", "a"],
        &["diff", "a"],
        &["diff", "--some", "a", "b"],
        &["forge", "a"],
        &["forge", "--some", "a", "b", "c"],
        &["set", "a", "b=1"],
        &["set", "a", "--out", "b"],
        &["fix", "a"],
        &["fix", "a", "b=1", "--out", "c"],
    ] {
        assert_eq!(ran(wrong), (Outcome::Unusable, String::new(), help.clone()), "{wrong:?}");
    }
}

#[test]
fn options_of_limits_bound_the_map_and_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("named").to_str().unwrap().to_owned();
    fs::write(&path, b"a\0\x03\0\0\0\0").unwrap();
    let (outcome, whole, _) = ran(&["explain", &path]);
    assert_eq!((outcome, whole.contains("ratio")), (Outcome::Clean, true));
    let (_, cut, _) = ran(&["--max-fields", "2", "explain", &path]);
    assert!(cut.contains("the map has room for 2 fields") && !cut.contains("ratio"), "{cut}");
    assert_eq!(ran(&["explain", "--max-fields", "2", &path]).1, cut);
    let (outcome, out, _) = ran(&["check", "--max-depth", "0", &path]);
    assert_eq!((outcome, out), (Outcome::Clean, format!("{path}: every byte accounted for\n")));
    for (wrong, shown) in [(&["check", "--max-depth", "many"][..], "many"), (&["check", "a", "--max-spaces"], "")] {
        let sentence =
            format!("error: {} takes a number, not {shown:?}\n", wrong.iter().find(|w| w.starts_with("--")).unwrap());
        assert_eq!(ran(wrong), (Outcome::Unusable, String::new(), sentence));
    }
}

#[test]
fn the_exit_status_is_that_of_the_worst_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("good"), b"a\0\x03\0\0\0\0").unwrap();
    fs::write(path("bad"), b"a\0\x03\0\0\0\0\0").unwrap();
    let (good, bad, absent) = (&path("good"), &path("bad"), &path("absent"));
    assert_eq!(ran(&["check", good]).0, Outcome::Clean);
    let (outcome, out, _) = ran(&["check", good, bad]);
    assert_eq!(outcome, Outcome::Findings);
    assert_eq!(
        out,
        format!("{good}: every byte accounted for\n{bad}: gap: gap, at byte 7: no field claims this byte\n")
    );
    let (outcome, out, err) = ran(&["check", absent, bad]);
    assert_eq!((outcome, out.lines().count(), err.lines().count()), (Outcome::Unusable, 1, 1));
    assert_eq!(ran(&["explain", bad]).0, Outcome::Findings);
    assert_eq!(ran(&["explain", absent]).0, Outcome::Unusable);
}

#[test]
fn a_page_has_the_fields_the_findings_and_the_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a<b>.named");
    fs::write(&path, b"a</script>\0\x03\0\0\0\0!").unwrap();
    let (outcome, page, err) = ran(&["explain", "--html", "-", path.to_str().unwrap()]);
    assert_eq!((outcome, &*err), (Outcome::Findings, ""));
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("<title>a&lt;b&gt;.named</title>"));
    assert!(everybyte::page::is_page(page.as_bytes(), "everybyte") && !page.contains("a</script>"));
    let island = page.split_once("id=\"data\">").unwrap().1.split_once("</script>").unwrap().0;
    for part in [
        r#""title":"a\u003cb\u003e.named""#,
        r#""kind":"named","size":17,"verdict":"error","unclaimed":1,"errors":1,"warnings":0"#,
        r#""rule":"gap","message":"no field claims this byte","field":"gap""#,
        r#""pictures":null,"bytes":[{"space":0,"start":0,"bytes":"YTwvc2NyaXB0PgADAAAAACE="}]"#,
        r#"a\u003c/script\u003e"#,
    ] {
        assert!(island.contains(part), "{part}\n{island}");
    }
}

#[test]
fn a_page_of_a_large_file_stays_small() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large");
    fs::write(&path, vec![b'<'; 5 << 20]).unwrap();
    let page = ran(&["explain", "--html=-", path.to_str().unwrap()]).1;
    assert!(page.len() < 2 << 20, "{}", page.len());
}

#[test]
fn a_page_is_written_to_a_new_file_or_in_place_of_a_page() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (file, page) = (path("file"), path("page.html"));
    fs::write(&file, b"a\0\x03\0\0\0\0").unwrap();
    let printed = ran(&["explain", "--html=-", &file]).1;
    for arguments in [vec!["--html".to_owned(), page.clone()], vec![format!("--html={page}")]] {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let ended = ran(&[&["explain"], &arguments[..], &[&file]].concat());
        assert_eq!(ended, (Outcome::Clean, String::new(), format!("wrote the page {page}\n")));
        assert_eq!(fs::read_to_string(&page).unwrap(), printed);
    }
    let refused = format!("error: {file}: it exists and is not a page of everybyte: name another file\n");
    assert_eq!(ran(&["explain", "--html", &file, &page]), (Outcome::Unusable, String::new(), refused));
    assert_eq!(fs::read(&file).unwrap(), b"a\0\x03\0\0\0\0");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn json_is_one_object_that_steers_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    fs::write(&path, b"\"\\\x1b[2J\xff\0\x83\0\0\xc0\x7f!").unwrap();
    let (outcome, out, _) = ran(&["explain", "--json", path.to_str().unwrap()]);
    assert_eq!((outcome, out.matches('\n').count()), (Outcome::Findings, 1));
    assert!(out.trim_end().chars().all(|letter| !letter.is_control()), "{out:?}");
    let (_, content) = out.trim_end().split_once("\"format\"").unwrap();
    let expected = [
        r#":"named","size":14,"spaces":[{"id":0,"title":"file","length":14,"opened_by":null}],"#,
        r#""spans":[{"path":"name","space":0,"offset":0,"length":8,"type":"NulString","#,
        r#""value":"\"\\\u001b[2Jÿ","meaning":"","doc":"Ends with a zero byte."},"#,
        r#"{"path":"marks","space":0,"offset":8,"length":1,"type":"Marks","value":131,"#,
        r#""meaning":"first, others = 0x41","doc":"","#,
        r#""bits":[{"name":"first","first":0,"width":1,"value":1},{"name":"others","first":1,"width":7,"value":65}]},"#,
        r#"{"path":"ratio","space":0,"offset":9,"length":4,"type":"f32","value":null,"meaning":"","doc":""},"#,
        r#"{"path":"gap","space":0,"offset":13,"length":1,"type":"","value":null,"#,
        r#""meaning":"1 byte that no field claims","doc":"Bytes that no field claims."}],"#,
        r#""findings":[{"rule":"gap","path":"gap","space":0,"offset":13,"length":1,"#,
        r#""message":"no field claims this byte"}]}"#,
    ];
    assert_eq!(content, expected.concat());
}

#[test]
fn two_files_are_compared_field_by_field() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), b"ab\0\x03\0\0\0\0").unwrap();
    fs::write(path("b"), b"cb\0\x02\0\0\0\0!").unwrap();
    let (a, b, absent) = (&*path("a"), &*path("b"), &*path("absent"));
    let (outcome, out, _) = ran(&["diff", a, a]);
    assert_eq!((outcome, out), (Outcome::Clean, format!("{a} → {a}  named  8 → 8 bytes\nidentical\n")));
    let (outcome, out, _) = ran(&["diff", a, b]);
    let expected = format!(
        "{a} → {b}  named  8 → 9 bytes\n\n\
         structure\n  \
         name: ab → cb   (at 0x0)\n  \
         marks: the first: yes → no   (at 0x3)\n  \
         gap: added: 1 byte that no field claims   (at 0x8)\n\n\
         findings of the second file alone\n  \
         gap: gap, at byte 8: no field claims this byte\n"
    );
    assert_eq!((outcome, out), (Outcome::Findings, expected));
    let (_, out, _) = ran(&["diff", "--ignore", "name", "--all", a, b]);
    assert!(!out.contains("name: ab") && out.contains("not shown: 1 ignored change"), "{out}");
    let (outcome, _, err) = ran(&["diff", "--ignore", "a[", a, b]);
    let message = "error: --ignore a[: the bracket is not closed, at character 2 of the pattern\n";
    assert_eq!((outcome, err.as_str()), (Outcome::Unusable, message));
    assert_eq!(ran(&["diff", a, absent]).0, Outcome::Unusable);
}

#[test]
fn git_names_a_file_that_is_missing_dev_null() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), b"ab\0\x03\0\0\0\0").unwrap();
    fs::write(path("b"), b"cb\0\x03\0\0\0\0!").unwrap();
    let git = |old: &str, new: &str| ran(&["git-diff", "x.named", old, "12ab", "100644", new, "cd34", "100644"]);
    let (a, b) = (&*path("a"), &*path("b"));
    let clean = |out: &str| (Outcome::Clean, out.to_owned(), String::new());
    assert_eq!(git("/dev/null", a), clean("x.named  named  added: 8 bytes\n"));
    assert_eq!(git(b, "/dev/null"), clean("x.named  named  deleted: 9 bytes\n"));
    let (outcome, out, _) = git(a, b);
    assert_eq!((outcome, out.contains("name: ab → cb")), (Outcome::Clean, true), "{out}");
    let (outcome, out, err) = git(a, &path("absent"));
    assert_eq!((outcome, out.as_str(), err.lines().count()), (Outcome::Unusable, "", 1));
}

#[test]
fn differences_in_json_are_one_object() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), b"a\0\x03\0\0\0\0").unwrap();
    fs::write(path("b"), b"a\0\x02\0\0\0\0").unwrap();
    let (outcome, out, _) = ran(&["diff", "--json", &path("a"), &path("b")]);
    assert_eq!((outcome, out.matches('\n').count()), (Outcome::Findings, 1));
    let (_, content) = out.split_once("\"verdict\"").unwrap();
    let expected = [
        r#":"differ","counts":{"changed":1,"added":0,"removed":0,"reordered":0,"points_elsewhere":0,"#,
        r#""follows":0,"moved":0,"recoded":0,"ignored":0,"unread_bytes":0,"further":0},"#,
        r#""structure":[{"kind":"changed","key":"marks","bits":"first","#,
        r#""a":{"space":0,"offset":2,"length":1,"value":1,"meaning":"","text":"yes"},"#,
        r#""b":{"space":0,"offset":2,"length":1,"value":0,"meaning":"","text":"no"}}],"#,
        r#""data":[],"findings":{"gone":[],"new":[]}}"#,
    ];
    assert_eq!(content.trim_end(), expected.concat());
}

#[test]
fn the_field_reference_has_a_page_for_each_type() {
    let (_, out, _) = ran(&["schema", "--ksy"]);
    assert!(out.starts_with("# Generated from the declaration") && out.contains("\nseq:\n"), "{out}");
    let (_, out, _) = ran(&["schema", "--hexpat"]);
    assert!(out.contains("import std.mem;") && !out.contains("ndbytes"), "{out}");
    let (_, out, _) = ran(&["schema"]);
    let expected = "Named  A name and its marks.\n  name   NulString  Ends with a zero byte.\n  marks  Marks\n  ratio  f32\n\n\
                    Marks\n  bits 0      first   The first.\n  bits 1..=7  others\n\n";
    assert_eq!(out.lines().map(str::trim_end).collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>());
}

#[test]
fn mutants_are_made_again_from_their_recipes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a.named"), b"ab\0\x03\0\0\0\0").unwrap();
    let (file, to) = (&*path("a.named"), &*path("made"));
    let (outcome, out, err) = ran(&["forge", "--seed", "7", "--count", "20", "--repair", "nothing", file, to]);
    assert_eq!((outcome, out.lines().count(), err.as_str()), (Outcome::Clean, 20, ""));
    for number in 1..=20 {
        let [made, recipe] = ["named", "recipe"].map(|kind| path(&format!("made/named-7-{number}.{kind}")));
        let again = path(&format!("again-{number}"));
        assert_eq!(ran(&["forge", "--replay", &recipe, file, &again]), (Outcome::Clean, String::new(), String::new()));
        assert_eq!(fs::read(&made).unwrap(), fs::read(&again).unwrap());
        assert_ne!(fs::read(&made).unwrap(), fs::read(file).unwrap());
        assert!(
            fs::read_to_string(&recipe).unwrap().starts_with("# forge 1 named seed=7 from=a.named\nrepair nothing\n")
        );
    }
}

#[test]
fn the_forge_overwrites_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), b"ab\0\x03\0\0\0\0").unwrap();
    fs::write(path("recipe"), "set marks = 1").unwrap();
    fs::write(path("wrong"), "set sparks = 1").unwrap();
    let (file, recipe, wrong) = (&*path("a"), &*path("recipe"), &*path("wrong"));
    let (outcome, _, err) = ran(&["forge", "--replay", recipe, file, file]);
    assert_eq!((outcome, err.lines().count()), (Outcome::Unusable, 1));
    assert_eq!(fs::read(file).unwrap(), b"ab\0\x03\0\0\0\0");
    let (outcome, _, err) = ran(&["forge", "--replay", wrong, file, &path("out")]);
    let message = "step 1 of the recipe, `set sparks = 1`: the file has no field `sparks`\n";
    assert_eq!((outcome, err), (Outcome::Unusable, format!("error: {wrong}: {message}")));
    let (outcome, _, err) = ran(&["forge", "--repair", "luck", file, &path("out")]);
    assert_eq!(
        (outcome, err.starts_with("error: --repair luck: `luck` is not a role")),
        (Outcome::Unusable, true),
        "{err}"
    );
}

#[test]
fn an_edit_is_written_as_a_whole_to_a_new_file_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::write(path("a"), b"ab\0\x03\0\0\0\0").unwrap();
    let (file, out) = (&*path("a"), &*path("out"));
    let (outcome, said, err) = ran(&["set", file, "name=a=b", "marks.first=0", "ratio=1.5", "--out", out]);
    assert_eq!((outcome, said, &*err), (Outcome::Clean, format!("{out}: every byte accounted for\n"), ""));
    assert_eq!(fs::read(out).unwrap(), b"a=b\0\x02\0\0\xC0\x3F");
    for (target, value, message) in [
        (out, "ratio=2", format!("error: {out}: the file exists, and no file is overwritten: name another one\n")),
        (file, "ratio=2", format!("error: {file}: the file exists, and no file is overwritten: name another one\n")),
        (folder.path().to_str().unwrap(), "ratio=2", format!("error: {}: the file exists", folder.path().display())),
        (&path("none/out"), "ratio=2", format!("error: {}: ", path("none/out"))),
        (&path("new"), "ratio=1e300", format!("error: {file}: `ratio` does not keep")),
        (&path("new"), "ratio=much", format!("error: {file}: `ratio` takes a number")),
        (&path("new"), "marks.first=2", format!("error: {file}: `marks.first` has no room for 2: it takes 0 to 1")),
        (&path("new"), "spark=2", format!("error: {file}: the file has no field `spark`")),
        (&path("new"), "ratio", "error: `ratio` should be PATH=VALUE\n".to_owned()),
        (&path("new"), "name=a\0b", format!("error: {file}: `name` ends at a zero byte")),
    ] {
        let (outcome, said, err) = ran(&["set", file, value, "--out", target]);
        assert_eq!((outcome, &*said, err.lines().count()), (Outcome::Unusable, "", 1), "{value} {err}");
        assert!(err.starts_with(&message), "{err}");
    }
    // A leftover from a killed process with the same ID.
    let part = format!(".everybyte-{}-0.part", std::process::id());
    fs::write(path(&part), "half").unwrap();
    assert_eq!(ran(&["fix", file, "--out", &path("fixed")]).0, Outcome::Clean);
    assert_eq!(fs::read(path("fixed")).unwrap(), fs::read(file).unwrap());
    let mut left: Vec<_> = folder.path().read_dir().unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, [&*part, "a", "fixed", "out"]);
    assert_eq!(fs::read(out).unwrap(), b"a=b\0\x02\0\0\xC0\x3F");
}
