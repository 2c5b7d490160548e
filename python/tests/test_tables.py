"""Arrow: tables and functions over columns of moves."""

import plypack
import pyarrow as pa
import pyarrow.compute
import pytest
from plypack import functions


def test_every_table_has_a_fresh_stream_each_time(games):
    table = games.scan(columns=["game", "White", "Date"])
    one, two = pa.table(table), pa.table(table)
    assert one == two and one.num_rows == 567
    assert one.column_names == table.columns == ["game", "White", "Date"]
    assert one["game"].to_pylist() == list(range(1, 568))
    found = games.find(moves="1. e4 c5")
    assert pa.table(found).num_rows >= len(found) and pa.table(found) == pa.table(found)
    tree = pa.table(games.tree())
    assert sum(tree["games"].to_pylist()) == 567
    assert pa.table(games).num_rows == 567
    assert pa.schema(table).names == ["game", "White", "Date"]


def test_what_is_filtered_is_what_a_filter_leaves(games):
    whole = pa.table(games.scan(columns=["game", "White", "Result", "moves"]))
    some = pa.table(
        games.scan(where="Result = '1-0'", columns=["game", "White", "Result", "moves"])
    )
    assert 0 < some.num_rows < 567
    assert some == whole.filter(pa.compute.field("Result") == "1-0").combine_chunks() or (
        some.to_pylist() == whole.filter(pa.compute.field("Result") == "1-0").to_pylist()
    )
    none = pa.table(games.scan(where="White = 'Nobody'", columns=["White"]))
    assert none.num_rows == 0 and none.column_names == ["White"]


def test_tags_without_a_column_are_columns(pack):
    games = pack('[White "A"]\n[Mood "good"]\n\n1. e4 *\n\n[White "B"]\n\n1. d4 *\n')
    table = pa.table(games.scan(columns=["Mood", "whiteelo"]))
    assert table["Mood"].to_pylist() == ["good", None]
    assert table["WhiteElo"].to_pylist() == [None, None]


def test_rows_are_read_by_a_mask(games):
    table = games.scan(columns=["game"])
    mask = [number % 7 == 0 for number in range(567)]
    read = pa.table(table._read(0, mask))
    assert read["game"].to_pylist() == list(range(1, 568, 7))
    with pytest.raises(plypack.InputError):
        table._read(1)


def test_functions_agree_with_games(games):
    table = pa.table(games.scan(columns=["moves"]))
    moves = table["moves"]

    def column(made):
        return pa.chunked_array(made).to_pylist()

    assert column(functions.san(moves)) == [game.san() for game in games]
    assert column(functions.uci(moves)) == [game.uci() for game in games]
    assert column(functions.movetext(moves, "uci")) == [" ".join(game.uci()) for game in games]
    assert column(functions.fen(moves)) == [game.fen() for game in games]
    assert column(functions.fen(moves, 500)) == [None] * 567
    steps = games[5].steps()
    assert column(functions.fens(moves))[5][1:] == [step.fen for step in steps]
    assert column(functions.keys(moves))[5][1:] == [step.key for step in steps]
    fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    reached = [row for row, ply in enumerate(column(functions.reaches(moves, fen))) if ply]
    assert reached == [place[1] - 1 for place in games.find(fen=fen).places]


def test_functions_take_other_layouts_and_nothing_else(games):
    table = pa.table(games.scan(columns=["moves"]))
    moves = table["moves"].combine_chunks()
    views = moves.cast(
        pa.struct(
            [
                ("codec", pa.large_string()),
                ("start", pa.string_view()),
                ("plies", pa.int32()),
                ("code", pa.large_binary()),
            ]
        )
    )
    assert pa.chunked_array(functions.uci(views)) == pa.chunked_array(functions.uci(moves))
    assert pa.chunked_array(functions.uci(moves.slice(10, 2))).to_pylist() == [
        games[10].uci(),
        games[11].uci(),
    ]
    with pytest.raises(plypack.InputError, match="no column of moves"):
        functions.san(pa.array(["e4"]))


def test_nulls_stay_nulls():
    kind = pa.struct(
        [("codec", pa.string()), ("start", pa.string()), ("plies", pa.int32()), ("code", pa.binary())]
    )
    moves = pa.array([None], kind)
    assert pa.chunked_array(functions.san(moves)).to_pylist() == [None]
    assert pa.chunked_array(functions.fen(moves)).to_pylist() == [None]
