//! Cells, positions, cursor and links, without files.

use plypack::{Error, LineCodec, Link, MoveFault, Notation, PositionCodec, Rules, Side};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn cells_come_back_by_every_codec() {
    for codec in Rules::all().flat_map(Rules::line_codecs) {
        let mut cursor = codec.rules().cursor(None).expect("a start");
        let moves: Vec<&str> = match codec.rules().name() {
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
                cursor.play(mv).unwrap_or_else(|error| panic!("{codec}: {error}"));
                cursor.last_move(Notation::Customary)
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
    let codec = "chess/line.uniform".parse::<LineCodec>().expect("a codec");
    let start = "4k3/P7/8/8/8/8/8/4K3 w - -";
    let cell = codec.encode_from(Some(start), ["a8=Q+", "Kd7"]).expect("legal moves");
    let moves = codec.decode_from(Some(start), &cell, Notation::Coordinate).expect("our own cell");
    assert_eq!(moves.to_string(), "a7a8q e8d7");
    let mut cursor = codec.cursor(Some(start), &cell).expect("our own cell");
    assert!(cursor.advance().expect("a move") && cursor.turn() == Side::Second);
    assert_eq!(cursor.last_move(Notation::Customary), "a8=Q+");
    assert!(cursor.advance().expect("a move") && !cursor.advance().expect("the end"));
    assert_eq!((cursor.ply(), cursor.move_number(), cursor.move_count() > 0), (2, 2, true));
    let mut other = cursor.fork_at(2);
    other.play("Kf7").expect("a legal move");
    assert_eq!((other.ply(), other.key() == cursor.key()), (2, false));
    assert_eq!(other.position(), "Q7/5k2/8/8/8/8/8/4K3 w - - 1 2");
}

#[test]
fn errors_say_what_and_where() {
    let codec = "chess/small".parse::<LineCodec>().expect("a tier");
    match codec.encode(["e4", "e5", "Ke3"]) {
        Err(Error::Move { ply: 3, text, fault: MoveFault::Illegal, .. }) => assert_eq!(text, "Ke3"),
        other => panic!("{other:?}"),
    }
    assert!(matches!(codec.decode(&[]), Err(Error::Decode { .. })));
    assert!(matches!(codec.decode(&[0xff; 9]), Err(Error::Decode { .. })));
    assert!(matches!(codec.encode_from(Some("x"), []), Err(Error::Position { .. })));
    let unknown = "checkers".parse::<Rules>();
    assert!(matches!(unknown, Err(Error::UnknownGame { name, .. }) if name == "checkers"));
    let error = "chess/line.best".parse::<LineCodec>().expect_err("no such codec");
    assert!(error.to_string().contains("chess/line.uniform/2"), "{error}");
    for text in ["", "chess", "chess/", "chess/line.uniform/1", "checkers/line.uniform/2"] {
        assert!(text.parse::<LineCodec>().is_err(), "{text}");
        assert!(text.parse::<PositionCodec>().is_err(), "{text}");
    }
}

#[test]
fn positions_come_back() {
    for game in Rules::all() {
        let start = game.cursor(None).expect("a start").position();
        assert_eq!(game.canonical_position(&start).expect("our own text"), start);
        let mut held = 0;
        for codec in game.position_codecs().filter(|codec| codec.lossy_fields().is_empty()) {
            let Ok(code) = codec.encode(&start) else { continue };
            held += 1;
            assert!(codec.fixed_len().is_none_or(|size| size == code.len()), "{codec}");
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
    let codec = "chess/chess.rank".parse::<PositionCodec>().expect("a codec");
    let code = codec.encode(START).expect("a usual position");
    assert_eq!((code.len(), codec.fixed_len()), (20, Some(20)));
    // EPD has no counters.
    let epd = START.rsplitn(3, ' ').nth(2).expect("four fields");
    assert_eq!(
        codec.decode(&codec.encode(epd).expect("a usual position")).ok().as_deref(),
        Some(START)
    );
    assert!(matches!(codec.encode("8/8/8/8/8/8/8/8 w - - 0 1"), Err(Error::Position { .. })));
    assert!(matches!(codec.decode(&[0xff; 20]), Err(Error::Decode { .. })));
    assert!(matches!(codec.decode(&code[1..]), Err(Error::Decode { .. })));
}

#[test]
fn a_link_says_all_by_itself() {
    let chess = "chess".parse::<Rules>().expect("a game");
    let link = Link::new(chess, Some(START), ["e4", "e5"])
        .expect("legal moves")
        .shown_at(1)
        .expect("a short link");
    let text = link.to_string();
    let back = format!("<https://example.org/#{text}>").parse::<Link>().expect("our own link");
    assert_eq!((back.rules(), back.start(), back.plies(), back.ply()), (chess, None, 2, 1));
    assert_eq!(back.moves(Notation::Customary).expect("its moves").to_string(), "e4 e5");
    assert!(back.position().expect("a position").starts_with("rnbqkbnr/pppppppp/8/8/4P3/8/"));
    assert_eq!(link.shown_at(9).expect("a short link").ply(), 2);
    for text in ["", "#", "FAPEYFt", "https://example.org/"] {
        assert!(matches!(text.parse::<Link>(), Err(Error::Link { .. })), "{text}");
    }
}

#[test]
fn what_is_public_may_cross_threads() {
    fn check<T: Send + Sync + 'static>() {}
    check::<Error>();
    check::<Rules>();
    check::<LineCodec>();
    check::<PositionCodec>();
    check::<Link>();
    check::<plypack::MoveTexts>();
}
