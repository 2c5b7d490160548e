"""Games: tags, moves, annotations, codes."""

import datetime
import io
import re

import plypack
import pytest

chess = pytest.importorskip("chess")
import chess.pgn  # noqa: E402


def test_tags_have_types(pack):
    games = pack(
        '[White "A"]\n[Black "B"]\n[Date "2013.03.15"]\n[WhiteElo "2500"]\n[BlackElo "0"]\n'
        '[Result "0-1"]\n[X "y"]\n\n1. e4 0-1\n\n[Date "1851.??.??"]\n\n1. d4 *\n'
    )
    one, two = games
    assert one.date == datetime.date(2013, 3, 15) and one.year == 2013
    assert (one.white_rating, one.black_rating) == (2500, None)
    assert (one.result, one.score) == ("0-1", 0.0)
    assert one.tags["X"] == "y" and list(one.tags)[0] == "White"
    assert two.date is None and two.year == 1851 and two.result is None and two.score is None


def test_moves_agree_with_python_chess(games):
    for game in games[::50]:
        board = chess.Board()
        for step in game.steps():
            assert step.side == ("first" if board.turn else "second")
            move = board.parse_san(step.san)
            assert board.san(move) == step.san and move.uci() == step.uci
            board.push(move)
            assert chess.Board(step.fen).epd() == board.epd(en_passant="fen") or (
                chess.Board(step.fen) == board
            )
        assert game.uci() == [move.uci() for move in board.move_stack]
        assert game.fen() == game.fen(game.plies) == game.steps()[-1].fen
        assert game.fen(0) == chess.STARTING_FEN
    with pytest.raises(plypack.InputError, match="no ply"):
        games[0].fen(1000)


def test_annotations_are_a_tree(samples, tmp_path):
    plypack.pack(samples / "annotated.pgn", tmp_path / "a.parquet")
    games = plypack.open(tmp_path / "a.parquet")
    trees = [game.tree() for game in games]
    assert any(move.variations for tree in trees for move in tree.moves)
    assert any(move.comments for tree in trees for move in tree.moves)
    for game in games:
        ours = plypack.to_chess(game)
        original = game.original().decode()
        theirs = chess.pgn.read_game(io.StringIO(original))
        assert [str(m) for m in ours.mainline_moves()] == [str(m) for m in theirs.mainline_moves()]
        assert shape(ours) == shape(theirs)
        # What python-chess writes of it reads back to the same.
        again = chess.pgn.read_game(io.StringIO(str(ours)))
        assert shape(again) == shape(theirs)


def shape(node):
    """The moves, glyphs, clocks, evaluations and comments of a tree."""
    words = re.sub(r"\[%(clk|eval|emt) [^]]*\]", "", node.comment).split()
    return (
        str(getattr(node, "move", None)),
        sorted(getattr(node, "nags", ())),
        words,
        node.clock() if node.move else None,
        node.eval() if node.move else None,
        [shape(child) for child in node.variations],
    )


def test_clocks_and_evaluations(pack):
    text = "1. e4 { [%eval 0.17] [%clk 0:01:30] } e5 { [%eval #-3] [%clk 0:01:28.5] } *"
    game = pack(text)[0]
    steps = game.steps()
    assert [(step.clock, step.centipawns, step.mate) for step in steps] == [
        (90.0, 17, None),
        (88.5, None, -3),
    ]
    node = plypack.to_chess(game).next()
    assert node.clock() == 90 and node.eval().white().score() == 17


def test_games_go_to_python_chess_and_back(games, tmp_path):
    made = [plypack.to_chess(game) for game in games[:20]]
    plypack.pack(plypack.from_chess(made), tmp_path / "b.parquet")
    back = plypack.open(tmp_path / "b.parquet")
    assert [game.uci() for game in back] == [game.uci() for game in games[:20]]
    assert back[0].tags == games[0].tags


def test_chess960_and_set_up_positions(pack):
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    games = pack(f'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "{fen}"]\n\n1. Nf3 *\n')
    game = games[0]
    assert game.start == fen and game.uci() == ["e1f3"]
    made = plypack.to_chess(game)
    assert made.board().chess960 and [m.uci() for m in made.mainline_moves()] == ["e1f3"]


def test_codes_of_games_and_positions(games):
    game = games[0]
    codec, cell = game.cell()
    assert plypack.decode(cell, codec) == game.san()
    assert plypack.decode(cell, codec, notation="uci") == game.uci()
    assert plypack.encode(game.uci(), codec) == cell
    linked = plypack.unlink(game.link())
    assert linked.game == "chess" and linked.moves == game.san() and linked.fen == game.fen()
    assert plypack.unlink(plypack.link(["e4", "e5"], ply=1)).ply == 1
    code = plypack.encode_position(game.fen())
    assert len(code) == 20 and plypack.decode_position(code).split()[:4] == game.fen().split()[:4]
    assert "chess" in plypack.games() and any("line.index" in name for name, _ in plypack.codecs())


def test_other_games(samples, tmp_path):
    plypack.pack(samples / "xiangqi.pgn", tmp_path / "x.parquet")
    game = plypack.open(tmp_path / "x.parquet")[0]
    assert game.rules == "xiangqi" and len(game.moves("coordinate")) == game.plies


def test_what_is_not_understood_is_kept(pack):
    game = pack("1. e4 e5 2. Ke3 Nf6 *")[0]
    assert game.uci() == ["e2e4", "e7e5"] and game.rest.startswith("2. Ke3")
