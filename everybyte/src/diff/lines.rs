//! The differences as lines of text.

use crate::diff::structure::{Change, Data, Kind, Moved, Place, Structure};
use crate::diff::words::bytes;
use crate::escape::escape;
use crate::numerals::grouped;
use crate::role::Role;

/// The maximum number of lines of a report.
const MOST_LINES: usize = 1000;

/// The longest line, in characters.
const LONGEST_LINE: usize = 1000;

/// The maximum length of a bit field's description that is shown instead of its name.
const LONGEST_DOC: usize = 40;

impl Structure {
    /// The lines of a report, escaped. `all` also lists consequences, writer's notes and moved fields, which are
    /// otherwise only counted. There are at most 1,000 lines.
    pub fn lines(&self, all: bool) -> impl Iterator<Item = String> {
        let changes = self.changes.iter().filter(move |change| all || !change.is_folded()).map(Change::line);
        let is_one = self.data.len() == 1;
        let data = self.data.iter().map(move |data| data.line(is_one));
        let moved = self.moved.iter().filter(move |_| all).map(Moved::line);
        let mut listed = changes.chain(data).chain(moved);
        let mut lines: Vec<String> = listed.by_ref().take(MOST_LINES).collect();
        let further = listed.count() as u64 + self.further;
        if further > 0 {
            lines.push(format!("… and {} more", grouped(further)));
        }
        lines.extend(self.left_out(all));
        lines.into_iter().map(|line| cut(escape(&line)))
    }

    /// The differences that are not listed, as text.
    fn left_out(&self, all: bool) -> Option<String> {
        let folded = self.changes.iter().filter(|change| change.role == Some(Role::Writer) && change.is_folded());
        let notes: u64 = folded.map(|change| change.times.0).sum();
        let number = |number: u64, one: &str, several: &str| match number {
            0 => None,
            1 => Some(format!("1 {one}")),
            number => Some(format!("{} {several}", grouped(number))),
        };
        let hidden = [
            number(
                self.follows,
                "offset or length that only follows from other changes",
                "offsets and lengths that only follow from other changes",
            ),
            number(notes, "writer's note", "writer's notes"),
            number(self.elsewhere, "field that only moved", "fields that only moved"),
        ];
        let hidden: Vec<String> = hidden.into_iter().flatten().collect();
        let others = [
            number(self.recoded, "number in another byte order", "numbers in another byte order"),
            number(self.ignored, "ignored change", "ignored changes"),
            number(self.unread, "byte that was not compared", "bytes that were not compared"),
        ];
        let mut others: Vec<String> = others.into_iter().flatten().collect();
        if !all && !hidden.is_empty() {
            others.insert(0, format!("{} (--all)", hidden.join("; ")));
        }
        (!others.is_empty()).then(|| format!("not shown: {}", others.join("; ")))
    }
}

impl Change {
    /// Returns whether the change is counted instead of listed by default.
    fn is_folded(&self) -> bool {
        self.kind == Kind::Follows || self.kind == Kind::Changed && self.role == Some(Role::Writer)
    }

    /// The line for a change, without its sign.
    fn line(&self) -> String {
        let [a, b] = [&self.a, &self.b].map(|place| place.as_ref().map_or("", |place| &place.text));
        let key = &self.key;
        let line = match self.kind {
            Kind::Changed if self.bits.is_some() => format!("{key}: {}", self.bits_line(a, b)),
            Kind::Changed | Kind::Follows if a == b && self.different_bytes > 0 => {
                let differ = if self.different_bytes == 1 { "differs" } else { "differ" };
                let length = self.a.as_ref().map_or(0, |place| place.length / self.times.0.max(1));
                format!("{key}: {} of {} {differ}", grouped(self.different_bytes), bytes(length))
            }
            Kind::Changed => format!("{key}: {a} → {b}"),
            Kind::Follows => format!("{key}: {a} → {b}, follows"),
            Kind::Reordered => format!("{key}: order {a} → {b}"),
            Kind::PointsElsewhere => format!("{key}: points elsewhere: {a} → {b}"),
            Kind::Added => format!("{key}: added{}", self.alone(&self.b)),
            Kind::Removed => format!("{key}: removed{}", self.alone(&self.a)),
        };
        let (times, total) = self.times;
        match self.where_it_is() {
            _ if times > 1 => format!("{line}   ({} of {})", grouped(times), grouped(total)),
            Some(place) => format!("{line}   (at {place})"),
            None => line,
        }
    }

    /// The text of a bit field, which is its purpose if that is short and answers a yes-or-no question.
    fn bits_line(&self, a: &str, b: &str) -> String {
        let name = self.bits.as_deref().unwrap_or_default();
        let sentence = self.bits_doc.strip_suffix('.').unwrap_or(&self.bits_doc);
        if !matches!((a, b), ("no", "yes") | ("yes", "no")) {
            return format!("{name} {a} → {b}");
        }
        let is_short = !sentence.is_empty() && sentence.len() <= LONGEST_DOC && !sentence.contains(['.', '\n']);
        if is_short { format!("{}: {a} → {b}", lowered(sentence)) } else { format!("{name}: {a} → {b}") }
    }

    fn alone(&self, place: &Option<Place>) -> String {
        match place {
            Some(place) if self.is_structure => format!(", {}", bytes(place.length)),
            Some(place) if !place.text.is_empty() => format!(": {}", place.text),
            _ => String::new(),
        }
    }

    /// The offset in the first file, and the offset in the second file if it differs.
    fn where_it_is(&self) -> Option<String> {
        let text = |place: &Place| match place.space {
            0 => format!("{:#x}", place.offset),
            space => format!("{:#x} of space {space}", place.offset),
        };
        match (&self.a, &self.b) {
            _ if self.kind == Kind::Reordered => None,
            (Some(a), Some(b)) if (a.space, a.offset) != (b.space, b.offset) => {
                Some(format!("{}, now {}", text(a), text(b)))
            }
            (a, b) => a.as_ref().or(b.as_ref()).map(text),
        }
    }
}

impl Data {
    /// The line for payload bytes.
    fn line(&self, is_one: bool) -> String {
        let Data { key, name, a, b, .. } = self;
        let of = if is_one { String::new() } else { format!(" of {key}") };
        let bytes_of =
            if a.bytes == b.bytes { bytes(a.bytes) } else { format!("{} → {}", grouped(a.bytes), bytes(b.bytes)) };
        if a.parts != b.parts && !name.is_empty() {
            let [from, to] = [a.parts, b.parts].map(grouped);
            return format!("data{of}: {from} → {to} {}, {bytes_of} stored", plural(name, b.parts));
        }
        let parts = match name.as_str() {
            "" => String::new(),
            name => format!(" in {} {}", grouped(a.parts), plural(name, a.parts)),
        };
        if a.bytes != b.bytes {
            return format!("data{of}: {bytes_of}{parts}");
        }
        match self.different_bytes {
            0 => format!("data{of}: {bytes_of}{parts}, other content"),
            1 => format!("data{of}: 1 of {bytes_of}{parts} differs"),
            number => format!("data{of}: {} of {bytes_of}{parts} differ", grouped(number)),
        }
    }
}

impl Moved {
    /// The line for moved fields.
    fn line(&self) -> String {
        let fields = if self.fields == 1 { "1 field".into() } else { format!("{} fields", grouped(self.fields)) };
        let space = if self.space == 0 { String::new() } else { format!(" of space {}", self.space) };
        let shift = self.shift();
        let unit = if shift.unsigned_abs() == 1 { "byte" } else { "bytes" };
        format!("moved: {fields} from {:#x}{space} on, by {shift:+} {unit}", self.from)
    }
}

/// Returns the name of the elements, in the singular or plural.
fn plural(name: &str, number: u64) -> String {
    let single = name.strip_suffix('s').filter(|single| !single.ends_with(['s', 'i', 'u'])).unwrap_or(name);
    if number == 1 { single.to_owned() } else { format!("{single}s") }
}

/// Returns a line cut to a readable length.
fn cut(mut line: String) -> String {
    if let Some((end, _)) = line.char_indices().nth(LONGEST_LINE) {
        line.truncate(end);
        line.push('…');
    }
    line
}

/// Returns a sentence with its first letter in lower case, to continue another sentence.
fn lowered(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
