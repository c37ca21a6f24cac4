//! The functions of the C interface. A panic never leaves one: the caller gets what an error gives, or the input as it was.
//!
//! Nothing here aborts, whatever a caller gives. Memory that the system refuses still ends the process: Rust has no
//! panic for it that could be caught.
#![allow(unsafe_code)]

use crate::options::Options;
use crate::state::{self, State};
use ndbytes_forge::{Bench, Plain};
use std::cell::RefCell;
use std::ffi::{CStr, c_char, c_uint, c_void};
use std::fs::File;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Once, OnceLock};
use std::{ptr, slice};

/// The version of the library, for `ndbytes_forge_version`.
const VERSION: &CStr = match CStr::from_bytes_with_nul(concat!(env!("CARGO_PKG_VERSION"), "\0").as_bytes()) {
    Ok(version) => version,
    Err(_) => panic!("a version has no zero byte"),
};

/// A libFuzzer's own mutator.
type LlvmMutate = unsafe extern "C" fn(*mut u8, usize, usize) -> usize;

thread_local! {
    /// The state of the functions of libFuzzer, which have no handle.
    static LLVM: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// Runs something; a panic becomes `otherwise`, that of making the pool too.
fn guarded<T>(otherwise: T, run: impl FnOnce() -> T) -> T {
    static QUIET: Once = Once::new();
    let quiet = || {
        QUIET.call_once(without_threads);
        run()
    };
    catch_unwind(AssertUnwindSafe(quiet)).unwrap_or(otherwise)
}

/// Makes the pool of the library run in the thread that calls it: engines fork, and threads do not survive that.
fn without_threads() {
    // It fails only if the program has a pool already.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
}

/// The bytes that a caller lends; none for NULL, and for a length that no memory has.
///
/// # Safety
/// `bytes` is NULL, or leads to `length` bytes that nobody changes meanwhile.
unsafe fn lent<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    if bytes.is_null() || length == 0 || isize::try_from(length).is_err() {
        return &[];
    }
    // SAFETY: the caller says so.
    unsafe { slice::from_raw_parts(bytes, length) }
}

/// The text that a caller lends; `None` for NULL, and for what is not UTF-8.
///
/// # Safety
/// `text` is NULL, or leads to a text that ends with a zero byte.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller says so.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// Copies bytes to a caller; the number of bytes, or 0 if they do not fit.
///
/// # Safety
/// `out` leads to `max` bytes that are the callee's alone.
unsafe fn hand_out(bytes: &[u8], out: *mut u8, max: usize) -> usize {
    if out.is_null() || bytes.len() > max {
        return 0;
    }
    // SAFETY: the caller says so; the bytes were made here, and do not overlap.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len()) };
    bytes.len()
}

/// Tells a caller where the bytes are that it asked for, and their number; 0 if it has no place for the answer.
///
/// # Safety
/// `out` is NULL, or leads to room for a pointer, which need not be aligned.
unsafe fn answer(out: *mut *mut u8, bytes: *mut u8, length: usize) -> usize {
    if out.is_null() {
        return 0;
    }
    // SAFETY: the caller says so.
    unsafe { out.write_unaligned(bytes) };
    length
}

/// The state of a handle; `None` for what cannot be a handle.
///
/// # Safety
/// `data` came from `afl_custom_init` and was not given to `afl_custom_deinit`, or is NULL or not aligned.
unsafe fn state<'a>(data: *mut c_void) -> Option<&'a mut State> {
    let data = data.cast::<State>();
    // SAFETY: the caller says so.
    if data.is_aligned() { unsafe { data.as_mut() } } else { None }
}

/// Makes a handle. NULL if the options in the environment are wrong.
#[unsafe(no_mangle)]
pub extern "C" fn afl_custom_init(_afl: *mut c_void, seed: c_uint) -> *mut c_void {
    guarded(ptr::null_mut(), || match Options::of_environment() {
        Ok(options) => Box::into_raw(Box::new(State::new(seed.into(), options))).cast(),
        Err(error) => {
            eprintln!("NDBYTES_FORGE: {error}");
            ptr::null_mut()
        }
    })
}

/// Ends a handle.
///
/// # Safety
/// `data` is NULL, or came from `afl_custom_init`; it is not used any more.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_deinit(data: *mut c_void) {
    let data = data.cast::<State>();
    if !data.is_null() && data.is_aligned() {
        // SAFETY: the handle is a box that was given away.
        let state = unsafe { Box::from_raw(data) };
        guarded((), || drop(state));
    }
}

/// Makes a mutant of an input, of at most `max` bytes. `*out` lives until the next call.
///
/// # Safety
/// `data` is a handle; `buf` leads to `size` bytes, `add` is NULL or leads to `add_size` bytes, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_fuzz(
    data: *mut c_void,
    buf: *mut u8,
    size: usize,
    out: *mut *mut u8,
    add: *mut u8,
    add_size: usize,
    max: usize,
) -> usize {
    // SAFETY: the engine lends both inputs for the time of the call, and the handle is its own.
    let (state, input, other) = unsafe { (state(data), lent(buf, size), lent(add, add_size)) };
    let made = guarded(None, || state.map(|state| state.mutate(input, other, max)));
    let (bytes, length) = match made {
        Some(bytes) => (bytes.as_ptr().cast_mut(), bytes.len()),
        None => (buf, size.min(max)),
    };
    // SAFETY: `out` leads to a pointer.
    unsafe { answer(out, bytes, length) }
}

/// An input as it is run: with `AFL_POST_REPAIR`, its lengths, counts, copies and checksums are set right. `*out` lives until
/// the next call of this function.
///
/// # Safety
/// `data` is a handle; `buf` leads to `size` bytes, `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_process(
    data: *mut c_void,
    buf: *mut u8,
    size: usize,
    out: *mut *mut u8,
) -> usize {
    // SAFETY: the engine lends the input until it is run, and the handle is its own.
    let (state, input) = unsafe { (state(data), lent(buf, size)) };
    let bytes = guarded(None, || state.map(|state| state.post_process(input))).unwrap_or(input);
    // SAFETY: `out` leads to a pointer. Nobody writes to an input that goes back: it was lent as one that may be changed.
    unsafe { answer(out, if bytes.is_empty() { buf } else { bytes.as_ptr().cast_mut() }, bytes.len()) }
}

/// The bytes of an input that is kept, as many as an engine makes at most.
#[allow(clippy::disallowed_methods, reason = "the file is the engine's own, and no more than a mebibyte of it is read")]
fn kept(path: &str) -> io::Result<Vec<u8>> {
    const LONGEST: u64 = 1 << 20;
    let mut input = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut input)?;
    Ok(input)
}

/// Notes the file of an input that the engine keeps, since it found something. Returns 0: the file stays as it is.
///
/// # Safety
/// `data` is a handle; `new` is NULL or a text, and nobody reads the other one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_queue_new_entry(
    data: *mut c_void,
    new: *const c_char,
    _origin: *const c_char,
) -> u8 {
    // SAFETY: the handle is the engine's own, and it lends the text for the time of the call.
    let (state, path) = unsafe { (state(data), text(new)) };
    guarded(0, || {
        if let (Some(state), Some(Ok(input))) = (state, path.map(kept)) {
            state.found(&input);
        }
        0
    })
}

/// Says how the last mutant was made, in at most `max` letters without a slash.
///
/// # Safety
/// `data` is a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_describe(data: *mut c_void, max: usize) -> *const c_char {
    // SAFETY: the handle is the engine's own.
    let description = unsafe { state(data) }.map(|state| state.description());
    match description.filter(|text| text.as_bytes().len() <= max) {
        Some(text) => text.as_ptr(),
        None => c"forge".as_ptr(),
    }
}

/// Begins to make an input smaller; the number of candidates.
///
/// # Safety
/// `data` is a handle; `buf` leads to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_init_trim(data: *mut c_void, buf: *mut u8, size: usize) -> i32 {
    // SAFETY: the engine lends the input for the time of the call, and the handle is its own.
    let (state, input) = unsafe { (state(data), lent(buf, size)) };
    guarded(0, || state.map_or(0, |state| state.begin_trimming(input)))
}

/// The next candidate. `*out` lives until the next call.
///
/// # Safety
/// `data` is a handle, `out` leads to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_trim(data: *mut c_void, out: *mut *mut u8) -> usize {
    // SAFETY: the handle is the engine's own.
    let state = unsafe { state(data) };
    let bytes = guarded(None, || state.map(State::trim)).unwrap_or_default();
    // SAFETY: `out` leads to a pointer.
    unsafe { answer(out, bytes.as_ptr().cast_mut(), bytes.len()) }
}

/// Says whether the last candidate kept what matters; the number of candidates that are done with.
///
/// # Safety
/// `data` is a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_trim(data: *mut c_void, success: u8) -> i32 {
    // SAFETY: the handle is the engine's own.
    let state = unsafe { state(data) };
    guarded(i32::MAX, || state.map_or(i32::MAX, |state| state.go_on_trimming(success != 0)))
}

/// libFuzzer's own mutator, if this process has one.
#[cfg(unix)]
fn llvm_mutate() -> Option<LlvmMutate> {
    static FOUND: OnceLock<Option<LlvmMutate>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: the name is a text that ends with a zero byte.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"LLVMFuzzerMutate".as_ptr()) };
        // SAFETY: the function of this name has this type, as libFuzzer's interface says.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, LlvmMutate>(found) })
    })
}

/// Elsewhere nobody is asked for it: mutants are the forge's alone.
#[cfg(not(unix))]
fn llvm_mutate() -> Option<LlvmMutate> {
    None
}

/// libFuzzer's own mutation of bytes, of which `size` are in use.
fn plain(bytes: &mut [u8], size: usize, max: usize) -> usize {
    let max = max.min(bytes.len());
    // SAFETY: the buffer has `max` bytes.
    llvm_mutate().map_or(size, |mutate| unsafe { mutate(bytes.as_mut_ptr(), size, max) }).min(max)
}

fn with_llvm_bench<T>(run: impl FnOnce(&mut Bench) -> T) -> T {
    LLVM.with_borrow_mut(|bench| {
        let made = || {
            let options = Options::of_environment().unwrap_or_else(|error| {
                // libFuzzer asks for no handle that could be NULL. Other options than those that were asked for would be worse.
                eprintln!("NDBYTES_FORGE: {error}");
                std::process::exit(2)
            });
            Bench::new(options.forge(0), options.how, !options.is_unscheduled)
        };
        run(bench.get_or_insert_with(made))
    })
}

/// Mutates an input in place, as libFuzzer asks; the number of its bytes, at most `max`.
///
/// # Safety
/// `data` leads to `max` bytes, of which `size` are in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomMutator(data: *mut u8, size: usize, max: usize, seed: c_uint) -> usize {
    // SAFETY: the engine lends the bytes for the time of the call.
    let input = unsafe { lent(data, size.min(max)) }.to_vec();
    let made = guarded(None, || {
        let plain = llvm_mutate().map(|_| plain as Plain);
        Some(with_llvm_bench(|bench| bench.mutate(&input, max, seed, plain).to_vec()))
    });
    // SAFETY: `data` leads to `max` bytes.
    made.map_or(size.min(max), |bytes| unsafe { hand_out(&bytes, data, max) })
}

/// Puts a part of one input into another, as libFuzzer asks; 0 where that is left to libFuzzer's own crossover.
///
/// # Safety
/// Both inputs lead to their bytes, `out` to `max` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomCrossOver(
    one: *const u8,
    one_size: usize,
    other: *const u8,
    other_size: usize,
    out: *mut u8,
    max: usize,
    seed: c_uint,
) -> usize {
    // SAFETY: the engine lends both inputs for the time of the call.
    let (one, other) = unsafe { (lent(one, one_size), lent(other, other_size)) };
    let made = guarded(None, || with_llvm_bench(|bench| bench.cross(one, other, max, seed).map(<[u8]>::to_vec)));
    // SAFETY: `out` leads to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// Makes a mutant without a handle: of `in`, of the kind `format` or, if that is NULL, of the kind of its content.
///
/// # Safety
/// `format` is NULL or a text, `in` leads to `n` bytes, `out` to `max` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ndbytes_forge_mutate(
    format: *const c_char,
    input: *const u8,
    n: usize,
    out: *mut u8,
    max: usize,
    seed: u64,
    repair: u32,
) -> usize {
    // SAFETY: the caller lends the text and the bytes for the time of the call.
    let (kind, input) = unsafe { (text(format), lent(input, n)) };
    // What is no text is no kind.
    if kind.is_none() && !format.is_null() {
        return 0;
    }
    let made = guarded(None, || state::mutant(kind, input, max, seed, repair));
    // SAFETY: `out` leads to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// Makes a valid file of a kind.
///
/// # Safety
/// `format` is a text, `out` leads to `max` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ndbytes_forge_valid(format: *const c_char, out: *mut u8, max: usize, seed: u64) -> usize {
    // SAFETY: the caller lends the text for the time of the call.
    let kind = unsafe { text(format) };
    let made = guarded(None, || state::valid(kind?, max, seed));
    // SAFETY: `out` leads to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// Makes a file that breaks a rule and no other.
///
/// # Safety
/// `rule` is a text, `out` leads to `max` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ndbytes_forge_broken(rule: *const c_char, out: *mut u8, max: usize, seed: u64) -> usize {
    // SAFETY: the caller lends the text for the time of the call.
    let rule = unsafe { text(rule) };
    let made = guarded(None, || state::broken(rule?, max, seed));
    // SAFETY: `out` leads to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn ndbytes_forge_version() -> *const c_char {
    VERSION.as_ptr()
}
