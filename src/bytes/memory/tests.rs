use super::*;
use std::thread;

#[test]
fn lengths_are_kept_and_what_is_new_is_zero() {
    let mut vector: Vec<u32> = with_room(3);
    assert!(vector.is_empty() && vector.capacity() >= 3);
    assert!(set_length(&mut vector, 3));
    assert_eq!(vector, [0; 3]);
    vector.fill(7);
    assert!(set_length(&mut vector, 2) && set_length(&mut vector, 3));
    assert_eq!(vector, [7, 7, 0]);
    let before = vector.clone();
    assert!(!set_length(&mut vector, usize::MAX / 4), "no machine has as much");
    assert_eq!(vector, before);
}

#[test]
fn aligned_bytes_are_aligned_whatever_their_length() {
    for length in [0, 1, 15, 16, 17, 100] {
        let content: Vec<u8> = (0..length).collect();
        let mut bytes = AlignedBytes::copy_of(&content).unwrap();
        assert_eq!(bytes.as_slice(), content);
        assert_eq!(bytes.as_slice().as_ptr().align_offset(align_of::<u128>()), 0);
        assert!(bytes.resize(content.len() + 40));
        assert_eq!(bytes.as_slice()[content.len()..], [0; 40]);
        bytes.as_mut_slice().fill(1);
        bytes.shorten(content.len() / 2);
        assert_eq!(bytes.as_slice(), vec![1; content.len() / 2]);
        bytes.shorten(1000);
        assert_eq!(bytes.as_slice().len(), content.len() / 2, "nothing is made longer");
    }
}

#[test]
fn what_no_machine_has_leaves_aligned_bytes_unchanged() {
    let mut bytes = AlignedBytes::copy_of(b"here").unwrap();
    assert!(!bytes.resize(isize::MAX as usize));
    assert_eq!(bytes.as_slice(), b"here");
    assert!(AlignedBytes::zeros(isize::MAX as usize).is_none());
}

#[test]
fn copies_past_the_caches_are_copies() {
    let from: Vec<u8> = (0..200).collect();
    for (start, length) in [(0, 0), (0, 200), (1, 64), (3, 15), (7, 100), (16, 16)] {
        let mut to = [0xaa; 208];
        streaming(|streaming| streaming.copy(&from[start..start + length], &mut to[start..start + length]));
        assert_eq!(to[start..start + length], from[start..start + length]);
        assert!(to[..start].iter().chain(&to[start + length..]).all(|&byte| byte == 0xaa));
    }
}

#[test]
fn other_threads_see_what_was_copied_before_the_work_panicked() {
    let from = vec![5; 1 << 12];
    let mut to = vec![0; from.len()];
    let work = || {
        streaming(|streaming| {
            streaming.copy(&from, &mut to);
            panic!("after the copy");
        })
    };
    let panicked: thread::Result<()> = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
    assert!(panicked.is_err());
    thread::scope(|scope| scope.spawn(|| assert!(to == from)).join().unwrap());
}
