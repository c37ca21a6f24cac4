//! Work on many items side by side, in bounded memory, with results in order.

use super::examine::Examined;
use ndbytes::threads;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Items that are worked on in one go.
const AT_ONCE: usize = 1024;

/// The bytes of results that wait for their turn, after which no further work begins.
const WAITING: usize = 64 << 20;

/// The examination of each item of a list, in the order of the list. The threads of the current rayon pool work on some items at
/// a time, so the list is never held as a whole.
#[derive(Debug)]
pub struct InOrder<I: Iterator, W> {
    items: I,
    work: W,
    /// Items with their results, as far as they are there.
    window: VecDeque<(I::Item, Option<Examined>)>,
}

impl<T: Send + Sync, I: Iterator<Item = T>, W: Fn(&T) -> Examined + Sync> InOrder<I, W> {
    /// Examines each item by `work`.
    pub fn new(items: I, work: W) -> Self {
        InOrder { items, work, window: VecDeque::new() }
    }

    /// Works on the items of the window that have no result yet, the first one in any case.
    fn advance(&mut self) {
        let (held, work) = (AtomicUsize::new(0), &self.work);
        let window = self.window.make_contiguous();
        let is_single = window.len() == 1;
        let one = |(place, (item, result)): (usize, &mut (T, Option<Examined>))| {
            if result.is_none() && (place == 0 || held.load(Relaxed) < WAITING) {
                let examined = work(item);
                held.fetch_add(examined.held(), Relaxed);
                *result = Some(examined);
            }
        };
        held.store(window.iter().filter_map(|(_, result)| result.as_ref()).map(Examined::held).sum(), Relaxed);
        match is_single {
            // A single file keeps the threads for itself.
            true => window.iter_mut().enumerate().for_each(one),
            false => {
                threads::ready();
                window.par_iter_mut().enumerate().for_each(one);
            }
        }
    }
}

impl<T: Send + Sync, I: Iterator<Item = T>, W: Fn(&T) -> Examined + Sync> Iterator for InOrder<I, W> {
    type Item = (T, Examined);

    fn next(&mut self) -> Option<Self::Item> {
        if self.window.is_empty() {
            self.window.extend(self.items.by_ref().take(AT_ONCE).map(|item| (item, None)));
        }
        if self.window.front()?.1.is_none() {
            self.advance();
        }
        let (item, result) = self.window.pop_front()?;
        Some((item, result?))
    }
}
