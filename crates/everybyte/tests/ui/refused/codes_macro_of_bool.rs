everybyte::codes! {
    /// A colour.
    struct Colour(bool) {
        /// As blood.
        RED = 1 => "red";
    }
}

fn main() {}
