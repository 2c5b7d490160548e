//! `plypack serve`: the viewer, on this machine alone.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use plypack_games::GAMES;
use tiny_http::{Header, Method, Response, Server};

use super::link;
use crate::failure::Failure;
use crate::progress;

/// The files of the viewer, which `cargo xtask web` builds: their names, media types and bytes.
static PAGE: [(&str, &str, &[u8]); 4] = [
    ("index.html", "text/html; charset=utf-8", include_bytes!("../../page/index.html")),
    ("example.html", "text/html; charset=utf-8", include_bytes!("../../page/example.html")),
    ("plypack-board.js", "text/javascript", include_bytes!("../../page/plypack-board.js")),
    ("plypack-games.js", "text/javascript", include_bytes!("../../page/plypack-games.js")),
];

/// The name under which the page asks for the game that was given.
const RECORD: &str = "record";

/// Show a game, or an empty board, in the browser.
///
/// Takes a link, a file of records as `pack` takes it, a packed file, or a folder, whose files are
/// then shown by their names: `/?src=game.pgn` shows the first game in one. Nothing leaves this
/// machine: the viewer is in the program, and listens to nobody else.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack serve games.parquet --record 3
  plypack serve '#FAPEYFs'")]
pub struct Arguments {
    /// A link, a file or a folder [default: a new game]
    #[arg(value_name = "LINK|FILE|DIR")]
    what: Option<String>,
    /// Which record of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1,
          value_parser = clap::value_parser!(u64).range(1..))]
    record: u64,
    /// The port to listen at [default: any that is free]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Only print the address, do not open the browser
    #[arg(long)]
    no_open: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let folder = arguments.what.as_ref().map(PathBuf::from).filter(|path| path.is_dir());
    let (place, record) = match &arguments.what {
        None => (String::new(), None),
        Some(_) if folder.is_some() => (String::new(), None),
        Some(what) if PathBuf::from(what).exists() => {
            (format!("?src={RECORD}"), Some(read(Path::new(what), arguments.record)?))
        }
        Some(text) => {
            let link = plypack_games::link::Link::read(text).map_err(|error| {
                Failure::from(error).with_hint("and there is no file of this name")
            })?;
            (format!("#{}", link.write(link.shortest_codec()?)?), None)
        }
    };
    let failure = |error: &dyn std::fmt::Display| {
        let port = arguments.port;
        Failure::new(format!("port {port} of this machine: {error}"))
            .with_hint("try another --port")
    };
    let server = Server::http(("127.0.0.1", arguments.port)).map_err(|error| failure(&error))?;
    let port = server.server_addr().to_ip().map_or(arguments.port, |address| address.port());
    let address = format!("http://127.0.0.1:{port}/{place}");
    super::print_line(&address)?;
    if std::io::stdout().is_terminal() {
        progress::say("Ctrl-C ends it.");
        if !arguments.no_open && open::that_detached(&address).is_err() {
            progress::say("No browser could be opened: open the address by hand.");
        }
    }
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    for request in server.incoming_requests() {
        let asked = request.headers().iter().find(|header| header.field.equiv("Host"));
        // A page of another name that leads here would be somebody else's.
        let ours = asked.is_some_and(|host| own.iter().any(|own| host.value == own.as_str()));
        let name = request.url().trim_start_matches('/').split(['?', '#']).next();
        let name = Some(name.unwrap_or_default()).filter(|_| ours);
        let read;
        let answer = match (request.method(), name) {
            (Method::Get | Method::Head, Some(RECORD)) => {
                record.as_ref().map(|text| ("text/plain; charset=utf-8", text.as_bytes()))
            }
            (Method::Get | Method::Head, Some(name)) => {
                let name = if name.is_empty() { "index.html" } else { name };
                match PAGE.iter().find(|file| file.0 == name) {
                    Some(file) => Some((file.1, file.2)),
                    None => {
                        read = folder.as_deref().and_then(|folder| file_in(folder, name));
                        read.as_ref().map(|text| ("text/plain; charset=utf-8", text.as_bytes()))
                    }
                }
            }
            _ => None,
        };
        let (kind, body) = answer.unwrap_or(("text/plain", b"There is nothing here.\n"));
        let mut response = Response::from_data(body);
        if answer.is_none() {
            response = response.with_status_code(404);
        }
        if let Ok(header) = Header::from_bytes("Content-Type", kind) {
            response = response.with_header(header);
        }
        // Who asked may have gone.
        let _ = request.respond(response);
    }
    Ok(ExitCode::SUCCESS)
}

/// The first record of a file that lies in a folder itself, by its name as an address has it.
fn file_in(folder: &Path, name: &str) -> Option<String> {
    let path = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).find(|entry| {
        // Compared with what is there, so that no name can lead elsewhere.
        entry.file_name().to_str().is_some_and(|there| there == name || escaped(there) == name)
    })?;
    let path = path.path();
    if path.is_file() { read(&path, 1).ok() } else { None }
}

/// A name as browsers write it in an address.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte);
    let escape = |byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
    name.bytes().map(escape).collect()
}

/// The text of one record of a file, packed or not.
fn read(path: &Path, number: u64) -> Result<String, Failure> {
    let raw = link::read_raw(path, number, GAMES.to_vec())?.1;
    let chess = super::codecs::find("chess", Some("line.text"))?.game();
    Ok(raw.identity.decode(&raw.bytes, chess, true).text.into_owned())
}
