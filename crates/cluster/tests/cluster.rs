//! Admission to a cluster, its refusals, and the files that a query reads.

#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::net::{Ipv4Addr, TcpListener};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ballista_core::extension::{SessionConfigExt, SessionStateExt};
use ballista_executor::executor_process::{ExecutorProcessConfig, start_executor_process};
use datafusion::arrow::util::pretty::pretty_format_batches;
use datafusion::dataframe::DataFrameWriteOptions;
use datafusion::execution::SessionStateBuilder;
use datafusion::physical_plan::common::collect;
use datafusion::prelude::{SessionConfig, SessionContext};
use plypack_cluster::{Address, Error, Executor, Say, Scheduler, connect, explain};
use plypack_sql::Session;
use tempfile::TempDir;
use tokio::net::TcpSocket;

const HERE: &str = "127.0.0.1";

/// The reported lines, for a test to read.
#[derive(Clone, Default)]
struct Heard(Arc<Mutex<Vec<String>>>);

impl Heard {
    fn say(&self) -> Say {
        let lines = Arc::clone(&self.0);
        Arc::new(move |line: &str| lines.lock().expect("no panic").push(line.into()))
    }

    /// Waits until a line contains these words.
    async fn wait_for(&self, words: &str) {
        let begun = Instant::now();
        while !self.0.lock().expect("no panic").iter().any(|line| line.contains(words)) {
            assert!(begun.elapsed() < Duration::from_secs(30), "no line contains `{words}`");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// A port at which nothing listens, reserved as long as the socket is held.
fn silent_port() -> (TcpSocket, u16) {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind((Ipv4Addr::LOCALHOST, 0).into()).expect("a free port");
    let port = socket.local_addr().expect("an address").port();
    (socket, port)
}

/// A scheduler in this process.
fn scheduler() -> (Address, Heard) {
    let heard = Heard::default();
    let timeout = Duration::from_secs(10);
    let scheduler = Scheduler::bind(HERE, 0, timeout, heard.say()).expect("a free port");
    let address = scheduler.address().expect("an address");
    tokio::spawn(scheduler.serve());
    (Address { host: HERE.into(), port: address.port() }, heard)
}

/// An executor in this process, once it has joined.
async fn executor(scheduler: &Address) -> (TempDir, Heard) {
    let folder = tempfile::tempdir().expect("a folder");
    let heard = Heard::default();
    let executor = Executor {
        scheduler: scheduler.clone(),
        host: HERE.into(),
        port: 0,
        tasks: NonZeroUsize::MIN,
        memory: Some(64 << 20),
        folder: folder.path().into(),
        say: heard.say(),
        verbose: true,
    };
    let joined = heard.say();
    let joined = move |_| joined("it has joined");
    tokio::spawn(async move {
        executor.run(joined, std::future::pending()).await.expect("it works");
    });
    heard.wait_for("it has joined").await;
    (folder, heard)
}

fn url(scheduler: &Address) -> String {
    format!("df://{scheduler}")
}

/// A session of a client accepted by the cluster.
async fn session(scheduler: &Address) -> Session {
    connect(&url(scheduler)).await.expect("a cluster")
}

/// The error of a client that finds no cluster.
async fn refusal(url: &str) -> String {
    match connect(url).await {
        Ok(_) => panic!("{url} accepts a client"),
        Err(error) => error.to_string(),
    }
}

/// Writes a table of whole numbers.
async fn write(path: &Path, numbers: std::ops::Range<u32>) {
    let query = format!("select value as n from range({}, {})", numbers.start, numbers.end);
    let context = SessionContext::new();
    let frame = context.sql(&query).await.expect("a query");
    let path = path.to_str().expect("UTF-8");
    let options = DataFrameWriteOptions::new().with_single_file_output(true);
    frame.write_parquet(path, options, None).await.expect("a file");
}

/// Rows as text, or the error.
async fn ask(session: &Session, query: &str) -> Result<String, String> {
    let answer = session.ask(query).await.map_err(|error| error.to_string())?;
    let rows = collect(answer.rows).await;
    let rows = rows.map_err(|error| Session::explain(&error, query).to_string())?;
    Ok(pretty_format_batches(&rows).expect("rows").to_string())
}

#[tokio::test(flavor = "multi_thread")]
async fn where_nobody_listens_the_cure_is_a_scheduler() {
    let (_held, port) = silent_port();
    let why = refusal(&format!("df://{HERE}:{port}")).await;
    assert!(why.contains("nothing listens") && why.contains("plypack scheduler"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn something_else_than_a_scheduler_is_told_apart() {
    let listener = TcpListener::bind((HERE, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    std::thread::spawn(move || listener.incoming().for_each(drop));
    let why = refusal(&format!("df://{HERE}:{port}")).await;
    assert!(why.contains("is not a plypack scheduler"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_of_another_kind_is_refused() {
    let why = refusal("http://127.0.0.1:50050").await;
    assert!(why.contains("write df://HOST:PORT"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cluster_without_executors_says_so() {
    let (scheduler, _) = scheduler();
    let why = refusal(&url(&scheduler)).await;
    assert!(why.contains("no executors") && why.contains("plypack executor"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_port_that_is_taken_is_named() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let bound = Scheduler::bind(HERE, port, Duration::from_secs(10), Heard::default().say());
    let why = bound.err().expect("it is taken").to_string();
    assert!(why.contains(&port.to_string()) && why.contains("--port 0"), "{why}");
}

/// A free port below the range that systems assign to clients, so that it stays free until the
/// server, which cannot listen at port 0, takes it.
fn callable_port() -> u16 {
    let free = |port: &u16| TcpListener::bind((Ipv4Addr::LOCALHOST, *port)).is_ok();
    (30_000..32_000).find(free).expect("a free port")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_of_another_program_is_not_taken() {
    let (scheduler, heard) = scheduler();
    let folder = tempfile::tempdir().expect("a folder");
    let config = ExecutorProcessConfig {
        // The scheduler calls back to it there before it checks the version.
        grpc_port: callable_port(),
        scheduler_host: HERE.into(),
        scheduler_port: scheduler.port,
        work_dir: folder.path().to_str().map(Into::into),
        ..ExecutorProcessConfig::default()
    };
    let refused = start_executor_process(Arc::new(config)).await.expect_err("it is refused");
    assert!(refused.to_string().contains("install one version on all machines"), "{refused}");
    let why = refusal(&url(&scheduler)).await;
    assert!(why.contains("no executors"), "{why}");
    assert!(heard.0.lock().expect("no panic").iter().any(|line| line.contains("not plypack")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_of_another_program_is_refused_with_the_cure() {
    let (scheduler, _) = scheduler();
    let _executor = executor(&scheduler).await;
    let state = SessionStateBuilder::new()
        .with_config(SessionConfig::new_with_ballista())
        .with_default_features()
        .build()
        .upgrade_for_ballista(format!("http://{scheduler}"))
        .expect("a state");
    let context = SessionContext::new_with_state(state);
    let rows = context.sql("select 1").await.expect("a query").collect().await;
    let why = explain(&rows.expect_err("it is refused"));
    assert!(why.starts_with("the client is not plypack and the scheduler plypack"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_folders_and_patterns_are_those_of_the_client() {
    let (scheduler, _) = scheduler();
    let (_folder, heard) = executor(&scheduler).await;
    let folder = tempfile::tempdir().expect("a folder");
    for (name, first) in [("a b.parquet", 0), ("a%2.parquet", 100), ("b.parquet", 10_000)] {
        write(&folder.path().join(name), first..first + 100).await;
    }
    let place = folder.path().to_str().expect("UTF-8");
    let (near, far) = (Session::local(1), session(&scheduler).await);
    for name in ["a b.parquet", "a%2.parquet", "", "a*.parquet"] {
        let query = format!(
            "select count(*), sum(n), min(n), max(n) from '{place}/{name}' where n % 3 = 1"
        );
        let expected = ask(&near, &query).await.expect("rows");
        assert_eq!(ask(&far, &query).await.expect("rows"), expected, "{name}");
    }
    heard.wait_for("ends after").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_on_an_executor_names_it() {
    let (scheduler, _) = scheduler();
    let _executor = executor(&scheduler).await;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.parquet");
    write(&path, 0..10).await;
    let session = session(&scheduler).await;
    let query = format!("select 1 / (n - 5) from '{}'", path.display());
    let why = ask(&session, &query).await.expect_err("it divides by zero");
    assert!(why.contains("Divide by zero") && why.contains("(on the executor at 127"), "{why}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executor_without_a_scheduler_gives_up() {
    let (_held, port) = silent_port();
    let folder = tempfile::tempdir().expect("a folder");
    let heard = Heard::default();
    let executor = Executor {
        scheduler: Address { host: HERE.into(), port },
        host: HERE.into(),
        port: 0,
        tasks: NonZeroUsize::MIN,
        memory: None,
        folder: folder.path().into(),
        say: heard.say(),
        verbose: false,
    };
    let done = executor.run(|_| panic!("it joins"), std::future::pending()).await;
    assert!(matches!(done, Err(Error::Nobody { .. })), "{done:?}");
    heard.wait_for("waiting for up to").await;
}
