//! The excerpt for a broken file in its snapshot.

use std::ops::Range;

/// The number of rows of a map to keep before and after a finding.
const AROUND: usize = 3;

/// The findings in the transcript of a command, with the rows of maps around their bytes. The errors of `info` are also
/// in the transcript of `explain`, so only their rules are kept.
pub fn of_bad_file(transcript: &str) -> String {
    let lines: Vec<&str> = transcript.lines().collect();
    let has_failed = lines.iter().any(|line| line.starts_with("$ ndbytes info") && !line.ends_with("[exit 0]"));
    if has_failed {
        let kept = lines.iter().filter(|line| line.starts_with("$ ") || is_finding(line));
        return format!("\n{}", kept.map(|line| format!("{line}\n")).collect::<String>());
    }
    let findings: Vec<Range<u64>> = lines.iter().filter_map(|line| bytes_of_finding(line)).collect();
    let mut text = String::new();
    let mut rest = &lines[..];
    while let Some((line, after)) = rest.split_first() {
        let length = rest.iter().take_while(|line| is_row(line)).count();
        if length == 0 {
            text += &format!("{line}\n");
            rest = after;
            continue;
        }
        let (map, after) = rest.split_at(length);
        text += &around(map, &findings);
        rest = after;
    }
    text
}

fn is_finding(line: &str) -> bool {
    ["error[", "warning[", "note[", "error:"].iter().any(|start| line.starts_with(start))
}

/// The bytes of a finding, from the line with its position: `bytes 0x10..0x14`, `at byte 0x10`.
fn bytes_of_finding(line: &str) -> Option<Range<u64>> {
    let place = line.trim_start().strip_prefix("--> ")?;
    let number = |text: &str| {
        let digits = text.trim_start_matches("0x");
        let end = digits.find(|letter: char| !letter.is_ascii_hexdigit()).unwrap_or(digits.len());
        u64::from_str_radix(&digits[..end], 16).ok()
    };
    if let Some((_, at)) = place.rsplit_once("at byte ") {
        return number(at).map(|at| at..at + 1);
    }
    let (start, end) = place.rsplit_once("bytes ")?.1.split_once("..")?;
    Some(number(start)?..number(end)?)
}

/// The offset of a row of a map. Rows of bits begin with their byte.
fn start_of_row(line: &str) -> Option<u64> {
    let (start, _) = line.split_once("  ").filter(|(start, _)| start.len() == 8)?;
    u64::from_str_radix(start, 16).ok()
}

fn is_row(line: &str) -> bool {
    start_of_row(line).is_some() || line.trim_start().starts_with("bit ") || line.trim_start().starts_with("bits ")
}

/// The first and the last row of a map for each finding, with the rows around them. If no finding is about any row, the
/// first rows are kept.
fn around(map: &[&str], findings: &[Range<u64>]) -> String {
    let mut starts = Vec::new();
    for line in map {
        starts.push(start_of_row(line).or(starts.last().copied()).unwrap_or(0));
    }
    let end = |row: usize| starts[row..].iter().copied().find(|&start| start > starts[row]).unwrap_or(starts[row] + 1);
    let ends = findings.iter().flat_map(|bytes| {
        let is_meant = |row: &usize| starts[*row] < bytes.end.max(bytes.start + 1) && bytes.start < end(*row);
        [(0..map.len()).find(is_meant), (0..map.len()).rfind(is_meant)]
    });
    let meant: Vec<usize> = ends.flatten().collect();
    let is_kept = |row: usize| match meant.is_empty() {
        true => row < AROUND,
        false => meant.iter().any(|&end| row.abs_diff(end) <= AROUND),
    };
    let mut text = String::new();
    let mut row = 0;
    while row < map.len() {
        let left_out = (row..map.len()).take_while(|&row| !is_kept(row)).count();
        text += &match left_out {
            0 => format!("{}\n", map[row]),
            _ => format!("… {left_out} rows\n"),
        };
        row += left_out.max(1);
    }
    text
}
