//! Specifications that no layout can express: all reasons are reported, with their positions.

/// Returns the reasons, one per line.
fn reasons(text: &str) -> Vec<String> {
    let spec = crate::spec(text);
    spec.rust().unwrap_err().iter().map(ToString::to_string).collect()
}

#[test]
fn a_specification_is_refused_with_all_reasons_and_their_places() {
    let text = "
meta: {id: refused, endian: le}
seq:
  - {id: place, type: u4}
  - {id: packed, size: 4, process: zlib}
  - {id: left, size: _io.size - 4}
  - {id: sjis, type: str, size: 4, encoding: Shift_JIS}
  - {id: odd, type: b3}
  - {id: body, type: inner, size-eos: true}
  - {id: after, size: 2, terminator: 1}
instances:
  table: {pos: place, type: u4}
types:
  inner:
    meta:
      endian: {switch-on: _root.place, cases: {1: le, _: be}}
    seq:
      - {id: number, type: u2}
      - {id: items, size: number, repeat: eos}
";
    let wanted = [
        "specification:5:5: `packed` is unpacked by the process `zlib`",
        "specification:6:22: `_io.size - 4`: it reads the stream, `_io`",
        "specification:7:5: the encoding of `sjis` is not one of UTF-8, UTF-16, ASCII and ISO-8859-1",
        "specification:8:5: the bits of `odd` end inside a byte",
        "specification:9:5: `body` takes all remaining bytes, but is not last",
        "specification:10:5: the bytes of `after` have a terminator or padding",
        "specification:12:3: `table` is read elsewhere in the file",
        "specification:16:27: the byte order of `inner` is chosen by `_root.place`",
        "specification:19:9: an element of `items` may be empty",
    ];
    assert_eq!(reasons(text), wanted);
}

#[test]
fn values_that_are_made_of_each_other_are_refused_when_they_grow() {
    let instances: String = (1..40).map(|n| format!("  v{n}: {{value: v{} + v{}}}\n", n - 1, n - 1)).collect();
    let text = format!(
        "meta: {{id: grown}}\nseq:\n  - {{id: a, type: u1}}\n  - {{id: b, size: v39}}\ninstances:\n  v0: {{value: a}}\n{instances}"
    );
    let wanted = "specification:4:19: `v39`: the expanded expression has more than 2000 bytes";
    assert_eq!(reasons(&text), [wanted]);
}

#[test]
fn a_value_that_depends_on_itself_is_refused() {
    let text = "
meta: {id: looped}
seq:
  - {id: a, size: b}
instances:
  b: {value: 1, if: b == 1}
";
    let wanted = "specification:4:19: `b`: values refer to each other more than 50 deep";
    assert_eq!(reasons(text), [wanted]);
}

#[test]
fn a_field_that_is_used_before_it_is_read_is_refused() {
    let text = "{meta: {id: early}, seq: [{id: a, size: b}, {id: b, type: u1}]}";
    assert_eq!(reasons(text), ["specification:1:41: `b`: `b` is not read yet"]);
}
