//! Drawings as text, as a reader sees them.

use crate::{bytes, drawing, floats};
use ndbytes_pictures::{Choice, Medium, Paint};

fn text(file: &[u8], columns: usize) -> String {
    let medium = Medium::letters(columns);
    "\n".to_owned() + &drawing(file, &Choice::new(medium.room()), medium).to_text(Paint::Signs)
}

#[test]
fn a_line_as_signs_rises_and_falls() {
    let shown = text(&floats(&[30], (0..30).map(|place| f64::from(15 - (15_i32 - place).abs()))), 40);
    assert_eq!(
        shown,
        r"
title
30 items
15                 ..|'|.
10             ...|'    ''|..
             .|'            '|..
 5       .|'''                 ''|.
     ..|''                        ''|..
 0 .|'                                ''
   0          10           20
min 0  mean 7.5  max 15  std 4.3493
"
    );
}

#[test]
fn a_plane_as_signs_has_ticks_and_a_scale() {
    let shown = text(&floats(&[2, 3], [0.0, 1.0, 2.0, 3.0, 4.0, f64::NAN]), 40);
    assert_eq!(
        shown,
        r"
title
red or !: NaN or infinite
  .......:::::::=======  ## 4
0 .......:::::::=======  **
  .......:::::::=======  == 2
  *******#######!!!!!!!  --
1 *******#######!!!!!!!  ::
  *******#######!!!!!!!  .. 0
     0      1     2
"
    );
}

#[test]
fn a_steep_line_has_no_gaps() {
    let shown = text(&floats(&[4], [0.0, 0.0, 1.0, 1.0]), 24);
    assert_eq!(
        shown,
        r"
title
4 items
  1             .|''''''
               |'
0.5          .|'
            .|
           .|
  0 ......|'
    0     1     2      3
min 0  mean 0.5  max 1
std 0.5
"
    );
}

#[test]
fn blocks_have_the_colours_of_two_points() {
    let medium = Medium::letters(20);
    let file = bytes(&[2, 2, 3], [255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255]);
    let drawing = drawing(&file, &Choice::new(medium.room()), medium);
    let last = |paint| drawing.to_text(paint).lines().last().unwrap().to_owned();
    assert_eq!(
        last(Paint::Direct),
        "\u{1b}[38;2;255;0;0m\u{1b}[48;2;0;0;255m▀\u{1b}[0m\u{1b}[38;2;0;255;0m\u{1b}[48;2;255;255;255m▀\u{1b}[0m"
    );
    assert_eq!(
        last(Paint::Indexed),
        "\u{1b}[38;5;196m\u{1b}[48;5;21m▀\u{1b}[0m\u{1b}[38;5;46m\u{1b}[48;5;255m▀\u{1b}[0m"
    );
}
