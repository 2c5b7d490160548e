//! Replays real games with plypack and with shakmaty, because two independent move generators that
//! agree on millions of plies are unlikely to share an error.
//!
//! shakmaty and pgn-reader are GPL-3.0-or-later: a test oracle, never shipped.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, Visitor};
use plypack_core::{Candidates, ErasedLineCodec, Notation, Ply, Rules, Texts};
use plypack_games::chess::{Chess, Position};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, EnPassantMode, Move, MoveList, Position as _, PositionError};

type OurMove = <Chess as Rules>::Move;

/// At one ply in this many, every candidate is written as SAN and read back, not only the one
/// played. It is the slowest of the comparisons and would take minutes at every ply. The game's
/// number shifts the choice, so that all plies of a game are covered.
const SAN_EVERY: usize = 16;

#[test]
fn over_the_board_games() {
    check_file("chess/dev/otb/otb_2013_2017.pgn.zst");
}

#[test]
fn chess960_games_of_people() {
    check_file("chess/dev/online/chesscom_carlsen_chess960.pgn");
}

#[test]
fn double_chess960_games_of_engines() {
    check_file("chess/dev/engine/tcec_frc_2023_full_comments.pgn.zst");
}

#[test]
fn games_online_and_annotated() {
    for name in [
        "annotated/chess_db/europe_echecs.pgn",
        "annotated/chess_db/famous_games.pgn",
        "annotated/chess_db/scarborough_2001.pgn",
        "online/fics_chesslablab.pgn.zst",
        "online/lichess_seed_2020_clk_eval.pgn.zst",
    ] {
        check_file(&format!("chess/dev/{name}"));
    }
}

#[test]
fn positions_from_perft_suites() {
    for name in [
        "cw-epds/perft.epd",
        "cw-epds/perft-marcel.epd",
        "cw-epds/ferdy_perft_enpassant_1.epd",
        "ethereal-perft/fischer.epd",
    ] {
        check_positions(&format!("chess/dev/positions/suites/{name}"));
    }
    check_positions("chess/dev/positions/dfrc_4852_v1_sample50k.epd.zst");
}

/// Positions that real games hardly reach: three men of a kind that must be distinguished by file
/// and rank, more men of a kind than in a game, and the golden orders' positions. They need no
/// corpus.
#[test]
fn awkward_positions() {
    let golden = include_str!("../../vectors/order/chess.txt");
    let golden = golden.lines().filter(|line| line.ends_with(|last: char| last.is_ascii_digit()));
    let golden = golden.filter(|line| line.contains('/'));
    let rare = [
        "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
        "7k/8/1N3N2/8/3p4/8/1N3N2/K7 w - - 0 1",
        "k7/2B1B3/1B3B2/8/1B3B2/2B1B3/8/K7 w - - 0 1",
        "R6R/8/8/2k5/8/8/8/R3K2R w KQ - 0 1",
        "8/PPPPPPPP/8/8/8/8/8/K6k w - - 0 1",
    ];
    let mut positions = 0;
    for text in golden.chain(rare) {
        let ours = Chess.read_position(text).expect(text);
        let theirs = their_start(Some(text)).expect(text);
        if let Err(why) = check_position(&ours, &theirs, true) {
            panic!("`{text}`: {why}");
        }
        positions += 1;
    }
    println!("awkward positions: {positions}");
    assert!(positions > rare.len(), "the golden orders hold no position");
}

/// The counts of one file.
#[derive(Debug, Default)]
struct Count {
    games: usize,
    set_up: usize,
    plies: usize,
    candidates: usize,
    /// Games with a move that shakmaty does not resolve.
    cut_short: usize,
    /// Those of them that we read further.
    we_read_on: usize,
    /// Games whose start both sides refuse.
    refused: usize,
}

/// Opens a file of the corpus, or reports that it is missing.
fn open(name: &str) -> Option<Box<dyn Read>> {
    let path = plypack_testing::corpus_path(name)?;
    let file = File::open(&path).expect("the corpus file opens");
    Some(if name.ends_with(".zst") {
        Box::new(zstd::Decoder::new(file).expect("a zstd stream"))
    } else {
        Box::new(file)
    })
}

fn check_file(name: &str) {
    let Some(input) = open(name) else { return };
    let codec = plypack_games::line_codec("chess", "line.text").expect("the text codec");
    let mut count = Count::default();
    for record in Reader::new(input).read_games(&mut Records) {
        let record = record.expect("the corpus file is read to its end");
        count.games += 1;
        if let Err(why) = check_record(codec, &record, &mut count) {
            panic!("{name}, game {}: {why}\n{record:?}", count.games);
        }
    }
    println!("{name}: {count:?}");
    assert!(count.games > 0 && count.plies > 0, "no games were seen in {name}");
}

/// Compares the positions of an EPD file, one a line, without what follows a `;`.
fn check_positions(name: &str) {
    let Some(input) = open(name) else { return };
    let (mut positions, mut refused, mut candidates) = (0, 0, 0);
    for line in BufReader::new(input).lines() {
        let line = line.expect("the corpus file is read to its end");
        let Some(text) = line.split(';').next().filter(|text| !text.trim().is_empty()) else {
            continue;
        };
        positions += 1;
        match (Chess.read_position(text), their_start(Some(text.trim()))) {
            (Ok(ours), Ok(theirs)) => match check_position(&ours, &theirs, true) {
                Ok((_, legal)) => candidates += legal.len(),
                Err(why) => panic!("{name}, `{text}`: {why}"),
            },
            (Err(_), Err(_)) => refused += 1,
            (ours, theirs) => panic!("{name}, `{text}`: {ours:?} against {theirs:?}"),
        }
    }
    println!("{name}: {positions} positions, {refused} refused, {candidates} candidates");
    assert!(candidates > 0, "no positions were seen in {name}");
}

/// The main line of a record, as in its file.
#[derive(Debug, Default)]
struct Record {
    start: Option<String>,
    moves: Vec<SanPlus>,
}

/// Collects main lines; comments and variations are skipped.
struct Records;

impl Visitor for Records {
    type Tags = Record;
    type Movetext = Record;
    type Output = Record;

    fn begin_tags(&mut self) -> ControlFlow<Record, Record> {
        ControlFlow::Continue(Record::default())
    }

    fn tag(&mut self, record: &mut Record, name: &[u8], value: RawTag<'_>) -> ControlFlow<Record> {
        if name == b"FEN" {
            record.start = Some(value.decode_utf8_lossy().into_owned());
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, record: Record) -> ControlFlow<Record, Record> {
        ControlFlow::Continue(record)
    }

    fn san(&mut self, record: &mut Record, san: SanPlus) -> ControlFlow<Record> {
        record.moves.push(san);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, record: Record) -> Record {
        record
    }
}

fn check_record(
    codec: &dyn ErasedLineCodec,
    record: &Record,
    count: &mut Count,
) -> Result<(), String> {
    let start = record.start.as_deref();
    count.set_up += usize::from(start.is_some());
    let ours = start.map_or(Ok(Chess.start()), |text| Chess.read_position(text));
    let (ours, theirs) = match (ours, their_start(start)) {
        (Ok(ours), Ok(theirs)) => (ours, theirs),
        (Err(_), Err(_)) => {
            count.refused += 1;
            return Ok(());
        }
        (ours, theirs) => return Err(format!("start: {ours:?} against {theirs:?}")),
    };

    // Their replay: the moves up to the first illegal one, in the proper spelling.
    let mut end = theirs.clone();
    let mut moves = Vec::with_capacity(record.moves.len());
    let mut texts = Texts::default();
    for said in &record.moves {
        let Ok(mv) = said.san.to_move(&end) else { break };
        let proper = SanPlus::from_move_and_play_unchecked(&mut end, mv);
        texts.push_with(|out| proper.append_to_string(out));
        moves.push(mv);
    }
    count.cut_short += usize::from(moves.len() < record.moves.len());

    // Ours from the file's spelling must give the same moves, and the whole game if they read it.
    // We may read on where they stop: we accept a missing or needless `x`, and an origin without a
    // piece.
    let said: Vec<String> = record.moves.iter().map(ToString::to_string).collect();
    let (mut indices, stopped) = codec
        .game()
        .read_moves(start, &mut said.iter().map(String::as_str))
        .map_err(|error| error.to_string())?;
    if indices.len() < moves.len() {
        return Err(format!("we stop after {} plies: {stopped:?}", indices.len()));
    }
    count.we_read_on += usize::from(indices.len() > moves.len());
    indices.truncate(moves.len());

    // Ours from their proper spelling must write that spelling.
    let encoded = codec
        .encode(start, &mut texts.iter(), Notation::Customary)
        .map_err(|error| error.to_string())?;
    if let Some(error) = encoded.stopped {
        return Err(error.to_string());
    }
    let differs = encoded.texts.iter().zip(texts.iter()).position(|(our, their)| our != their);
    if differs.is_some() || encoded.texts.len() != texts.len() {
        return Err(format!("the SAN differs at move {differs:?} of {:?}", encoded.texts));
    }
    check_plies(ours, theirs, &moves, &indices, count)?;

    let fen = codec.game().position_after(start, &indices).map_err(|error| error.to_string())?;
    let their_fen = Fen::from_position(&end, EnPassantMode::Always).to_string();
    if fen != their_fen {
        return Err(format!("we end at `{fen}`, they at `{their_fen}`"));
    }
    Ok(())
}

fn their_start(start: Option<&str>) -> Result<shakmaty::Chess, String> {
    let Some(text) = start else { return Ok(shakmaty::Chess::default()) };
    let fen: Fen = text.parse().map_err(|error| format!("{error}"))?;
    // Checks that no move can have given are not checked by our rules.
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_impossible_check)
        .map_err(|error| error.to_string())
}

/// Plays the line in both, and compares them before every move and at the end.
fn check_plies(
    mut ours: Position,
    mut theirs: shakmaty::Chess,
    moves: &[Move],
    indices: &[u16],
    count: &mut Count,
) -> Result<(), String> {
    for ply in 0..=moves.len() {
        let fault = |why: &str| format!("before ply {}: {why}", ply + 1);
        let every_san = ply % SAN_EVERY == count.games % SAN_EVERY;
        let (candidates, legal) =
            check_position(&ours, &theirs, every_san).map_err(|why| fault(&why))?;
        count.candidates += legal.len();
        if let (Some(&mv), Some(&index)) = (moves.get(ply), indices.get(ply)) {
            count.plies += 1;
            let index = usize::from(index);
            if legal[index] != mv {
                return Err(fault(&format!("the file's move is {index} to us, {mv:?} to them")));
            }
            Chess.play(&mut ours, candidates[index]);
            theirs.play_unchecked(mv);
        }
    }
    Ok(())
}

/// Compares the candidates of one position, their order, their UCI and the position's FEN, and
/// with `every_san` their SAN. Returns the candidates of both sides in canonical order.
fn check_position(
    ours: &Position,
    theirs: &shakmaty::Chess,
    every_san: bool,
) -> Result<(Vec<OurMove>, MoveList), String> {
    let mut candidates = Vec::with_capacity(64);
    Chess.candidates(ours, &mut candidates);
    let mut legal = theirs.legal_moves();
    if candidates.len() != legal.len() {
        return Err(format!("{} candidates against {}", candidates.len(), legal.len()));
    }

    // Sorted by the canonical order's own definition, theirs must be ours one by one: this
    // compares the sets and the order at once.
    legal.sort_unstable_by_key(|mv| {
        (mv.from().map(u8::from), u8::from(mv.to()), mv.promotion().map(u8::from))
    });
    let (mut our_text, mut their_text) = (String::new(), String::new());
    for (index, &mv) in legal.iter().enumerate() {
        // UCI does not depend on the position after the move, so any will do.
        let ply = Ply::new(Candidates::listed(ours, &candidates), candidates[index], ours);
        Chess.write_move(&ply, Notation::Coordinate, &mut our_text);
        mv.to_uci(uci_mode(mv)).append_to_string(&mut their_text);
        our_text.push(' ');
        their_text.push(' ');
    }
    if our_text != their_text {
        return Err(format!("candidates {our_text} against {their_text}"));
    }
    if every_san {
        check_san(ours, theirs, &candidates, &legal)?;
    }

    our_text.clear();
    their_text.clear();
    Chess.write_position(ours, &mut our_text);
    Fen::from_position(theirs, EnPassantMode::Always).append_to_string(&mut their_text);
    if our_text != their_text {
        return Err(format!("`{our_text}` against `{their_text}`"));
    }
    Ok((candidates, legal))
}

/// Our rule for castling in UCI: the king's two steps where king and rook stand as in standard
/// chess, otherwise king takes rook.
fn uci_mode(mv: Move) -> CastlingMode {
    use shakmaty::File;
    match mv {
        Move::Castle { king, rook }
            if king.file() == File::E && matches!(rook.file(), File::A | File::H) =>
        {
            CastlingMode::Standard
        }
        _ => CastlingMode::Chess960,
    }
}

/// Writes every candidate as SAN, and reads back every SAN of theirs.
fn check_san(
    ours: &Position,
    theirs: &shakmaty::Chess,
    candidates: &[OurMove],
    legal: &[Move],
) -> Result<(), String> {
    let mut text = String::new();
    for (index, &mv) in legal.iter().enumerate() {
        let mut after = ours.clone();
        let listed = Candidates::listed(ours, candidates);
        Chess.play(&mut after, candidates[index]);
        text.clear();
        let ply = Ply::new(listed, candidates[index], &after);
        Chess.write_move(&ply, Notation::Customary, &mut text);
        let their_text = SanPlus::from_move(theirs.clone(), mv).to_string();
        if text != their_text {
            return Err(format!("`{text}` against `{their_text}` at {ours:?}"));
        }
        let read = Chess.read_move(&listed, &their_text);
        if read != Ok(candidates[index]) {
            return Err(format!("`{text}` is candidate {index}, read as {read:?} at {ours:?}"));
        }
    }
    Ok(())
}
