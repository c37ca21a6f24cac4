use everybyte::{Numeral, layout};

/// A number in digits of a base that has none.
#[layout]
struct Entry {
    number: Numeral<1, 4>,
}

fn main() {
    let _ = Numeral::<1, 4>::new(3);
}
