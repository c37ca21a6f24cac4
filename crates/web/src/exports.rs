//! The functions that the page calls. The page requests memory from [`room`] for the bytes of each file and for its question, fills
//! it, and calls [`ask`], which returns the address of the answer. [`answer_length`] returns its length.
//!
//! A panic ends the call with a trap. The page reads [`last_words`], and creates another instance.
#![allow(unsafe_code, reason = "a name that the page knows is an unsafe attribute; nothing else here is unsafe")]

use crate::answer::answer;
use crate::question::Question;
use serde_json::json;
use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};

thread_local! {
    /// The bytes of files, then the question.
    static DESK: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The message of the panic that ended a call.
static LAST_WORDS: Mutex<String> = Mutex::new(String::new());

/// Returns memory for `length` bytes: first for each file, then for the question itself. Null if there is not enough memory.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    let mut bytes = Vec::new();
    // The page counts the bytes of its own files.
    if bytes.try_reserve_exact(length).is_err() {
        return std::ptr::null_mut();
    }
    bytes.extend(std::iter::repeat_n(0, length));
    DESK.with_borrow_mut(|desk| {
        desk.push(bytes);
        desk.last_mut().map_or(std::ptr::null_mut(), |bytes| bytes.as_mut_ptr())
    })
}

/// Answers the question, and returns the address of the answer.
///
/// # Panics
/// Panics if no question was set, which is a bug in the page.
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> *const u8 {
    std::panic::set_hook(Box::new(|panic| {
        *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = panic.to_string();
    }));
    let mut files = DESK.take();
    let question = files.pop().expect("the page gives its question last");
    let answer = match serde_json::from_slice::<Question>(&question) {
        Ok(question) => answer(&question, &files),
        Err(error) => json!({ "refused": format!("the question is not one: {error}") }),
    };
    drop(files);
    ANSWER.with_borrow_mut(|place| {
        *place = answer.to_string().into_bytes();
        place.as_ptr()
    })
}

/// Returns the length of the answer in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// Returns the address of the message of the panic that ended a call.
#[unsafe(no_mangle)]
pub extern "C" fn last_words() -> *const u8 {
    LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).as_ptr()
}

/// Returns the length of that message in bytes; 0 if the call ended for another reason.
#[unsafe(no_mangle)]
pub extern "C" fn last_words_length() -> usize {
    LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).len()
}
