//! Cells, positions, steps and links, without files.

use plypack::{Error, Game, LineCodec, Link, MoveFault, Notation, PositionCodec, game, line_codec};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn cells_come_back_by_every_codec() {
    for codec in Game::all().flat_map(Game::line_codecs) {
        let mut steps = codec.game().steps(None).expect("a start");
        let moves: Vec<&str> = match codec.game().name() {
            "chess" => vec!["e4", "e5", "Nf3"],
            "xiangqi" => vec!["h2e2", "h9g7"],
            "othello" => vec!["f5", "d6"],
            "gomoku" => vec!["h8", "i9"],
            "go" => vec!["pd", "dp"],
            _ => vec!["b2", "a1"],
        };
        let texts: Vec<String> = moves
            .iter()
            .map(|mv| {
                steps.play(mv).unwrap_or_else(|error| panic!("{codec}: {error}"));
                steps.last_move(Notation::Customary)
            })
            .collect();
        let cell = codec.encode(moves).expect("legal moves");
        let back = codec.decode(&cell).expect("our own cell");
        assert!(back.iter().eq(texts.iter().map(String::as_str)), "{codec}: {back}");
        let same: LineCodec = codec.to_string().parse().expect("its own name");
        assert_eq!(same, codec);
    }
}

#[test]
fn a_cell_may_start_anywhere() {
    let codec = line_codec("chess", "line.uniform").expect("a codec");
    let start = "4k3/P7/8/8/8/8/8/4K3 w - -";
    let cell = codec.encode_from(Some(start), ["a8=Q+", "Kd7"]).expect("legal moves");
    let moves = codec.decode_from(Some(start), &cell, Notation::Coordinate).expect("our own cell");
    assert_eq!(moves.to_string(), "a7a8q e8d7");
    let mut steps = codec.steps(Some(start), &cell).expect("our own cell");
    assert!(steps.advance().expect("a move") && steps.is_second_to_move());
    assert_eq!(steps.last_move(Notation::Customary), "a8=Q+");
    assert!(steps.advance().expect("a move") && !steps.advance().expect("the end"));
    assert_eq!((steps.ply(), steps.move_number(), steps.candidates() > 0), (2, 2, true));
    let mut other = steps.before(2);
    other.play("Kf7").expect("a legal move");
    assert_eq!((other.ply(), other.key() == steps.key()), (2, false));
    assert_eq!(other.position(), "Q7/5k2/8/8/8/8/8/4K3 w - - 1 2");
}

#[test]
fn errors_say_what_and_where() {
    let codec = line_codec("chess", "small").expect("a tier");
    match codec.encode(["e4", "e5", "Ke3"]) {
        Err(Error::Move { ply: 3, text, fault: MoveFault::Illegal, .. }) => assert_eq!(text, "Ke3"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(codec.decode(&[]), Err(Error::Code { .. })));
    assert!(matches!(codec.decode(&[0xff; 9]), Err(Error::Code { .. })));
    assert!(matches!(codec.encode_from(Some("x"), []), Err(Error::Position { .. })));
    assert!(matches!(game("checkers"), Err(Error::UnknownGame { name, .. }) if name == "checkers"));
    let error = line_codec("chess", "line.best").expect_err("no such codec");
    assert!(error.to_string().contains("chess/line.uniform/2"), "{error}");
    for text in ["", "chess", "chess/", "chess/line.uniform/1", "checkers/line.uniform/2"] {
        assert!(text.parse::<LineCodec>().is_err(), "{text}");
        assert!(text.parse::<PositionCodec>().is_err(), "{text}");
    }
}

#[test]
fn positions_come_back() {
    for game in Game::all() {
        let start = game.steps(None).expect("a start").position();
        assert_eq!(game.canonical_position(&start).expect("our own text"), start);
        let mut held = 0;
        for codec in game.position_codecs().filter(|codec| codec.drops().is_empty()) {
            let Ok(code) = codec.encode(&start) else { continue };
            held += 1;
            assert!(codec.size().is_none_or(|size| size == code.len()), "{codec}");
            assert_eq!(codec.decode(&code).expect("our own code"), start, "{codec}");
            let same: PositionCodec = codec.to_string().parse().expect("its own name");
            assert_eq!(same, codec);
        }
        assert!(held > 1, "{game}");
    }
}

#[test]
#[cfg(feature = "full")]
fn a_position_of_chess_takes_20_bytes() {
    let codec = plypack::position_codec("chess", "chess.rank").expect("a codec");
    let code = codec.encode(START).expect("a usual position");
    assert_eq!((code.len(), codec.size()), (20, Some(20)));
    // EPD has no counters.
    let epd = START.rsplitn(3, ' ').nth(2).expect("four fields");
    assert_eq!(
        codec.decode(&codec.encode(epd).expect("a usual position")).ok().as_deref(),
        Some(START)
    );
    assert!(matches!(codec.encode("8/8/8/8/8/8/8/8 w - - 0 1"), Err(Error::Position { .. })));
    assert!(matches!(codec.decode(&[0xff; 20]), Err(Error::Code { .. })));
    assert!(matches!(codec.decode(&code[1..]), Err(Error::Code { .. })));
}

#[test]
fn a_link_says_all_by_itself() {
    let chess = game("chess").expect("a game");
    let link = Link::new(chess, Some(START), ["e4", "e5"]).expect("legal moves").shown_at(1);
    let text = link.to_text().expect("a short link");
    let back = Link::read(&format!("<https://example.org/#{text}>")).expect("our own link");
    assert_eq!((back.game(), back.start(), back.plies(), back.ply()), (chess, None, 2, 1));
    assert_eq!(back.moves(Notation::Customary).expect("its moves").to_string(), "e4 e5");
    assert!(back.position().expect("a position").starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/"));
    assert_eq!(link.shown_at(9).ply(), 2);
    for text in ["", "#", "FAPEYFt", "https://example.org/"] {
        assert!(matches!(Link::read(text), Err(Error::Link { .. })), "{text}");
    }
}

#[test]
fn what_is_public_may_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Error>();
    check::<Game>();
    check::<LineCodec>();
    check::<PositionCodec>();
    check::<Link>();
    check::<plypack::Moves>();
}
