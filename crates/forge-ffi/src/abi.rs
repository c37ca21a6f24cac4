//! The functions of the C interface. Panics never cross it; instead, the caller gets an error result or the unchanged input.
//!
//! Nothing here aborts, whatever a caller passes, with one exception: if the system refuses memory, the process ends,
//! because in Rust that is not a panic that could be caught.
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

/// libFuzzer's own mutator.
type LlvmMutate = unsafe extern "C" fn(*mut u8, usize, usize) -> usize;

thread_local! {
    /// The state of the libFuzzer functions, which have no handle.
    static LLVM: RefCell<Option<Bench>> = const { RefCell::new(None) };
}

/// Runs a function; returns `otherwise` if it panics, even during the creation of the pool.
fn guarded<T>(otherwise: T, run: impl FnOnce() -> T) -> T {
    static QUIET: Once = Once::new();
    let quiet = || {
        QUIET.call_once(without_threads);
        run()
    };
    catch_unwind(AssertUnwindSafe(quiet)).unwrap_or(otherwise)
}

/// Makes the thread pool of the library run in the calling thread, since engines fork, and threads do not survive a fork.
fn without_threads() {
    // It fails only if the program already has a pool.
    let _ = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
}

/// Returns the bytes that a caller lends, or none for NULL and for a length that exceeds the address space.
///
/// # Safety
/// `bytes` must be NULL, or point to `length` bytes that do not change during the call.
unsafe fn lent<'a>(bytes: *const u8, length: usize) -> &'a [u8] {
    if bytes.is_null() || length == 0 || isize::try_from(length).is_err() {
        return &[];
    }
    // SAFETY: the caller guarantees it.
    unsafe { slice::from_raw_parts(bytes, length) }
}

/// Returns the text that a caller lends, or `None` for NULL and for anything that is not UTF-8.
///
/// # Safety
/// `text` must be NULL, or point to a text that ends with a zero byte.
unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the caller guarantees it.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// Copies bytes to a caller; returns the number of bytes, or 0 if they do not fit.
///
/// # Safety
/// `out` must point to `max` bytes that nothing else accesses.
unsafe fn hand_out(bytes: &[u8], out: *mut u8, max: usize) -> usize {
    if out.is_null() || bytes.len() > max {
        return 0;
    }
    // SAFETY: the caller guarantees it; the bytes were made here, so the two do not overlap.
    unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), out, bytes.len()) };
    bytes.len()
}

/// Passes bytes to a caller, and returns their number, or 0 if there is no destination.
///
/// # Safety
/// `out` must be NULL, or point to room for a pointer, which need not be aligned.
unsafe fn answer(out: *mut *mut u8, bytes: *mut u8, length: usize) -> usize {
    if out.is_null() {
        return 0;
    }
    // SAFETY: the caller guarantees it.
    unsafe { out.write_unaligned(bytes) };
    length
}

/// Returns the state of a handle; `None` for anything that cannot be a handle.
///
/// # Safety
/// `data` must come from `afl_custom_init` and not have been passed to `afl_custom_deinit`, or be NULL or not aligned.
unsafe fn state<'a>(data: *mut c_void) -> Option<&'a mut State> {
    let data = data.cast::<State>();
    // SAFETY: the caller guarantees it.
    if data.is_aligned() { unsafe { data.as_mut() } } else { None }
}

/// Creates a handle. Returns NULL if the options in the environment are invalid.
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

/// Frees a handle.
///
/// # Safety
/// `data` must be NULL or a handle from `afl_custom_init`, and must not be used afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_deinit(data: *mut c_void) {
    let data = data.cast::<State>();
    if !data.is_null() && data.is_aligned() {
        // SAFETY: the handle is a box that `afl_custom_init` released.
        let state = unsafe { Box::from_raw(data) };
        guarded((), || drop(state));
    }
}

/// Mutates an input to at most `max` bytes. `*out` is valid until the next call.
///
/// # Safety
/// `data` must be a handle, `buf` must point to `size` bytes, `add` must be NULL or point to `add_size` bytes, and
/// `out` to a pointer.
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
    // SAFETY: the engine lends both inputs for the duration of the call, and the handle is its own.
    let (state, input, other) = unsafe { (state(data), lent(buf, size), lent(add, add_size)) };
    let made = guarded(None, || state.map(|state| state.mutate(input, other, max)));
    let (bytes, length) = match made {
        Some(bytes) => (bytes.as_ptr().cast_mut(), bytes.len()),
        None => (buf, size.min(max)),
    };
    // SAFETY: `out` points to a pointer.
    unsafe { answer(out, bytes, length) }
}

/// Returns the input to run: with `AFL_POST_REPAIR`, its lengths, counts, copies and checksums are recomputed. `*out` is valid until the
/// next call of this function.
///
/// # Safety
/// `data` must be a handle, `buf` must point to `size` bytes, and `out` to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_process(
    data: *mut c_void,
    buf: *mut u8,
    size: usize,
    out: *mut *mut u8,
) -> usize {
    // SAFETY: the engine lends the input until it runs it, and the handle is its own.
    let (state, input) = unsafe { (state(data), lent(buf, size)) };
    let bytes = guarded(None, || state.map(|state| state.post_process(input))).unwrap_or(input);
    // SAFETY: `out` points to a pointer. An input that is returned was lent as mutable, and nothing here writes to it.
    unsafe { answer(out, if bytes.is_empty() { buf } else { bytes.as_ptr().cast_mut() }, bytes.len()) }
}

/// Returns the bytes of an input that the engine keeps, up to the maximum length that engines create.
#[allow(clippy::disallowed_methods, reason = "the file is the engine's own, and no more than a mebibyte of it is read")]
fn kept(path: &str) -> io::Result<Vec<u8>> {
    const LONGEST: u64 = 1 << 20;
    let mut input = Vec::new();
    File::open(path)?.take(LONGEST).read_to_end(&mut input)?;
    Ok(input)
}

/// Records the file of an input that the engine keeps because it found something. Returns 0: the file does not change.
///
/// # Safety
/// `data` must be a handle; `new` must be NULL or a string. The other arguments are ignored.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_queue_new_entry(
    data: *mut c_void,
    new: *const c_char,
    _origin: *const c_char,
) -> u8 {
    // SAFETY: the handle is the engine's own, and it lends the text for the duration of the call.
    let (state, path) = unsafe { (state(data), text(new)) };
    guarded(0, || {
        if let (Some(state), Some(Ok(input))) = (state, path.map(kept)) {
            state.found(&input);
        }
        0
    })
}

/// Describes how the last mutant was made, in at most `max` characters, none of them a slash.
///
/// # Safety
/// `data` must be a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_describe(data: *mut c_void, max: usize) -> *const c_char {
    // SAFETY: the handle is the engine's own.
    let description = unsafe { state(data) }.map(|state| state.description());
    match description.filter(|text| text.as_bytes().len() <= max) {
        Some(text) => text.as_ptr(),
        None => c"forge".as_ptr(),
    }
}

/// Starts to trim an input; returns the number of candidates.
///
/// # Safety
/// `data` must be a handle, and `buf` must point to `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_init_trim(data: *mut c_void, buf: *mut u8, size: usize) -> i32 {
    // SAFETY: the engine lends the input for the duration of the call, and the handle is its own.
    let (state, input) = unsafe { (state(data), lent(buf, size)) };
    guarded(0, || state.map_or(0, |state| state.begin_trimming(input)))
}

/// Returns the next candidate. `*out` is valid until the next call.
///
/// # Safety
/// `data` must be a handle, and `out` must point to a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_trim(data: *mut c_void, out: *mut *mut u8) -> usize {
    // SAFETY: the handle is the engine's own.
    let state = unsafe { state(data) };
    let bytes = guarded(None, || state.map(State::trim)).unwrap_or_default();
    // SAFETY: `out` points to a pointer.
    unsafe { answer(out, bytes.as_ptr().cast_mut(), bytes.len()) }
}

/// Records whether the last candidate retained the property; returns the number of finished candidates.
///
/// # Safety
/// `data` must be a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn afl_custom_post_trim(data: *mut c_void, success: u8) -> i32 {
    // SAFETY: the handle is the engine's own.
    let state = unsafe { state(data) };
    guarded(i32::MAX, || state.map_or(i32::MAX, |state| state.go_on_trimming(success != 0)))
}

/// Returns libFuzzer's own mutator, if this process has one.
#[cfg(unix)]
fn llvm_mutate() -> Option<LlvmMutate> {
    static FOUND: OnceLock<Option<LlvmMutate>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        // SAFETY: the name is a text that ends with a zero byte.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, c"LLVMFuzzerMutate".as_ptr()) };
        // SAFETY: the function with this name has this type, according to libFuzzer's interface.
        (!found.is_null()).then(|| unsafe { std::mem::transmute::<*mut c_void, LlvmMutate>(found) })
    })
}

/// Returns `None`: in other engines, all mutants are the forge's.
#[cfg(not(unix))]
fn llvm_mutate() -> Option<LlvmMutate> {
    None
}

/// Calls libFuzzer's own mutator on the first `size` bytes.
fn plain(bytes: &mut [u8], size: usize, max: usize) -> usize {
    let max = max.min(bytes.len());
    // SAFETY: the buffer has `max` bytes.
    llvm_mutate().map_or(size, |mutate| unsafe { mutate(bytes.as_mut_ptr(), size, max) }).min(max)
}

fn with_llvm_bench<T>(run: impl FnOnce(&mut Bench) -> T) -> T {
    LLVM.with_borrow_mut(|bench| {
        let made = || {
            let options = Options::of_environment().unwrap_or_else(|error| {
                // libFuzzer has no handle that could be NULL to report this. Ignoring the requested options would be worse.
                eprintln!("NDBYTES_FORGE: {error}");
                std::process::exit(2)
            });
            Bench::new(options.forge(0), options.how, !options.is_unscheduled)
        };
        run(bench.get_or_insert_with(made))
    })
}

/// Mutates an input in place for libFuzzer; returns its length, at most `max`.
///
/// # Safety
/// `data` must point to `max` bytes, of which `size` are in use.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn LLVMFuzzerCustomMutator(data: *mut u8, size: usize, max: usize, seed: c_uint) -> usize {
    // SAFETY: the engine lends the bytes for the duration of the call.
    let input = unsafe { lent(data, size.min(max)) }.to_vec();
    let made = guarded(None, || {
        let plain = llvm_mutate().map(|_| plain as Plain);
        Some(with_llvm_bench(|bench| bench.mutate(&input, max, seed, plain).to_vec()))
    });
    // SAFETY: `data` points to `max` bytes.
    made.map_or(size.min(max), |bytes| unsafe { hand_out(&bytes, data, max) })
}

/// Crosses two inputs for libFuzzer; returns 0 to leave it to libFuzzer's own crossover.
///
/// # Safety
/// Both inputs must point to their bytes, and `out` to `max` bytes.
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
    // SAFETY: the engine lends both inputs for the duration of the call.
    let (one, other) = unsafe { (lent(one, one_size), lent(other, other_size)) };
    let made = guarded(None, || with_llvm_bench(|bench| bench.cross(one, other, max, seed).map(<[u8]>::to_vec)));
    // SAFETY: `out` points to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// Mutates `in` without a handle, as a file of kind `format`; if that is NULL, the content determines the kind.
///
/// # Safety
/// `format` must be NULL or a string, `in` must point to `n` bytes, and `out` to `max` bytes.
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
    // SAFETY: the caller lends the text and the bytes for the duration of the call.
    let (kind, input) = unsafe { (text(format), lent(input, n)) };
    // A name that is not UTF-8 is not a kind.
    if kind.is_none() && !format.is_null() {
        return 0;
    }
    let made = guarded(None, || state::mutant(kind, input, max, seed, repair));
    // SAFETY: `out` points to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// Makes a valid file of a kind.
///
/// # Safety
/// `format` must be a string, and `out` must point to `max` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ndbytes_forge_valid(format: *const c_char, out: *mut u8, max: usize, seed: u64) -> usize {
    // SAFETY: the caller lends the text for the duration of the call.
    let kind = unsafe { text(format) };
    let made = guarded(None, || state::valid(kind?, max, seed));
    // SAFETY: `out` points to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// Makes a file that violates one rule and no other.
///
/// # Safety
/// `rule` must be a string, and `out` must point to `max` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn ndbytes_forge_broken(rule: *const c_char, out: *mut u8, max: usize, seed: u64) -> usize {
    // SAFETY: the caller lends the text for the duration of the call.
    let rule = unsafe { text(rule) };
    let made = guarded(None, || state::broken(rule?, max, seed));
    // SAFETY: `out` points to `max` bytes.
    made.map_or(0, |bytes| unsafe { hand_out(&bytes, out, max) })
}

/// The version of the library.
#[unsafe(no_mangle)]
pub extern "C" fn ndbytes_forge_version() -> *const c_char {
    VERSION.as_ptr()
}
