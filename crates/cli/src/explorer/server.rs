//! HTTP: access, time limits and load limits.
//!
//! Requests are answered on as many threads as there are cores, and the queue is limited. A request
//! that takes too long is stopped, as is one whose client is gone.

use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited, combinators::BoxBody};
use hyper::body::{Body, Frame, Incoming};
use hyper::header::{self, HeaderMap, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use quick_cache::Weighter;
use quick_cache::sync::Cache;
use serde_json::json;
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio::time::{Instant, timeout, timeout_at};

use crate::explorer::answer::{Answer, Stop, entity_tag, packed};
use crate::explorer::api;
use crate::explorer::database::Database;
use crate::explorer::download::download;
use crate::explorer::error::Refusal;
use crate::explorer::event::event;
use crate::explorer::lichess::{Service, explore};
use crate::explorer::names::completions;
use crate::explorer::player::player;
use crate::explorer::query::Query;
use crate::explorer::repertoire::{TEXT_MAX, repertoire};

/// The time limit of a request, including its time in the queue.
const ANSWER_TIME: Duration = Duration::from_secs(20);

/// The time after which a partial answer is returned, where that is useful.
const PART_TIME: Duration = Duration::from_secs(15);

/// The time limit for reading the head of a request.
const HEAD_TIME: Duration = Duration::from_secs(15);

/// The time that a download waits for the client to read.
const TAKING_TIME: Duration = Duration::from_secs(30);

/// The maximum size of the head of a request, in bytes.
const HEAD_BYTES: usize = 32 << 10;

/// The maximum number of connections.
const CONNECTIONS: usize = 512;

/// The maximum number of requests in the queue.
const WAITING: usize = 256;

/// The maximum number of concurrent downloads.
const DOWNLOADS: usize = 4;

/// The size of the answer cache, in bytes.
const KEPT_BYTES: u64 = 64 << 20;

/// The number of buffered chunks of a download.
const CHUNKS: usize = 4;

/// The only path to which something is sent.
const REPERTOIRE: &str = "/api/repertoire";

/// The media types of records.
const PGN: &str = "application/x-chess-pgn";
const SGF: &str = "application/x-go-sgf; charset=utf-8";

/// How often the stop flag is checked.
const TICK: Duration = Duration::from_millis(100);

/// A file of the page.
#[derive(Clone, Copy, Debug)]
pub struct Page {
    /// Its name, without a slash.
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    /// Its bytes.
    pub bytes: &'static [u8],
}

/// Returns the text served under a name, if there is one.
pub type Texts = dyn Fn(&str) -> Option<String> + Send + Sync;

/// The content served.
pub struct Site {
    /// The files of the page; the empty path is `index.html`.
    pub pages: &'static [Page],
    /// The database, if one was given.
    pub database: Option<Database>,
    /// Other texts.
    pub texts: Box<Texts>,
}

/// Access settings.
#[derive(Clone, Debug)]
pub struct Access {
    /// The address to listen on: loopback or another.
    pub address: IpAddr,
    /// The port; 0 for any free port.
    pub port: u16,
    /// The origins of other pages that may read answers, `https://example.org`; `*` for all.
    pub origins: Vec<String>,
}

/// A listening server.
pub struct Server {
    listener: TcpListener,
    state: Arc<State>,
}

struct State {
    site: Site,
    /// The accepted `Host` values; any if other machines have access.
    hosts: Option<Vec<String>>,
    origins: Vec<String>,
    workers: Arc<Semaphore>,
    downloads: Arc<Semaphore>,
    waiting: AtomicUsize,
    kept: Cache<String, Answer, Bytelength>,
}

#[derive(Clone)]
struct Bytelength;

impl Weighter<String, Answer> for Bytelength {
    fn weight(&self, key: &String, answer: &Answer) -> u64 {
        (key.len() + answer.body.len()).max(1) as u64
    }
}

impl Server {
    /// Starts to listen.
    ///
    /// # Errors
    /// Returns an error if the system refuses, e.g. because another program has the port.
    pub fn bind(site: Site, access: &Access) -> io::Result<Self> {
        let listener = TcpListener::bind((access.address, access.port))?;
        listener.set_nonblocking(true)?;
        let port = listener.local_addr()?.port();
        let own = ["127.0.0.1", "localhost", "[::1]"];
        let hosts = access.address.is_loopback().then(|| {
            let with_port = own.iter().map(|host| format!("{host}:{port}"));
            let bare = own.iter().filter(|_| port == 80).map(|host| (*host).to_owned());
            with_port.chain(bare).collect()
        });
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let state = State {
            site,
            hosts,
            origins: access.origins.clone(),
            workers: Arc::new(Semaphore::new(cores)),
            downloads: Arc::new(Semaphore::new(DOWNLOADS)),
            waiting: AtomicUsize::new(0),
            kept: Cache::with_weighter(16 << 10, KEPT_BYTES, Bytelength),
        };
        Ok(Self { listener, state: Arc::new(state) })
    }

    /// Returns the address on which it listens.
    ///
    /// # Errors
    /// Returns an error if the system does not report it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` is set.
    ///
    /// # Errors
    /// Returns an error if the system refuses threads.
    pub fn run(self, stop: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
        let done = runtime.block_on(accept(self.listener, &self.state, stop));
        // Running requests are cancelled by their guard; shutdown does not wait.
        runtime.shutdown_timeout(Duration::from_millis(500));
        done
    }
}

async fn accept(listener: TcpListener, state: &Arc<State>, stop: &AtomicBool) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let connections = Arc::new(Semaphore::new(CONNECTIONS));
    while !stop.load(Ordering::Relaxed) {
        // A failed accept, e.g. when file descriptors run out, is retried.
        let Ok(Ok((stream, _))) = timeout(TICK, listener.accept()).await else { continue };
        // Connections beyond the limit are dropped.
        let Ok(place) = Arc::clone(&connections).try_acquire_owned() else { continue };
        tokio::spawn(connection(stream, Arc::clone(state), place));
    }
    Ok(())
}

async fn connection(stream: TcpStream, state: Arc<State>, _place: OwnedSemaphorePermit) {
    let _ = stream.set_nodelay(true);
    let service = service_fn(move |request| respond(Arc::clone(&state), request));
    // The client may be gone; errors have no recipient.
    let _ = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(HEAD_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .await;
}

type Sent = Response<BoxBody<Bytes, io::Error>>;

async fn respond(state: Arc<State>, request: Request<Incoming>) -> Result<Sent, Infallible> {
    let origin = request.headers().get(header::ORIGIN).cloned();
    let allowed = origin.filter(|origin| state.allows(origin));
    let wish = Wish::of(request.headers());
    let mut sent = match state.check(&request, allowed.is_some()) {
        Err(refusal) => refused(&refusal),
        Ok(()) if request.method() == Method::OPTIONS => {
            let mut sent = Response::new(whole(Bytes::new()));
            *sent.status_mut() = StatusCode::NO_CONTENT;
            sent
        }
        Ok(()) if request.method() == Method::POST => {
            let query = request.uri().query().unwrap_or_default().to_owned();
            match post(&state, &query, request.into_body(), &wish).await {
                Ok(sent) => sent,
                Err(refusal) => refused(&refusal),
            }
        }
        Ok(()) => answer(&state, request.uri().path(), request.uri().query(), &wish).await,
    };
    let headers = sent.headers_mut();
    let set = |headers: &mut HeaderMap, name, value| {
        headers.insert(name, HeaderValue::from_static(value));
    };
    set(headers, header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(headers, header::VARY, "Origin, Accept-Encoding");
    // The pages have policies of their own; only pages of this server may frame them.
    set(headers, header::CONTENT_SECURITY_POLICY, "frame-ancestors 'self'");
    match allowed {
        Some(origin) => {
            headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
            set(headers, header::ACCESS_CONTROL_ALLOW_METHODS, "GET, HEAD, OPTIONS, POST");
            set(headers, header::ACCESS_CONTROL_ALLOW_HEADERS, "*");
        }
        None => {
            headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
        }
    }
    Ok(sent)
}

impl State {
    /// Whether pages of this origin may read answers.
    fn allows(&self, origin: &HeaderValue) -> bool {
        self.origins.iter().any(|allowed| allowed == "*" || allowed.as_bytes() == origin.as_bytes())
    }

    /// Checks whether a request is answered at all. A request under another host name comes from a
    /// foreign page (DNS rebinding). Pages of other origins may send requests only if allowed.
    fn check(&self, request: &Request<Incoming>, allowed: bool) -> Result<(), Refusal> {
        let forbidden = |why: &str| Refusal { status: 403, why: why.into() };
        let text = |name| {
            let value = request.headers().get(name)?;
            value.to_str().ok()
        };
        let host = text(header::HOST).unwrap_or_default();
        if request.headers().get_all(header::HOST).iter().count() > 1 {
            return Err(Refusal { status: 400, why: "a request must have one Host".into() });
        }
        let names = |host: &str| {
            let is_own = |own: &String| own.eq_ignore_ascii_case(host);
            self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(is_own))
        };
        // The first line of a request may contain the whole address, which then counts.
        let authority = request.uri().authority().map(|authority| authority.as_str());
        if !names(host) || authority.is_some_and(|authority| !names(authority)) {
            return Err(forbidden("this server answers only to this machine's own names"));
        }
        let origin = text(header::ORIGIN);
        let own = origin.and_then(|origin| origin.split_once("://")).is_some_and(|o| o.1 == host);
        let foreign = origin.is_some() && !own
            || request.headers().get("sec-fetch-site").is_some_and(|site| site == "cross-site")
                && request.headers().get("sec-fetch-mode").is_none_or(|mode| mode != "navigate");
        if foreign && !allowed {
            return Err(forbidden(
                "pages of other sites may not read this; --allow-origin allows them",
            ));
        }
        match *request.method() {
            Method::GET | Method::HEAD | Method::OPTIONS => Ok(()),
            Method::POST if request.uri().path() == REPERTOIRE => Ok(()),
            _ => Err(Refusal { status: 405, why: "only GET is supported".into() }),
        }
    }
}

/// Answers a question about a repertoire, whose text is the body of the request.
async fn post(
    state: &Arc<State>,
    query: &str,
    body: Incoming,
    wish: &Wish,
) -> Result<Sent, Refusal> {
    let slow = || Refusal { status: 408, why: "the repertoire was not received in time".into() };
    let large = |_| Refusal {
        status: 413,
        why: format!("the repertoire is longer than {TEXT_MAX} bytes, or was cut off"),
    };
    let body = timeout(HEAD_TIME, Limited::new(body, TEXT_MAX).collect()).await;
    let body = body.map_err(|_| slow())?.map_err(large)?.to_bytes();
    let text = String::from_utf8(body.into());
    let text = text.map_err(|_| Refusal::asked("the repertoire is not a text in UTF-8"))?;
    let asked = format!("{REPERTOIRE}?{query}\n{text}");
    if let Some(answer) = state.kept.get(&asked) {
        return Ok(given(answer.kind, answer.body, wish));
    }
    let query = Query::read(query);
    let find = move |database: &Database, stop: &Stop| repertoire(database, &query, text, stop);
    let answer = work(state, find).await?;
    state.kept.insert(asked, answer.clone());
    Ok(given(answer.kind, answer.body, wish))
}

/// What a request says about the form of its answer.
#[derive(Clone, Debug, Default)]
struct Wish {
    /// Whether it takes gzip.
    gzip: bool,
    /// The entity tags of answers that it has already.
    has: Option<String>,
}

impl Wish {
    fn of(headers: &HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        let encodings = text(header::ACCEPT_ENCODING).unwrap_or_default();
        let takes = |coding: &str| {
            let (name, weight) = coding.split_once(';').unwrap_or((coding, ""));
            name.trim() == "gzip" && !matches!(weight.trim(), "q=0" | "q=0.0")
        };
        let has = text(header::IF_NONE_MATCH).map(str::to_owned);
        Self { gzip: encodings.split(',').any(takes), has }
    }

    /// Whether the client has the answer with this entity tag.
    fn knows(&self, tag: &str) -> bool {
        let has = self.has.as_deref().unwrap_or_default();
        has.split(',').any(|known| known.trim().trim_start_matches("W/") == tag)
    }
}

async fn answer(state: &Arc<State>, path: &str, query: Option<&str>, wish: &Wish) -> Sent {
    let name = path.trim_start_matches('/');
    let wanted = if name.is_empty() { "index.html" } else { name };
    if let Some(page) = state.site.pages.iter().find(|page| page.name == wanted) {
        return given(page.kind, Bytes::from_static(page.bytes), wish);
    }
    if state.site.database.is_some() && is_question(name) {
        return match question(state, name, query.unwrap_or_default(), wish).await {
            Ok(sent) => sent,
            Err(refusal) => refused(&refusal),
        };
    }
    let (texts, named) = (Arc::clone(state), name.to_owned());
    let text = tokio::task::spawn_blocking(move || (texts.site.texts)(&named)).await;
    match text.ok().flatten() {
        Some(text) => given("text/plain; charset=utf-8", text.into(), wish),
        None => refused(&Refusal::missing("there is nothing here")),
    }
}

fn is_question(name: &str) -> bool {
    matches!(name, "lichess" | "masters" | "master" | "player")
        || ["api/", "master/pgn/", "masters/pgn/"].iter().any(|prefix| name.starts_with(prefix))
}

/// Answers a request of the page or of a tool.
async fn question(
    state: &Arc<State>,
    name: &str,
    query: &str,
    wish: &Wish,
) -> Result<Sent, Refusal> {
    let asked = format!("{name}?{query}");
    if let Some(answer) = state.kept.get(&asked) {
        return Ok(given(answer.kind, answer.body, wish));
    }
    let query = Query::read(query);
    if name == "api/pgn" {
        return start_download(state, query).await;
    }
    let name = name.to_owned();
    let answer = work(state, move |database, stop| one(database, &name, &query, stop)).await?;
    if answer.whole {
        state.kept.insert(asked, answer.clone());
    }
    Ok(given(answer.kind, answer.body, wish))
}

fn one(database: &Database, name: &str, query: &Query, stop: &Stop) -> Result<Answer, Refusal> {
    match name {
        "api/about" => Ok(Answer::json(&api::about(database))),
        "api/games" => api::games(database, query, stop),
        "api/count" => api::count(database, query, stop),
        "api/tree" => api::opening_tree(database, query, stop),
        "api/names" => completions(database, query, stop),
        "api/player" => player(database, query, stop),
        "api/event" => event(database, query, stop),
        "lichess" => explore(database, Service::Lichess, query, stop),
        // Older clients have the name without the s.
        "masters" | "master" => explore(database, Service::Masters, query, stop),
        "player" => explore(database, Service::Player, query, stop),
        name => match name.rsplit_once('/') {
            Some(("api/game", id)) => api::record(database, id),
            Some(("masters/pgn" | "master/pgn", id)) => pgn(database, id),
            _ => Err(Refusal::missing("there is nothing here")),
        },
    }
}

/// Returns a record in its format, for tools.
fn pgn(database: &Database, id: &str) -> Result<Answer, Refusal> {
    let (text, format) = api::text(database, id)?;
    let kind = match format {
        "pgn" => PGN,
        "sgf" => SGF,
        _ => "text/plain; charset=utf-8",
    };
    Ok(Answer { kind, body: text.into(), whole: true })
}

/// Sets the stop flags on drop: the answer is complete, or the client is gone.
struct Guard(Stop);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Computes an answer on a blocking thread, once one is free.
async fn work(
    state: &Arc<State>,
    find: impl FnOnce(&Database, &Stop) -> Result<Answer, Refusal> + Send + 'static,
) -> Result<Answer, Refusal> {
    let guard = Guard(Stop::default());
    let late = || {
        Refusal::busy("the answer took too long: ask for fewer games, e.g. of one player or year")
    };
    let patience = Instant::now() + PART_TIME;
    let answering = async {
        let worker = waited(state).await?;
        let (state, stop) = (Arc::clone(state), guard.0.clone());
        let mut answered = tokio::task::spawn_blocking(move || {
            let _worker = worker;
            let database = state.site.database.as_ref();
            let database = database.ok_or_else(|| Refusal::missing("there is no database"))?;
            find(database, &stop)
        });
        let answered = match timeout_at(patience, &mut answered).await {
            Ok(answered) => answered,
            Err(_) => {
                guard.0.late.store(true, Ordering::Relaxed);
                answered.await
            }
        };
        answered.map_err(|_| Refusal { status: 500, why: "internal error".into() })?
    };
    timeout(ANSWER_TIME, answering).await.map_err(|_| late())?
}

/// Waits for a free thread, unless the queue is full.
async fn waited(state: &Arc<State>) -> Result<OwnedSemaphorePermit, Refusal> {
    let busy = || Refusal::busy("too many requests are waiting: try again");
    if state.waiting.fetch_add(1, Ordering::Relaxed) >= WAITING {
        state.waiting.fetch_sub(1, Ordering::Relaxed);
        return Err(busy());
    }
    let worker = Arc::clone(&state.workers).acquire_owned().await;
    state.waiting.fetch_sub(1, Ordering::Relaxed);
    worker.map_err(|_| busy())
}

/// Starts to send all records that match a query.
async fn start_download(state: &Arc<State>, query: Query) -> Result<Sent, Refusal> {
    let busy = || Refusal::busy("too many downloads are running: try again later");
    let place = Arc::clone(&state.downloads).try_acquire_owned().map_err(|_| busy())?;
    let (sender, mut receiver) = mpsc::channel::<Result<Bytes, Refusal>>(CHUNKS);
    let (state, guard) = (Arc::clone(state), Guard(Stop::default()));
    let stop = guard.0.clone();
    let runtime = tokio::runtime::Handle::current();
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let give = |chunk| {
            let given = timeout(TAKING_TIME, sender.send(chunk));
            matches!(runtime.block_on(given), Ok(Ok(())))
        };
        if let Some(database) = &state.site.database
            && let Err(refusal) = download(database, &query, &stop, &mut |chunk| give(Ok(chunk)))
        {
            give(Err(refusal));
        }
    });
    // Errors in the query show before the first record.
    let first = match receiver.recv().await {
        Some(Err(refusal)) => return Err(refusal),
        Some(Ok(first)) => Some(first),
        None => None,
    };
    // Records of SGF begin with the parenthesis of their tree.
    let start = first.as_deref().unwrap_or_default().trim_ascii_start();
    let (kind, name) = if start.starts_with(b"(") {
        (SGF, "attachment; filename=\"games.sgf\"")
    } else {
        (PGN, "attachment; filename=\"games.pgn\"")
    };
    let body = Records { first, receiver, _guard: guard };
    let mut sent = Response::new(BoxBody::new(body));
    let headers = sent.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CONTENT_DISPOSITION, HeaderValue::from_static(name));
    Ok(sent)
}

/// The body of a download.
struct Records {
    first: Option<Bytes>,
    receiver: mpsc::Receiver<Result<Bytes, Refusal>>,
    _guard: Guard,
}

impl Body for Records {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        if let Some(first) = self.first.take() {
            return Poll::Ready(Some(Ok(Frame::data(first))));
        }
        self.receiver.poll_recv(context).map(|chunk| {
            // A failed download ends without its terminator, so that it is not taken for complete.
            chunk.map(|chunk| chunk.map(Frame::data).map_err(io::Error::other))
        })
    }
}

fn whole(bytes: Bytes) -> BoxBody<Bytes, io::Error> {
    Full::new(bytes).map_err(|never| match never {}).boxed()
}

fn given(kind: &'static str, bytes: Bytes, wish: &Wish) -> Sent {
    let tag = entity_tag(&bytes);
    let is_known = wish.knows(&tag);
    let small = if wish.gzip && !is_known { packed(kind, &bytes) } else { None };
    let is_packed = small.is_some();
    let body = if is_known { Bytes::new() } else { small.unwrap_or(bytes) };
    let mut sent = Response::new(whole(body));
    let headers = sent.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    // The same answer in two encodings is the same to a reader: its tag is a weak one.
    if let Ok(tag) = HeaderValue::from_str(&format!("W/{tag}")) {
        headers.insert(header::ETAG, tag);
    }
    if is_packed {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    if is_known {
        *sent.status_mut() = StatusCode::NOT_MODIFIED;
    }
    sent
}

fn refused(refusal: &Refusal) -> Sent {
    let text = json!({ "error": refusal.why }).to_string();
    let mut sent = given("application/json", text.into(), &Wish::default());
    sent.headers_mut().remove(header::ETAG);
    let status = StatusCode::from_u16(refusal.status);
    *sent.status_mut() = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    if refusal.status == 503 {
        sent.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("2"));
    }
    sent
}
