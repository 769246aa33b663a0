//! The functions that JavaScript calls, and those that it provides.

#![allow(unsafe_code, reason = "bytes cross a border that knows addresses and lengths only")]

use std::panic;
#[cfg(feature = "engines")]
use std::sync::LazyLock;
use std::sync::Once;
use std::time::Duration;

#[cfg(feature = "engines")]
use agon_engines::files;
use agon_jobs::clock;
#[cfg(feature = "engines")]
use agon_jobs::{Pause, Stop};
#[cfg(feature = "threads")]
use agon_search::iterate;

#[cfg(feature = "engines")]
use crate::Machine;
#[cfg(feature = "threads")]
use crate::helpers::{self, max_threads};
use crate::message::Message;

#[link(wasm_import_module = "agon")]
unsafe extern "C" {
    /// Milliseconds since any fixed moment.
    safe fn now() -> f64;
    /// A random number from 0 to 1, without 1.
    #[cfg(feature = "engines")]
    safe fn random() -> f64;
    /// Whether the page stops this worker; if they share memory, it can do so while the worker searches.
    #[cfg(feature = "engines")]
    safe fn stopped() -> bool;
    /// Takes a message: JSON of this address and length, valid during the call.
    fn send(address: *const u8, length: usize);
}

/// Asks the page whenever a search checks its flag.
#[cfg(feature = "engines")]
struct PageStop;

#[cfg(feature = "engines")]
impl Pause for PageStop {
    fn pause(&self, _: &dyn Fn() -> bool) {
        if stopped() {
            STOP.raise();
        }
    }

    fn wake(&self) {}
}

/// The flag of all searches: a stopped worker never searches again. Browsers let a terminated worker continue for a
/// while: Chromium two seconds.
#[cfg(feature = "engines")]
static STOP: LazyLock<Stop> = LazyLock::new(|| Stop::with_pause(PageStop));

/// Passes a message to JavaScript.
fn pass(message: &Message) {
    let text = message.json();
    // SAFETY: the text outlives the call.
    unsafe { send(text.as_ptr(), text.len()) };
}

fn begin() {
    static BEGUN: Once = Once::new();
    BEGUN.call_once(|| {
        clock::set_clock(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
        #[cfg(feature = "threads")]
        iterate::set_spawner(helpers::spawn);
        // A panic aborts, and its message would be lost.
        panic::set_hook(Box::new(|info| pass(&Message::Panic(info.to_string()))));
    });
}

/// Reserves memory for bytes that JavaScript hands in; `agon_answer` and `agon_data` take it back.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn agon_reserve(length: usize) -> *mut u8 {
    Box::into_raw(vec![0_u8; length].into_boxed_slice()).cast()
}

/// The bytes that JavaScript has written to memory from [`agon_reserve`].
///
/// # Safety
/// `address` must come from `agon_reserve(length)`, and must not be used again.
unsafe fn taken(address: *mut u8, length: usize) -> Vec<u8> {
    // SAFETY: the address is that of a box of this length.
    unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(address, length)) }.into_vec()
}

/// This build has no shared memory.
#[cfg(all(feature = "engines", not(feature = "threads")))]
const fn max_threads() -> usize {
    1
}

/// Answers a request, JSON in UTF-8; the messages are passed to `send`, the last one before it returns.
///
/// # Safety
/// `address` must come from `agon_reserve(length)`, and must not be used again.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn agon_answer(address: *mut u8, length: usize) {
    begin();
    // SAFETY: the caller promises it.
    let request = unsafe { taken(address, length) };
    #[cfg(feature = "engines")]
    let machine =
        Machine { max_threads: max_threads(), draw: &|| (random() * (1_u64 << 53) as f64) as u64, stop: STOP.clone() };
    #[cfg(feature = "engines")]
    crate::answer(&request, &machine, &mut |message| pass(&message));
    #[cfg(not(feature = "engines"))]
    crate::answer_file(&request, &mut |message| pass(&message));
}

/// Hands in a file that engines read, by its number among the files: a network or a book. Each must be there before
/// the first search that needs it.
///
/// # Safety
/// `address` must come from `agon_reserve(length)`, and must not be used again.
#[cfg(feature = "engines")]
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn agon_data(number: usize, address: *mut u8, length: usize) {
    begin();
    // SAFETY: the caller promises it.
    let content = unsafe { taken(address, length) };
    if let Some(file) = files::loadable().nth(number) {
        file.set(content);
    }
}
