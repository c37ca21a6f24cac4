//! Mean and deviation of numbers that come one after the other.

/// Numbers that are summed up together.
const BATCH: usize = 1024;

/// Sums of numbers, compensated for what rounding loses.
#[derive(Debug, Default)]
pub struct Moments {
    /// The numbers that were not summed up yet.
    batch: Vec<f64>,
    count: u64,
    sum: f64,
    /// The part of the sum that rounding has lost.
    lost: f64,
    mean: f64,
    /// The sum of the squared distances from the mean.
    squares: f64,
}

impl Moments {
    /// Takes a number.
    #[inline]
    pub fn add(&mut self, number: f64) {
        self.batch.push(number);
        if self.batch.len() == BATCH {
            self.sum_up();
        }
    }

    /// Takes a number several times.
    pub fn add_times(&mut self, number: f64, times: u64) {
        self.sum_up();
        self.plus(number * times as f64);
        self.merge(times, number, 0.0);
    }

    /// The batch has a mean of its own, so that squares of large numbers with small distances lose no digits.
    fn sum_up(&mut self) {
        if self.batch.is_empty() {
            return;
        }
        let batch = std::mem::take(&mut self.batch);
        let before = self.sum + self.lost;
        batch.iter().for_each(|&number| self.plus(number));
        let mean = (self.sum + self.lost - before) / batch.len() as f64;
        let squares = batch.iter().map(|number| (number - mean) * (number - mean)).sum();
        self.merge(batch.len() as u64, mean, squares);
        self.batch = batch;
        self.batch.clear();
    }

    /// Adds to the sum, as Neumaier does.
    fn plus(&mut self, number: f64) {
        let sum = self.sum + number;
        self.lost += match self.sum.abs() >= number.abs() {
            true => (self.sum - sum) + number,
            false => (number - sum) + self.sum,
        };
        self.sum = sum;
    }

    /// Joins the numbers with others of this mean, as Chan, Golub and LeVeque do.
    fn merge(&mut self, count: u64, mean: f64, squares: f64) {
        let together = self.count + count;
        let (delta, share) = (mean - self.mean, count as f64 / together as f64);
        self.squares += squares + delta * delta * self.count as f64 * share;
        self.mean += delta * share;
        self.count = together;
    }

    /// The mean and the standard deviation; `None` without numbers, and beyond the range of `f64`.
    pub fn finish(mut self) -> (Option<f64>, Option<f64>) {
        self.sum_up();
        if self.count == 0 {
            return (None, None);
        }
        let mean = (self.sum + self.lost) / self.count as f64;
        let deviation = (self.squares / self.count as f64).sqrt();
        (Some(mean).filter(|mean| mean.is_finite()), Some(deviation).filter(|deviation| deviation.is_finite()))
    }
}
