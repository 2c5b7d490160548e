//! The throughput and latency of `plypack serve`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;

use crate::latency::percentile;
use crate::sample::{Sample, draw};

/// The default requests for each position, `{fen}`.
const PATHS: [&str; 3] = [
    "/lichess?variant=standard&fen={fen}&speeds=blitz,rapid,classical\
     &ratings=1600,1800,2000,2200,2500",
    "/masters?fen={fen}",
    "/api/tree?fen={fen}",
];

/// The time limit of an answer.
const PATIENCE: Duration = Duration::from_secs(30);

/// Queries positions from a running `plypack serve`, and measures its throughput.
#[derive(Debug, clap::Args)]
pub struct Options {
    /// The server's address: 127.0.0.1:8080.
    pub server: String,
    /// The games, PGN or compressed by zstd, from which positions are drawn.
    #[arg(long, required = true)]
    pub positions: Vec<PathBuf>,
    /// The number of requests.
    #[arg(long, default_value_t = 10_000)]
    pub count: usize,
    /// The number of concurrent connections.
    #[arg(long, default_value_t = 8)]
    pub connections: usize,
    /// The requests for each position in turn, {fen} being the position [default: the tree, and
    /// two of the API for tools].
    #[arg(long)]
    pub path: Vec<String>,
    /// The seed of the positions.
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Prints one object.
    #[arg(long)]
    pub json: bool,
}

/// Sends all requests once, over persistent connections.
///
/// # Errors
/// Returns an error if an input cannot be read, or a request fails, as a message.
pub fn run(options: &Options) -> Result<(), String> {
    let samples = draw(&options.positions, options.count, options.seed)?;
    let usual: Vec<String> = PATHS.iter().map(|path| (*path).to_owned()).collect();
    let paths = if options.path.is_empty() { &usual } else { &options.path };
    let (next, times) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let begun = Instant::now();
    let asked = std::thread::scope(|scope| {
        let ask = || {
            let mut own = Vec::new();
            let mut connection = Connection::open(&options.server)?;
            while let Some((number, sample)) = take(&next, &samples) {
                let path = paths.get(number % paths.len()).map_or("/", String::as_str);
                let begun = Instant::now();
                connection.get(&address(path, sample))?;
                own.push(u64::try_from(begun.elapsed().as_micros()).unwrap_or(u64::MAX));
            }
            times.lock().map_err(|error| error.to_string())?.extend(own);
            Ok::<(), String>(())
        };
        let all: Vec<_> = (0..options.connections.max(1)).map(|_| scope.spawn(ask)).collect();
        let done = all.into_iter().map(|thread| thread.join().map_err(|_| "a thread failed")?);
        done.collect::<Result<(), String>>()
    });
    asked?;
    let seconds = begun.elapsed().as_secs_f64();
    let mut times = times.into_inner().map_err(|error| error.to_string())?;
    times.sort_unstable();
    let rate = times.len() as f64 / seconds;
    let [p50, p95, p99, most] =
        [50, 95, 99, 100].map(|percent| percentile(&times, percent) as f64 / 1_000.0);
    if options.json {
        let object = json!({
            "requests": times.len(), "seconds": seconds, "per_second": rate,
            "p50_ms": p50, "p95_ms": p95, "p99_ms": p99, "max_ms": most,
        });
        println!("{object}");
    } else {
        println!(
            "{} requests over {} connections: {rate:.0} a second; milliseconds: p50 {p50:.1}, \
             p95 {p95:.1}, p99 {p99:.1}, max {most:.1}",
            times.len(),
            options.connections,
        );
    }
    Ok(())
}

/// The next sample, if any is left, and its number.
fn take<'s>(next: &AtomicUsize, samples: &'s [Sample]) -> Option<(usize, &'s Sample)> {
    let number = next.fetch_add(1, Ordering::Relaxed);
    samples.get(number).map(|sample| (number, sample))
}

fn address(path: &str, sample: &Sample) -> String {
    path.replace("{fen}", &sample.fen.replace(' ', "%20"))
}

/// A persistent connection.
struct Connection {
    host: String,
    reader: BufReader<TcpStream>,
}

impl Connection {
    fn open(server: &str) -> Result<Self, String> {
        let failed = |error: std::io::Error| format!("{server}: {error}");
        let stream = TcpStream::connect(server).map_err(failed)?;
        stream.set_nodelay(true).map_err(failed)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(failed)?;
        Ok(Self { host: server.to_owned(), reader: BufReader::new(stream) })
    }

    /// Requests a path, and reads the answer to its end.
    fn get(&mut self, path: &str) -> Result<(), String> {
        let failed = |error: std::io::Error| format!("{path}: {error}");
        let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", self.host);
        self.reader.get_mut().write_all(request.as_bytes()).map_err(failed)?;
        let (mut line, mut length, mut status) = (String::new(), 0u64, String::new());
        loop {
            line.clear();
            self.reader.read_line(&mut line).map_err(failed)?;
            let text = line.trim_end();
            if text.is_empty() {
                break;
            }
            if status.is_empty() {
                status = text.to_owned();
            }
            if let Some((name, value)) = text.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().map_err(|_| format!("{path}: {text}"))?;
            }
        }
        let mut body = Vec::new();
        self.reader.by_ref().take(length).read_to_end(&mut body).map_err(failed)?;
        if !status.contains(" 200 ") {
            return Err(format!("{path}: {status}: {}", String::from_utf8_lossy(&body)));
        }
        Ok(())
    }
}
