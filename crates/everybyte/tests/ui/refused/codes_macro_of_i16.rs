everybyte::codes! {
    /// A colour.
    struct Colour(i16) {
        /// As blood.
        RED = 1 => "red";
    }
}

fn main() {}
