//! A cluster on one machine: its answers are those of a single program, even if members leave or
//! are killed meanwhile, and a member that lacks something says so.

#![cfg(target_os = "linux")]
#![allow(
    clippy::expect_used,
    clippy::panic,
    reason = "clippy spares only functions marked #[test], not their helpers"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::common::{Done, Sandbox, sample};

/// The longest that any wait may take.
const PATIENCE: Duration = Duration::from_secs(120);

/// How soon a run must end when told to: two seconds, and one for a busy machine to notice.
const SOON: Duration = Duration::from_secs(3);

/// A scheduler or an executor, which ends with the test.
struct Member {
    child: Child,
    /// The first line that it printed.
    address: String,
    /// Its standard error so far.
    said: Arc<Mutex<String>>,
}

impl Drop for Member {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Member {
    /// Starts a member, and waits until it prints its address.
    #[track_caller]
    fn start(mut command: Command) -> Self {
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut member = Self::spawn(command);
        let stdout = member.child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut member.address).expect("a line");
        member.address.truncate(member.address.trim_end().len());
        assert!(!member.address.is_empty(), "it does not start: {}", member.said());
        member
    }

    /// Starts a program whose standard error is a pipe.
    fn spawn(mut command: Command) -> Self {
        let mut child = command.spawn().expect("the program starts");
        let said = Arc::new(Mutex::new(String::new()));
        let (stderr, heard) = (child.stderr.take().expect("a pipe"), Arc::clone(&said));
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut heard = heard.lock().expect("no panic");
                heard.push_str(&line);
                heard.push('\n');
            }
        });
        Self { child, address: String::new(), said }
    }

    fn said(&self) -> String {
        self.said.lock().expect("no panic").clone()
    }

    #[track_caller]
    fn wait_until(&self, what: &str, is_so: impl Fn(&str) -> bool) {
        let begun = Instant::now();
        while !is_so(&self.said()) {
            assert!(begun.elapsed() < PATIENCE, "not {what}: {}", self.said());
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Returns how many tasks have begun here, and how many of them are over.
    fn tasks(&self) -> (usize, usize) {
        let said = self.said();
        let count = |words: &[&str]| {
            said.lines().filter(|line| words.iter().any(|word| line.contains(word))).count()
        };
        (count(&[" begins"]), count(&[" ends after", " fails after"]))
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args([name, &self.child.id().to_string()]).status();
        assert!(status.is_ok_and(|status| status.success()), "no signal was sent");
    }

    /// Sends a signal and checks that it ends soon with code 130.
    #[track_caller]
    fn ends_soon(&mut self, name: &str) {
        self.signal(name);
        let begun = Instant::now();
        let code = loop {
            match self.child.try_wait().expect("a child") {
                Some(status) => break status.code(),
                None => assert!(begun.elapsed() < PATIENCE, "it does not end"),
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let took = begun.elapsed();
        assert_eq!(code, Some(130), "{}", self.said());
        assert!(took < SOON, "it took {took:?}");
    }
}

fn scheduler(sandbox: &Sandbox, port: &str) -> Member {
    let arguments = ["scheduler", "--port", port, "--executor-timeout", "10"];
    Member::start(sandbox.command(arguments))
}

/// A port that stays free between two schedulers: below those that systems assign.
fn lasting_port() -> String {
    let free = |port: &u16| TcpListener::bind(("127.0.0.1", *port)).is_ok();
    (20_000..30_000).find(free).expect("a free port").to_string()
}

/// An executor for one task at a time.
fn executor(sandbox: &Sandbox, scheduler: &Member, name: &str) -> Member {
    Member::start(executor_command(sandbox, scheduler, name))
}

fn executor_command(sandbox: &Sandbox, scheduler: &Member, name: &str) -> Command {
    let folder = sandbox.path(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let address = scheduler.address.trim_start_matches("df://");
    let mut command = sandbox.command(["executor", "-v", "-T", "1", "--scheduler", address]);
    command.arg("--work-dir").arg(folder);
    command
}

/// Packs the sample into so many files in `games/`, with different models.
fn pack(sandbox: &Sandbox, files: usize) {
    std::fs::create_dir_all(sandbox.path("games")).expect("a folder");
    let games = sample("championship.pgn");
    for (number, model) in ["default", "small"].into_iter().cycle().take(files).enumerate() {
        let path = sandbox.path(&format!("games/{number:02}.parquet"));
        if number < 2 {
            let mut arguments = vec!["pack".as_ref(), "-q".as_ref(), games.as_os_str()];
            arguments.extend(["--model".as_ref(), model.as_ref(), "-o".as_ref(), path.as_os_str()]);
            sandbox.run(arguments).expect(0);
        } else {
            let same = sandbox.path(&format!("games/{:02}.parquet", number % 2));
            std::fs::copy(same, path).expect("a copy");
        }
    }
}

/// The command that queries a cluster, or this machine alone.
fn query(sandbox: &Sandbox, scheduler: Option<&Member>, query: &str) -> Command {
    let mut command = sandbox.command(["sql", "-q", "--format", "csv", query]);
    if let Some(scheduler) = scheduler {
        command.args(["--cluster", &scheduler.address]);
    }
    command
}

#[track_caller]
fn ask(sandbox: &Sandbox, scheduler: Option<&Member>, text: &str) -> Done {
    done(query(sandbox, scheduler, text).output().expect("the binary runs"))
}

fn done(output: std::process::Output) -> Done {
    let err = String::from_utf8(output.stderr).expect("UTF-8");
    Done { code: output.status.code(), out: output.stdout, err }
}

/// Functions in filters, projections, groups and orders, and every way to name files.
const QUERIES: [&str; 8] = [
    "select count(*), sum(plies(moves)) from 'games/'",
    "select White, count(*) from 'games/' where reaches(moves, '1. e4 c5') group by White \
     order by 2 desc, 1",
    "select fen(moves, 8) as position, count(*) as games from 'games/' group by 1 \
     order by games desc, position limit 10",
    "select White, Black, san(moves, plies(moves)) as last from 'games/01.parquet' \
     where Result = '1-0' order by key(moves), White, Black limit 20",
    "select Year, max(plies(moves)), min(material(moves, 60)) from 'games/0*.parquet' \
     where material(moves, 60) is not null group by Year order by Year",
    "select a.White, count(*) from 'games/00.parquet' a join 'games/01.parquet' b \
     on a.number = b.number where fen(a.moves) = fen(b.moves) group by a.White order by 2 desc, 1 \
     limit 5",
    "select uci(moves, 1) as first, avg(plies(moves)) from 'games/' group by first order by first",
    "select san, count(*) from plies('games/00.parquet') where ply = 3 group by san \
     order by 2 desc, 1",
];

#[test]
fn a_cluster_answers_as_one_machine_does() {
    let sandbox = Sandbox::new();
    pack(&sandbox, 6);
    let scheduler = scheduler(&sandbox, "0");
    let executors = ["a", "b"].map(|name| executor(&sandbox, &scheduler, name));
    for query in QUERIES {
        let near = ask(&sandbox, None, query).expect(0);
        assert!(near.out.iter().filter(|&&byte| byte == b'\n').count() > 1, "{query}: no rows");
        let far = ask(&sandbox, Some(&scheduler), query).expect(0);
        assert_eq!(far.text(), near.text(), "{query}");
    }
    for executor in &executors {
        assert!(executor.tasks().1 > 0, "it took no part: {}", executor.said());
    }
}

/// The examples of docs/sql.md, over the samples that they name.
#[test]
fn a_cluster_answers_the_documents_queries() {
    let sandbox = Sandbox::new();
    for name in ["annotated", "championship", "engines", "famous", "tictactoe", "xiangqi"] {
        let path = sample(&format!("{name}.pgn"));
        let output = format!("{name}.parquet");
        sandbox.run(["pack", "-q", path.to_str().expect("a path"), "-o", &output]).expect(0);
    }
    let document = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sql.md");
    let document = std::fs::read_to_string(document).expect("the document");
    let queries: Vec<&str> = document
        .split("```sql\n")
        .skip(1)
        .filter_map(|block| block.split_once("```"))
        .map(|block| block.0)
        .collect();
    assert!(queries.len() > 15, "{}", queries.len());
    let scheduler = scheduler(&sandbox, "0");
    let _executors = ["a", "b"].map(|name| executor(&sandbox, &scheduler, name));
    // Unordered rows come in another order from a cluster.
    let lines = |done: &Done| {
        let mut lines: Vec<String> = done.text().lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    for query in queries {
        let near = ask(&sandbox, None, query).expect(0);
        let far = ask(&sandbox, Some(&scheduler), query).expect(0);
        assert_eq!(lines(&far), lines(&near), "{query}");
    }
}

/// A query that decodes every game to its end.
const LONG: &str = "select fen(moves) as last, count(*) as games from 'games/' group by last \
                    order by games desc, last limit 20";

#[test]
fn an_executor_that_is_killed_at_work_changes_no_answer() {
    let sandbox = Sandbox::new();
    pack(&sandbox, 8);
    let expected = ask(&sandbox, None, LONG).expect(0);
    let scheduler = scheduler(&sandbox, "0");
    let _survivor = executor(&sandbox, &scheduler, "a");
    let mut victim = executor(&sandbox, &scheduler, "b");
    // A task may be over before anyone sees it begin: the next question has others.
    let caught = (0..10).find_map(|_| {
        let mut command = query(&sandbox, Some(&scheduler), LONG);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let client = command.spawn().expect("it starts");
        let before = victim.tasks().0;
        victim.wait_until("at work", |_| victim.tasks().0 > before);
        // Stopped, it ends no task until it is killed.
        victim.signal("-STOP");
        std::thread::sleep(Duration::from_millis(100));
        let (begun, over) = victim.tasks();
        if begun > over {
            return Some(client);
        }
        victim.signal("-CONT");
        done(client.wait_with_output().expect("it ends")).expect(0);
        None
    });
    let Some(client) = caught else { panic!("no task was caught at work: {}", victim.said()) };
    victim.child.kill().expect("it runs");
    victim.child.wait().expect("it is dead");
    let output = client.wait_with_output().expect("it ends");
    let lost = scheduler.said().contains("is lost; its tasks go to others");
    assert!(lost, "the query did not need the lost tasks: {}", scheduler.said());
    assert_eq!(done(output).expect(0).text(), expected.text());
    // The next executor in this folder removes what it left.
    let left = || std::fs::read_dir(sandbox.path("b")).expect("a folder").count();
    assert_eq!(left(), 1);
    let mut next = executor(&sandbox, &scheduler, "b");
    assert_eq!(left(), 1);
    next.ends_soon("-TERM");
    assert_eq!(left(), 0);
}

#[test]
fn an_executor_that_leaves_at_work_changes_no_answer() {
    let sandbox = Sandbox::new();
    pack(&sandbox, 8);
    let expected = ask(&sandbox, None, LONG).expect(0);
    let mut scheduler = scheduler(&sandbox, "0");
    let mut stays = executor(&sandbox, &scheduler, "a");
    let mut leaves = executor(&sandbox, &scheduler, "b");
    let mut command = query(&sandbox, Some(&scheduler), LONG);
    let client = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    leaves.wait_until("at work", |said| said.contains(" begins"));
    leaves.ends_soon("-INT");
    scheduler.wait_until("told", |said| said.contains("has left"));
    assert_eq!(done(client.wait_with_output().expect("it ends")).expect(0).text(), expected.text());
    stays.ends_soon("-TERM");
    for name in ["a", "b"] {
        let left = std::fs::read_dir(sandbox.path(name)).expect("a folder").count();
        assert_eq!(left, 0, "{name} has left something behind");
    }
    scheduler.ends_soon("-INT");
}

#[test]
fn an_executor_waits_for_a_scheduler_that_has_gone() {
    let sandbox = Sandbox::new();
    let port = lasting_port();
    let first = scheduler(&sandbox, &port);
    let executor = executor(&sandbox, &first, "a");
    ask(&sandbox, Some(&first), "select 1").expect(0);
    drop(first);
    executor.wait_until("told", |said| said.contains("does not answer; retrying"));
    let second = scheduler(&sandbox, &port);
    executor.wait_until("told", |said| said.contains("answers again"));
    assert_eq!(ask(&sandbox, Some(&second), "select 6 * 7 as x").expect(0).text(), "x\n42\n");
}

#[test]
fn a_file_that_other_machines_lack_is_named() {
    let (here, there) = (Sandbox::new(), Sandbox::new());
    pack(&here, 1);
    // A path below each process's own folder, as if each had its own machine.
    let query = "select count(plies(moves)) from '/proc/self/cwd/games/00.parquet'";
    let near = scheduler(&here, "0");
    let mut command = executor_command(&here, &near, "a");
    command.current_dir(there.path("."));
    let far_executor = Member::start(command);
    let name = far_executor.address.split(' ').next().expect("an address").to_string();
    let missing = format!("the executor at {name} has no file /proc/self/cwd/games/00.parquet");
    ask(&here, Some(&near), query).refuses(2, &[&missing, "an object store"]);

    let far = scheduler(&there, "0");
    let _executor = executor(&here, &far, "b");
    let missing = "the scheduler has no file /proc/self/cwd/games/00.parquet";
    ask(&here, Some(&far), query).refuses(2, &[missing, "an object store"]);
}

#[test]
fn what_is_missing_is_said_plainly() {
    let sandbox = Sandbox::new();
    pack(&sandbox, 1);
    let run = |url: &str| sandbox.run(["sql", "--cluster", url, "select 1"]);
    run("127.0.0.1:50050").refuses(2, &["write df://HOST:PORT"]);
    run("df://127.0.0.1:1").refuses(2, &["nothing listens at 127.0.0.1:1", "plypack scheduler"]);
    let scheduler = scheduler(&sandbox, "0");
    run(&scheduler.address).refuses(2, &["has no executors", "plypack executor"]);
    let port = scheduler.address.rsplit(':').next().expect("a port");
    sandbox.run(["scheduler", "--port", port]).refuses(2, &[port, "--port 0"]);
    let nobody = sandbox.run(["executor", "--scheduler", "127.0.0.1:1"]);
    nobody.refuses(2, &["waiting for up to 10 s", "nothing listens at 127.0.0.1:1"]);
    let _executor = executor(&sandbox, &scheduler, "a");
    let damaged = ask(&sandbox, Some(&scheduler), "select Whit from 'games/00.parquet'");
    damaged.refuses(2, &["Whit"]);
}

/// The variable that names the program `moto_server`, an S3 server, if it is not found.
const MOTO: &str = "PLYPACK_MOTO";

/// Returns the server's program, if it is there.
fn moto() -> Option<PathBuf> {
    let named = std::env::var_os(MOTO).map(PathBuf::from);
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found = || {
        std::env::split_paths(&path).map(|folder| folder.join("moto_server")).find(|p| p.exists())
    };
    let found = named.or_else(found);
    if found.is_none() {
        plypack_testing::skip(&format!(
            "there is no S3 server: `pip install 'moto[server]'`, and set {MOTO} to moto_server"
        ));
    }
    found
}

/// An object storage server with a bucket `games`.
fn storage(program: &Path) -> (Member, String) {
    let mut command = Command::new(program);
    command.args(["-H", "127.0.0.1", "-p", "0"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut server = Member::spawn(command);
    server.wait_until("running", |said| said.contains("Running on http://"));
    let said = server.said();
    let (_, rest) = said.split_once("Running on http://").expect("it said so");
    server.address = rest.split_whitespace().next().expect("an address").into();
    let address = server.address.clone();
    put(&address, "/games", b"");
    (server, format!("http://{address}"))
}

/// Creates a bucket or an object.
fn put(address: &str, path: &str, content: &[u8]) {
    let mut stream = TcpStream::connect(address).expect("a server");
    let length = content.len();
    write!(stream, "PUT {path} HTTP/1.1\r\nHost: {address}\r\nContent-Length: {length}\r\n")
        .expect("a request");
    stream.write_all(b"Connection: close\r\n\r\n").expect("a request");
    stream.write_all(content).expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
}

/// Tells a program where the object storage is.
fn with_storage(mut command: Command, endpoint: &str) -> Command {
    command.env("AWS_ENDPOINT_URL", endpoint).env("AWS_ALLOW_HTTP", "true");
    command.env("AWS_ACCESS_KEY_ID", "somebody").env("AWS_SECRET_ACCESS_KEY", "secret");
    command
}

#[test]
fn files_in_object_storage_are_seen_from_all_sides() {
    let Some(program) = moto() else { return };
    let sandbox = Sandbox::new();
    pack(&sandbox, 2);
    let (server, endpoint) = storage(&program);
    for name in ["00.parquet", "01.parquet"] {
        put(&server.address, &format!("/games/{name}"), &sandbox.read(&format!("games/{name}")));
    }
    let arguments = ["scheduler", "--port", "0"];
    let scheduler = Member::start(with_storage(sandbox.command(arguments), &endpoint));
    let command = executor_command(&sandbox, &scheduler, "a");
    let executor = Member::start(with_storage(command, &endpoint));
    let ask_with = |scheduler: Option<&Member>, text: &str| {
        let command = query(&sandbox, scheduler, text);
        done(with_storage(command, &endpoint).output().expect("the binary runs"))
    };
    let text = |place: &str| {
        format!("select fen(moves, 20) as f, count(*) from '{place}' group by f order by 2 desc, 1")
    };
    for place in ["00.parquet", ""] {
        let disk = ask(&sandbox, None, &text(&format!("games/{place}"))).expect(0);
        let query = text(&format!("s3://games/{place}"));
        assert_eq!(ask_with(None, &query).expect(0).text(), disk.text(), "{place}");
        assert_eq!(ask_with(Some(&scheduler), &query).expect(0).text(), disk.text(), "{place}");
    }
    // A client that lacks a key, and one that lacks the permission for HTTP.
    let mut command = query(&sandbox, None, &text("s3://games/00.parquet"));
    command.env("AWS_ENDPOINT_URL", &endpoint).env("AWS_ACCESS_KEY_ID", "somebody");
    done(command.output().expect("it runs")).refuses(2, &["AWS_SECRET_ACCESS_KEY is not set"]);
    let mut command = query(&sandbox, None, &text("s3://games/00.parquet"));
    command.env("AWS_ENDPOINT_URL", &endpoint).env("AWS_SKIP_SIGNATURE", "true");
    done(command.output().expect("it runs")).refuses(2, &["AWS_ALLOW_HTTP=true"]);
    // An executor without settings.
    drop(executor);
    let bare = Member::start(executor_command(&sandbox, &scheduler, "b"));
    let name = bare.address.split(' ').next().expect("an address");
    ask_with(Some(&scheduler), &text("s3://games/00.parquet")).refuses(2, &[name, "AWS_"]);
}
