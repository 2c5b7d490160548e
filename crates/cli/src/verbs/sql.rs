//! `plypack sql`: queries over packed games, from the command line, a prompt, or a script.

use std::io::{self, BufWriter, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use futures::StreamExt;
use plypack_sql::output::{Format, Rows, TABLE_ROWS};
use plypack_sql::{Answer, Session};
use rustyline::error::ReadlineError;

use crate::failure::Failure;
use crate::{files, progress, terminal};

/// Interval between updates of the bar.
const TICK: Duration = Duration::from_millis(200);

/// Query packed games with SQL.
///
/// A table is a packed file, a folder of them, a pattern or a URL, written in single quotes.
/// `plies('games.parquet')` has a row per ply, `plain('games.parquet')` no coded columns. Functions
/// interpret moves: reaches(moves, '1. e4 c5'), fen(moves, 20), pgn(*); see docs/sql.md.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  plypack sql \"select White, count(*) from 'games.parquet' where reaches(moves, '1. e4 c5') \
group by White order by 2 desc\"
  plypack sql \"select san, count(*) from plies('games.parquet') where ply = 1 group by san\"
  plypack sql \"select * from plain('games.parquet')\" -o plain.parquet
  plypack sql                              # a prompt; queries end with a semicolon")]
pub struct Arguments {
    /// The query [default: a prompt, or the queries on standard input, each ending in a semicolon]
    query: Option<String>,
    /// Output format [default: from the ending of -o, else a table]
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Option<Kind>,
    /// Print one JSON object per row, like --format ndjson
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Write the rows to a .csv, .ndjson or .parquet file; `-` is standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Overwrite an existing output
    #[arg(short, long)]
    force: bool,
    /// Query a cluster, at the df://HOST:PORT of its scheduler
    #[cfg(feature = "cluster")]
    #[arg(long, value_name = "URL")]
    cluster: Option<String>,
    /// Number of threads; 0 means one per core
    #[arg(short = 'T', long, default_value_t = 0)]
    threads: usize,
    /// Print no progress and no notes
    #[arg(short, long)]
    quiet: bool,
}

/// Output formats.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Kind {
    Table,
    Csv,
    Ndjson,
    Parquet,
}

impl From<Kind> for Format {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Table => Self::Table,
            Kind::Csv => Self::Csv,
            Kind::Ndjson => Self::Ndjson,
            Kind::Parquet => Self::Parquet,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<ExitCode, Failure> {
    let format = arguments.format()?;
    let mut threads = tokio::runtime::Builder::new_multi_thread();
    if arguments.threads > 0 {
        threads.worker_threads(arguments.threads);
    }
    let runtime = threads.enable_all().build()?;
    runtime.block_on(async {
        let session = arguments.session().await?;
        match &arguments.query {
            Some(query) => arguments.answer(&session, query, format).await?,
            None if io::stdin().is_terminal() => arguments.prompt(&session, format).await?,
            None => {
                let mut queries = String::new();
                io::stdin().read_to_string(&mut queries)?;
                for query in plypack_sql::queries(&queries).map_err(Failure::new)? {
                    arguments.answer(&session, query, format).await?;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    })
}

impl Arguments {
    /// Returns the output format: as given, or from the output's extension.
    fn format(&self) -> Result<Format, Failure> {
        if self.json {
            return Ok(Format::Ndjson);
        }
        if let Some(kind) = self.format {
            return Ok(kind.into());
        }
        let Some(path) = self.output.as_deref().filter(|path| !files::is_standard_output(path))
        else {
            return Ok(Format::Table);
        };
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Format::Csv),
            Some("ndjson" | "jsonl" | "json") => Ok(Format::Ndjson),
            Some("parquet") => Ok(Format::Parquet),
            Some("txt") => Ok(Format::Table),
            _ => Err(Failure::new(format!(
                "{}: no format has this ending; use .csv, .ndjson or .parquet, or --format",
                path.display()
            ))),
        }
    }

    async fn session(&self) -> Result<Session, Failure> {
        #[cfg(feature = "cluster")]
        if let Some(url) = &self.cluster {
            return plypack_cluster::connect(url).await.map_err(Failure::new);
        }
        Ok(Session::local(self.threads))
    }

    /// Runs a query and writes its rows.
    async fn answer(&self, session: &Session, query: &str, format: Format) -> Result<(), Failure> {
        let answer = session.ask(query).await.map_err(Failure::new)?;
        for remark in answer.remarks.iter().filter(|_| !self.quiet) {
            progress::say(remark);
        }
        let to_file = self.output.as_deref().filter(|path| !files::is_standard_output(path));
        match to_file {
            Some(path) => {
                let output = BufWriter::new(files::begin_output(path, self.force)?);
                let (output, rows) = self.write(answer, query, format, output).await?;
                let output = output.into_inner().map_err(io::IntoInnerError::into_error)?;
                output.publish()?;
                self.tell(format_args!("{}: {} rows", path.display(), progress::count(rows)));
            }
            None => {
                if format == Format::Parquet {
                    files::refuse_terminal(io::stdout().is_terminal())?;
                }
                let output = BufWriter::new(terminal::output());
                let (mut output, rows) = self.write(answer, query, format, output).await?;
                output.flush()?;
                if format == Format::Table && rows > TABLE_ROWS as u64 {
                    self.tell(format_args!(
                        "the first {} of {} rows; --format csv prints all",
                        progress::count(TABLE_ROWS as u64),
                        progress::count(rows)
                    ));
                }
            }
        }
        Ok(())
    }

    /// Writes the rows as they arrive.
    async fn write<W: Write + Send>(
        &self,
        mut answer: Answer,
        query: &str,
        format: Format,
        output: W,
    ) -> Result<(W, u64), Failure> {
        let plain = |error| Failure::from_query(&error, query);
        let mut rows = Rows::new(format, &answer.schema, output).map_err(plain)?;
        let bar = progress::bar(answer.records(), false, self.quiet);
        let mut tick = tokio::time::interval(TICK);
        loop {
            tokio::select! {
                batch = answer.rows.next() => match batch {
                    Some(batch) => rows.write(&batch.map_err(plain)?).map_err(plain)?,
                    None => break,
                },
                _ = tick.tick() => bar.set_position(answer.done()),
            }
        }
        bar.finish_and_clear();
        rows.finish().map_err(plain)
    }

    fn tell(&self, line: impl std::fmt::Display) {
        if !self.quiet {
            progress::say(line);
        }
    }

    /// Runs the queries that are typed, until the end of input.
    async fn prompt(&self, session: &Session, format: Format) -> Result<(), Failure> {
        let mut editor = rustyline::DefaultEditor::new().map_err(Failure::new)?;
        progress::say(
            "End a query with a semicolon. Tables are files, such as 'games.parquet'. `functions;` \
             lists the functions on moves. Ctrl-D exits.",
        );
        let mut typed = String::new();
        loop {
            let sign = if typed.trim().is_empty() { "plypack> " } else { "      -> " };
            match editor.readline(sign) {
                Ok(line) => {
                    typed.push_str(&line);
                    typed.push('\n');
                }
                // Drops what was typed so far.
                Err(ReadlineError::Interrupted) => typed.clear(),
                Err(ReadlineError::Eof) => return Ok(()),
                Err(error) => return Err(Failure::new(error)),
            }
            let word = typed.trim().trim_end_matches(';').to_ascii_lowercase();
            match word.as_str() {
                "exit" | "quit" | ".exit" | ".quit" | "\\q" => return Ok(()),
                "functions" | "help" | ".help" | "\\?" => {
                    for function in plypack_sql::functions::FUNCTIONS {
                        println!("{:<32}  {}", function.usage, function.gives);
                    }
                    typed.clear();
                    continue;
                }
                _ => {}
            }
            if !typed.trim_end().ends_with(';') {
                continue;
            }
            _ = editor.add_history_entry(typed.trim());
            let queries = std::mem::take(&mut typed);
            match plypack_sql::queries(&queries) {
                Ok(queries) => {
                    for query in queries {
                        // A failed query does not end the prompt.
                        if let Err(failure) = self.answer(session, query, format).await {
                            _ = failure.report();
                        }
                    }
                }
                Err(error) => progress::say(format_args!("plypack: {error}")),
            }
        }
    }
}

impl Failure {
    fn from_query(error: &plypack_sql::RowsError, query: &str) -> Self {
        Self::new(Session::explain(error, query))
    }
}
