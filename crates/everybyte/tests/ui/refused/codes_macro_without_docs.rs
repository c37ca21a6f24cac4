everybyte::codes! {
    /// A colour.
    struct Colour(u8) {
        /// As blood.
        RED = 1 => "red";
        GREEN = 2 => "green";
    }
}

fn main() {}
