//! Progress bars, on a terminal only, and messages.

use std::fmt::{Display, Write};
use std::io::Write as _;
use std::ops::ControlFlow;

use indicatif::{HumanCount, ProgressBar, ProgressState, ProgressStyle};

use plypack::Progress;
use plypack::store::{Done, Work};

use crate::{interrupt, terminal};

/// Returns a bar that counts towards `total` (bytes if `bytes`, else records), with rate and time
/// left. Hidden if `quiet` or if standard error is not a terminal.
pub fn bar(total: Option<u64>, bytes: bool, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let (unit, rate) = if bytes {
        ("{bytes} of {total_bytes}", "{bytes_per_sec}")
    } else {
        ("{human_pos} of {human_len} records", "{rate}")
    };
    let bar = match total {
        Some(total) => ProgressBar::new(total),
        None => ProgressBar::new_spinner(),
    };
    let left = if total.is_some() { ", {eta} left {wide_bar}" } else { "" };
    let template = format!("{unit}, {rate}{left} {{msg}}");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        let key = |state: &ProgressState, out: &mut dyn Write| {
            // A writer of a terminal that fails shows no rate.
            let _ = write!(out, "{}", rate_text(state.per_sec()));
        };
        bar.set_style(style.with_key("rate", key));
    }
    bar
}

/// Formats how many records are done in a second; tenths matter only below ten.
fn rate_text(per_second: f64) -> String {
    match per_second {
        ..10.0 => format!("{per_second:.1}/s"),
        _ => format!("{per_second:.0}/s"),
    }
}

/// Returns a bar that counts towards `total` steps and names the current one. Hidden if `quiet` or
/// if standard error is not a terminal.
pub fn steps(total: u64, quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(total);
    if let Ok(style) = ProgressStyle::with_template("{pos} of {len}, {eta} left {wide_bar} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// Prints a line on standard error. Write errors are ignored, as the exit code still tells;
/// `eprintln!` would panic.
pub fn say(line: impl Display) {
    let _ = writeln!(std::io::stderr(), "{}", terminal::lines(&line.to_string()));
}

/// Formats a count with its noun: `1 record`, `2 records`.
pub fn counted(number: u64, one: &str) -> String {
    format!("{} {one}{}", count(number), if number == 1 { "" } else { "s" })
}

/// Formats a number with thousands separators.
pub fn count(number: u64) -> HumanCount {
    HumanCount(number)
}

/// Returns what moves a bar with the progress of a builder of the library: by records, or by bytes.
/// Work that goes over all records again, as to index them, begins the bar anew.
pub fn moved(
    bar: &ProgressBar,
    bytes: bool,
) -> impl FnMut(&Progress) -> ControlFlow<()> + Send + '_ {
    move |so_far| {
        let done = if bytes { so_far.bytes } else { so_far.records };
        bar.set_position(match bar.length() {
            Some(total @ 1..) if done > total => (done - 1) % total + 1,
            _ => done,
        });
        ControlFlow::Continue(())
    }
}

/// Does work that counts records up to this many, under a progress bar, until the user asks to
/// stop.
pub fn watched<T>(
    records: u64,
    threads: usize,
    quiet: bool,
    work: impl FnOnce(&Work<'_>) -> T,
) -> T {
    let bar = bar(Some(records), false, quiet);
    let progress = |done: Done| bar.inc(done.records);
    let done = work(&Work { progress: &progress, ..interrupt::work(threads) });
    bar.finish_and_clear();
    done
}

#[cfg(test)]
mod tests {
    use super::rate_text;

    #[test]
    fn rates_have_no_more_digits_than_mean_something() {
        let rates = [0.0, 0.25, 9.94, 177.0363, 4_200.6].map(rate_text);
        assert_eq!(rates, ["0.0/s", "0.2/s", "9.9/s", "177/s", "4201/s"]);
    }
}
