everybyte::codes! {
    /// A colour.
    struct Colour(i8) in 3 bits {
        /// As blood.
        RED = -1 => "red";
    }
}

fn main() {}
