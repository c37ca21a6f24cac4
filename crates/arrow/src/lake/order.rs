//! Processes many items in parallel, in bounded memory, with results in order.
//!
//! Files take very different amounts of time. Threads work on whatever is next, up to 1024 items ahead, and finished
//! results wait for their turn. If the waiting results are large, no new work begins until some are taken, so memory
//! is bounded by bytes, not by a number of files.

use super::examine::Examined;
use ndbytes::threads;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The number of items that are processed at once.
const AT_ONCE: usize = 1024;

/// The number of bytes of waiting results after which no further work begins.
const WAITING: usize = 64 << 20;

/// Examines the items of a list in parallel, and returns the results in the order of the list.
///
/// ```
/// use ndbytes_arrow::lake::{Examiner, InOrder, Options, Table};
/// use std::path::PathBuf;
///
/// let examiner = Examiner::new(Table::Files, &Options::new());
/// let paths = ["surface.ra", "trees.idv"].map(|name| PathBuf::from("../../samples").join(name));
/// for (path, examined) in InOrder::new(paths.into_iter(), |path: &PathBuf| examiner.examine(path)) {
///     println!("{}: {}", path.display(), examined.verdict());
/// #   assert_eq!(examined.verdict(), ndbytes::Verdict::Ok);
/// }
/// ```
///
/// The threads of the current rayon pool work on 1024 items at a time, so the list is never completely in memory. If the results
/// that wait for their turn take 64 MiB, no further work begins.
#[derive(Debug)]
pub struct InOrder<I: Iterator, W> {
    items: I,
    work: W,
    /// Items with the available results.
    window: VecDeque<(I::Item, Option<Examined>)>,
}

impl<T: Send + Sync, I: Iterator<Item = T>, W: Fn(&T) -> Examined + Sync> InOrder<I, W> {
    /// Examines each item with `work`.
    pub fn new(items: I, work: W) -> Self {
        InOrder { items, work, window: VecDeque::new() }
    }

    /// Works on the items of the window that have no result yet, at least on the first one.
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
