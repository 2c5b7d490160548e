//! `plypack serve`: shows a database, a game or an empty board in the browser, on this machine only
//! unless told otherwise.

use std::io::IsTerminal;
use std::net::{IpAddr, Ipv4Addr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use crate::explorer::{Access, Database, Page, Server, Site};
use plypack::packed_files;
use plypack_games::GAMES;

use super::link;
use crate::failure::Failure;
use crate::{files, interrupt, progress, site};

/// A file of the page, which `cargo xtask web` builds.
macro_rules! page {
    ($name:literal, $kind:literal) => {
        Page { name: $name, kind: $kind, bytes: include_bytes!(concat!("../../page/", $name)) }
    };
}

/// The files of the page.
static PAGES: [Page; 15] = [
    page!("index.html", "text/html; charset=utf-8"),
    page!("example.html", "text/html; charset=utf-8"),
    page!("explorer.html", "text/html; charset=utf-8"),
    page!("plypack-board.js", "text/javascript"),
    page!("plypack-core.js", "text/javascript"),
    page!("plypack-core.lzma", "application/octet-stream"),
    page!("plypack-core-all.js", "text/javascript"),
    page!("plypack-core-all.lzma", "application/octet-stream"),
    page!("plypack-core-patterns.js", "text/javascript"),
    page!("plypack-core-patterns.lzma", "application/octet-stream"),
    page!("plypack-explorer.js", "text/javascript"),
    page!("plypack-games.js", "text/javascript"),
    page!("plypack-openings.lzma", "application/octet-stream"),
    page!("plypack-series.lzma", "application/octet-stream"),
    page!("plypack-static.js", "text/javascript"),
];

/// The page that shows a database.
const EXPLORER: &str = "explorer.html";

/// The name by which the page asks for the given game.
const RECORD: &str = "record";

/// Show a database, a game or an empty board in the browser.
///
/// A packed file of games, or a folder of them, is shown as a database: its games, its opening
/// tree, and a board. With --record, a single game is shown; so is the game of a link, or of a file
/// that `pack` reads. In any other folder, files are shown by name: `/?src=game.pgn` shows the
/// first game of that file. The page is built into the program, and nothing leaves this machine.
/// The API of lichess.org's explorer is at the same address: `/lichess`, `/masters`, `/player`.
/// Ctrl-C stops the server.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack serve games.parquet
  plypack serve collection/ --port 8080
  plypack serve games.parquet --site public/
  plypack serve games.parquet --record 3
  plypack serve '#FAPEYFs'")]
pub struct Arguments {
    /// A packed file, a folder, a link or a file of records [default: a new game]
    #[arg(value_name = "FILE|DIR|LINK")]
    what: Option<String>,
    /// Show this record of the file, counted from 1
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    record: Option<u64>,
    /// The port to listen on [default: any free port]
    #[arg(long, default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// The address to listen on: any other than the default admits other machines; 0.0.0.0 listens
    /// on all interfaces
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// Let pages of this origin read the answers, such as `https://example.org`; * allows all
    #[arg(long, value_name = "ORIGIN")]
    allow_origin: Vec<String>,
    /// Write the page, the packed file and its index into this folder, for any static file host,
    /// instead of serving
    #[arg(long, value_name = "DIR", requires = "what", conflicts_with = "record")]
    site: Option<PathBuf>,
    /// With --site, overwrite existing files
    #[arg(short, long, requires = "site")]
    force: bool,
    /// Print the address only, without opening the browser
    #[arg(long)]
    no_open: bool,
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    if let (Some(folder), Some(file)) = (&arguments.site, &arguments.what) {
        let name = site::write(&PAGES, Path::new(file), folder, arguments.force)?;
        let address = folder.join(format!("{EXPLORER}?db={}", escaped(&name)));
        super::print_line(&address.display().to_string())?;
        return Ok(ExitCode::SUCCESS);
    }
    let stop = interrupt::flag();
    let (site, place) = choose(arguments)?;
    let port = arguments.port;
    let failure = |error: std::io::Error| {
        let address = arguments.listen;
        Failure::new(format!("port {port} of {address}: {error}")).with_hint("try another --port")
    };
    let (address, origins) = (arguments.listen, arguments.allow_origin.clone());
    let server = Server::bind(site, &Access { address, port, origins }).map_err(failure)?;
    let address = server.address().map_err(failure)?;
    // A server on all interfaces is reached at this machine's own address.
    let host = match address.ip() {
        ip if ip.is_unspecified() => Ipv4Addr::LOCALHOST.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
        IpAddr::V4(ip) => ip.to_string(),
    };
    let address = format!("http://{host}:{}/{place}", address.port());
    super::print_line(&address)?;
    if std::io::stdout().is_terminal() {
        progress::say("Ctrl-C stops the server.");
        if !arguments.no_open && open::that_detached(&address).is_err() {
            progress::say("No browser could be opened; open the address yourself.");
        }
    }
    server.run(stop).map_err(Failure::new)?;
    Ok(ExitCode::SUCCESS)
}

/// Returns what to serve, and how the address of its first view ends.
fn choose(arguments: &Arguments) -> Result<(Site, String), Failure> {
    let mut site = Site { pages: &PAGES, database: None, texts: Box::new(|_| None) };
    let Some(what) = &arguments.what else { return Ok((site, String::new())) };
    let path = PathBuf::from(what);
    if path.is_dir() {
        if packed_files(&path).is_err() {
            site.texts = Box::new(move |name| file_in(&path, name));
            return Ok((site, String::new()));
        }
        site.database = Some(database(&path)?);
        return Ok((site, EXPLORER.into()));
    }
    if path.exists() {
        // A file that is only named like a packed one is refused, not shown as text.
        let named = path.extension().is_some_and(|end| end == "parquet");
        if arguments.record.is_none() && (named || files::looks_packed(&path)) {
            site.database = Some(database(&path)?);
            return Ok((site, EXPLORER.into()));
        }
        let text = read(&path, arguments.record.unwrap_or(1))?;
        site.texts = Box::new(move |name| (name == RECORD).then(|| text.clone()));
        return Ok((site, format!("?src={RECORD}")));
    }
    let link = plypack_games::link::Link::read(what)
        .map_err(|error| Failure::from(error).with_hint("and there is no file of that name"))?;
    Ok((site, format!("#{}", link.write(link.shortest_codec()?)?)))
}

/// Opens a database, and reports files whose games must be scanned.
fn database(path: &Path) -> Result<Database, Failure> {
    let database = Database::open(path)?;
    for asked in database.files() {
        let name = asked.file.path().display();
        for refused in asked.indices.refused() {
            let (path, why) = (refused.path.display(), &refused.why);
            progress::say(format_args!("{path} is not used: {why}"));
        }
        if !asked.indices.uncovered().is_empty() {
            progress::say(format_args!(
                "{name} has games without an index, which are scanned for every position; \
                 `plypack index {name}` indexes them"
            ));
        }
    }
    Ok(database)
}

/// Extensions of files of records: nothing else in a folder is served.
const RECORDS: [&str; 13] =
    ["pgn", "sgf", "txt", "psq", "wtb", "ugi", "html", "epd", "fen", "xqf", "cbr", "cbl", "cbf"];

/// Returns the first record of a file directly in a folder, by its name as in an address. Links,
/// which may lead out of the folder, and hidden files are not served.
fn file_in(folder: &Path, name: &str) -> Option<String> {
    let found = std::fs::read_dir(folder).ok()?.filter_map(Result::ok).find(|entry| {
        // Compared with the folder's entries, so that no name can lead elsewhere.
        entry.file_name().to_str().is_some_and(|there| there == name || escaped(there) == name)
    })?;
    let path = found.path();
    let is_hidden = found.file_name().as_encoded_bytes().starts_with(b".");
    let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let is_served = found.file_type().is_ok_and(|kind| kind.is_file())
        && !is_hidden
        && RECORDS.contains(&ending.as_str());
    if is_served { read(&path, 1).ok() } else { None }
}

/// Escapes a name as browsers do in an address.
fn escaped(name: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@".contains(&byte);
    let escape = |byte| if plain(byte) { char::from(byte).into() } else { format!("%{byte:02X}") };
    name.bytes().map(escape).collect()
}

/// Returns the text of one record of a file, packed or not.
fn read(path: &Path, number: u64) -> Result<String, Failure> {
    let raw = link::read_raw(path, number, GAMES.to_vec())?.1;
    let chess = super::codecs::find("chess", Some("line.text"))?.game();
    Ok(raw.identity.decode(&raw.bytes, chess, true).text.into_owned())
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::RECORDS;

    /// Except `tsv`, which any table may have.
    #[test]
    fn files_of_every_format_are_served() {
        let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/format");
        for format in plypack_records::FORMATS.iter().map(|format| format.info().name) {
            for file in std::fs::read_dir(samples.join(format)).expect("samples") {
                let path = file.expect("an entry").path();
                let ending = path.extension().unwrap_or_default().to_string_lossy();
                assert!(RECORDS.contains(&&*ending) || ending == "tsv", "{}", path.display());
            }
        }
    }
}
