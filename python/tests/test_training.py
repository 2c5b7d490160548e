"""Positions for training."""

import collections
import json
import pickle

import numpy as np
import plypack
import pytest
from plypack.training import Positions, leela_index

chess = pytest.importorskip("chess")


def joined(positions):
    batches = list(positions)
    return {name: np.concatenate([batch[name] for batch in batches]) for name in batches[0]}


def same(one, two):
    assert one.keys() == two.keys()
    for name in one:
        assert np.array_equal(one[name], two[name]), name


def board_of(bitboards, men):
    board = chess.BaseBoard.empty()
    for letter, squares in zip(men, bitboards, strict=True):
        for square in chess.SquareSet(int(squares)):
            board.set_piece_at(square, chess.Piece.from_symbol(letter))
    return board.board_fen()


def number(board, move):
    """The number of a move, as documented."""
    promotions = [None, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN]
    to = move.to_square
    if board.is_castling(move):
        to = chess.square(7 if board.is_kingside_castling(move) else 0, chess.square_rank(to))
    return promotions.index(move.promotion) * 4096 + move.from_square * 64 + to


def test_rows_are_what_python_chess_says(games):
    positions = Positions(games, batch=1000, legal="indices")
    rows = {name: [] for name in ("bitboards", "move", "side", "marks", "game", "ply", "result")}
    legal = []
    for batch in positions:
        for name, values in rows.items():
            values.extend(batch[name])
        offsets = batch["legal_offsets"]
        legal.extend(batch["legal"][a:b] for a, b in zip(offsets, offsets[1:], strict=False))
    assert len(rows["move"]) == sum(game.plies for game in games)
    at = collections.defaultdict(dict)
    for row, (game, ply) in enumerate(zip(rows["game"], rows["ply"], strict=True)):
        at[int(game)][int(ply)] = row
    assert len(at) == 567
    for index in range(0, 567, 25):
        board = chess.Board()
        score = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}[games[index].result]
        for ply, uci in enumerate(games[index].uci()):
            row = at[index][ply]
            assert board_of(rows["bitboards"][row], positions.men) == board.board_fen()
            assert rows["side"][row] == (not board.turn)
            assert rows["result"][row] == score
            rights, pushed, clock = rows["marks"][row]
            expected = [
                board.has_kingside_castling_rights(chess.WHITE),
                board.has_queenside_castling_rights(chess.WHITE),
                board.has_kingside_castling_rights(chess.BLACK),
                board.has_queenside_castling_rights(chess.BLACK),
            ]
            assert rights == sum(bit << place for place, bit in enumerate(expected))
            assert clock == board.halfmove_clock
            assert (pushed > 0) == (board.ep_square is not None) or not board.has_legal_en_passant()
            move = chess.Move.from_uci(uci)
            assert rows["move"][row] == number(board, move)
            assert sorted(legal[row]) == sorted(number(board, m) for m in board.legal_moves)
            board.push(move)


def test_planes_cells_and_the_movers_view_say_the_same(games):
    sets = joined(Positions(games, batch=4096))
    planes = joined(Positions(games, batch=4096, boards="planes"))
    cells = joined(Positions(games, batch=4096, boards="cells"))
    bits = (sets["bitboards"][:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert np.array_equal(bits.reshape(-1, 12, 8, 8), planes["planes"])
    told = (planes["planes"] * np.arange(1, 13, dtype=np.uint8)[:, None, None]).sum(1)
    assert np.array_equal(told, cells["cells"])
    seen = joined(Positions(games, batch=4096, boards="planes", perspective="mover"))
    second = planes["side"] == 1
    assert np.array_equal(seen["planes"][~second], planes["planes"][~second])
    turned = np.concatenate([planes["planes"][:, 6:], planes["planes"][:, :6]], 1)[:, :, ::-1]
    assert np.array_equal(seen["planes"][second], turned[second])
    assert np.array_equal(seen["result"][second], -planes["result"][second])
    moves = planes["move"][second]
    assert np.array_equal(seen["move"][second], moves ^ (56 * 64 + 56))
    ours = joined(Positions(games, batch=4096, boards="cells", perspective="mover"))
    told = (seen["planes"] * np.arange(1, 13, dtype=np.uint8)[:, None, None]).sum(1)
    assert np.array_equal(told, ours["cells"])
    bitboards = joined(Positions(games, batch=4096, perspective="mover"))["bitboards"]
    bits = (bitboards[:, :, None] >> np.arange(64, dtype=np.uint64)) & np.uint64(1)
    assert np.array_equal(bits.reshape(-1, 12, 8, 8), seen["planes"])


def test_moves_are_leelas():
    # The ends of the list, and the moves that begin most games, in lc0's own table.
    known = {"a1b1": 0, "h8g8": 1791, "a7a8q": 1792, "a7a8r": 1793, "a7a8b": 1794, "h7h8b": 1857}
    assert {uci: leela_index(uci) for uci in known} == known
    assert leela_index("a7a8n") == leela_index("a7a8")
    with pytest.raises(plypack.InputError):
        leela_index("a1b4")


def test_masks_have_the_move_played(games):
    for policy, width in (("leela", 1858), ("numbers", 5 * 4096)):
        positions = Positions(games, batch=500, legal="mask", policy=policy)
        assert positions.move_count == width
        batch = next(iter(positions))
        assert batch["legal"].shape == (500, width)
        assert batch["legal"][np.arange(500), batch["move"]].all()
        sparse = next(iter(Positions(games, batch=500, legal="indices", policy=policy)))
        assert batch["legal"].sum() == len(sparse["legal"])


def test_batches_are_views(games):
    one, two = list(Positions(games, batch=700))[:2]
    assert one["bitboards"].base is not None and len(one["move"]) == 700
    assert np.shares_memory(one["bitboards"].base, two["bitboards"])


def test_the_same_set_is_made_twice_on_one_thread_and_on_two(games):
    options = {"batch": 999, "seed": 7, "split": "train", "legal": "indices"}
    one = list(Positions(games, "Result <> '1/2-1/2'", **options))
    for threads in (1, 2):
        again = list(Positions(games, "Result <> '1/2-1/2'", threads=threads, **options))
        assert len(one) == len(again)
        for first, second in zip(one, again, strict=True):
            same(first, second)
    other = joined(Positions(games, batch=999, seed=8))["game"]
    assert not np.array_equal(other, joined(Positions(games, batch=999, seed=9))["game"])


def test_epochs_are_shuffled_anew_and_have_the_same_positions(games):
    positions = Positions(games, batch=5000)
    one, two = joined(positions), joined(positions)
    assert not np.array_equal(one["game"], two["game"])
    assert np.array_equal(np.sort(one["game"]), np.sort(two["game"]))
    positions.set_epoch(0)
    same(joined(positions), one)


def test_no_game_is_in_two_splits(games, samples, tmp_path):
    found = {}
    for split in ("train", "validation", "test"):
        found[split] = set(joined(Positions(games, split=split))["game"].tolist())
    assert sum(map(len, found.values())) == len(set.union(*found.values())) == 567
    assert len(found["train"]) > 450
    # The same game in another file, coded otherwise, is in the same split.
    plypack.pack(samples / "championship.pgn", tmp_path / "i.parquet", model="line.index")
    again = set(joined(Positions(tmp_path / "i.parquet", split="test"))["game"].tolist())
    assert again == found["test"]


def test_shards_are_all_of_it(games):
    parts = [joined(Positions(games, shard=(i, 3), seed=5))["game"] for i in range(3)]
    games_of = [set(part.tolist()) for part in parts]
    assert sum(map(len, games_of)) == len(set.union(*games_of)) == 567


@pytest.mark.parametrize("options", [{}, {"legal": "indices", "split": "train", "threads": 2}])
def test_an_epoch_is_resumed_anywhere(games, options):
    positions = Positions(games, batch=777, seed=3, **options)
    whole = list(positions)
    for stop in (1, 20, len(whole) - 1):
        positions.set_epoch(0)
        batches = iter(positions)
        for _ in range(stop):
            next(batches)
        state = json.loads(json.dumps(batches.state()))
        again = Positions(games, batch=777, seed=3, **options)
        again.resume(state)
        left = list(again)
        assert len(left) == len(whole) - stop
        for one, two in zip(whole[stop:], left, strict=True):
            same(one, two)


def test_a_manifest_makes_the_set_again(packed, games, tmp_path):
    positions = Positions(packed, {"moves": "1. e4 c5"}, split="train", seed=11, batch=300)
    manifest = json.loads(json.dumps(positions.manifest()))
    assert 0 < manifest["games"] <= len(games.find(moves="1. e4 c5"))
    again = Positions.of_manifest(manifest, packed)
    one, two = joined(positions), joined(again)
    same(one, two)
    assert manifest["positions"] == len(one["move"])
    other = tmp_path / "other.parquet"
    plypack.pack(b"1. e4 *", other)
    with pytest.raises(plypack.InputError, match="SHA-256"):
        Positions.of_manifest(manifest, other)


def test_positions_are_sent_to_other_processes(packed):
    positions = Positions(packed, batch=100)
    same(joined(pickle.loads(pickle.dumps(positions))), joined(positions))
    positions = Positions(plypack.open(packed), batch=100)
    assert pickle.loads(pickle.dumps(positions)).count()[0] == 567


def test_ratings_clocks_and_plies_left(pack):
    games = pack(
        '[WhiteElo "2500"]\n\n1. e4 { [%clk 0:01:30] } e5 { [%clk 0:01:28] } 2. Nf3 *\n'
    )
    batch = next(iter(Positions(games, clocks=True)))
    assert batch["ratings"].tolist() == [[2500, 0]] * 3
    assert batch["clock"][:2].tolist() == [90.0, 88.0] and np.isnan(batch["clock"][2])
    assert batch["plies_left"].tolist() == [3, 2, 1] and batch["ply"].tolist() == [0, 1, 2]
    assert set(batch["result"].tolist()) == {-128}


def test_other_games_have_cells(samples, tmp_path):
    plypack.pack(samples / "xiangqi.pgn", tmp_path / "x.parquet")
    games = plypack.open(tmp_path / "x.parquet")
    positions = Positions(games, game="xiangqi", legal="mask")
    assert positions.men == "KABNRCPkabnrcp" and positions.move_count == 8100
    batch = next(iter(positions))
    assert batch["cells"].shape[1:] == (10, 9)
    assert batch["legal"][np.arange(len(batch["move"])), batch["move"]].all()
    start = batch["cells"][(batch["ply"] == 0) & (batch["game"] == 0)][0]
    assert start[0, 4] == 1 and start[9, 4] == 8 and (start[3] > 0).sum() == 5
    seen = next(iter(Positions(games, game="xiangqi", perspective="mover")))
    second = batch["side"] == 1
    swapped = np.where(batch["cells"] > 7, batch["cells"] - 7, batch["cells"] + 7)
    swapped = np.where(batch["cells"] == 0, 0, swapped)[:, ::-1]
    assert np.array_equal(seen["cells"][second], swapped[second])
    moves = batch["move"][second]
    turn = lambda cell: (9 - cell // 9) * 9 + cell % 9
    assert np.array_equal(seen["move"][second], turn(moves // 90) * 90 + turn(moves % 90))


def test_go_othello_and_the_rest(tmp_path):
    sgf = "(;GM[1]SZ[9];B[aa];W[ii];B[];W[ee])"
    plypack.pack(sgf.encode(), tmp_path / "go.parquet")
    positions = Positions(tmp_path / "go.parquet", game="go", size=(9, 9), legal="mask")
    batch = next(iter(positions))
    # a9 is the upper left, i1 (without the letter i: j1) the lower right; 81 is a pass.
    assert batch["move"].tolist() == [72, 8, 81, 40] and positions.move_count == 82
    assert batch["cells"][1, 8, 0] == 1 and batch["cells"][2, 0, 8] == 2
    assert batch["legal"][0].all() and not batch["legal"][1][72]
    # Boards of other sizes are left out.
    assert list(Positions(tmp_path / "go.parquet", game="go")) == []
    planes = next(iter(Positions(tmp_path / "go.parquet", game="go", size=(9, 9), boards="planes")))
    assert planes["planes"].shape == (4, 2, 9, 9) and planes["planes"][3].sum() == 2
    cell = plypack.encode(["f5", "f6", "e6"], "othello/default")
    assert plypack.decode(cell, "othello/default") == ["f5", "f6", "e6"]


def test_what_is_wrong_is_told_at_once(games):
    for options, words in [
        ({"split": "tran"}, "none of the splits"),
        ({"splits": {"a": 0.7, "b": 0.7}, "split": "a"}, "more than all"),
        ({"query": {"elo": 1}}, "nothing to ask"),
        ({"game": "draughts"}, "unknown game"),
        ({"boards": "maps"}, "bitboards, planes or cells"),
        ({"game": "go", "boards": "bitboards"}, "use cells"),
        ({"game": "xiangqi", "policy": "leela"}, "moves of chess"),
        ({"shard": (2, 2)}, "counted from 0"),
        ({"batch": 0}, "at least one"),
        ({"query": "WhiteElo >"}, "condition"),
    ]:
        with pytest.raises(plypack.InputError, match=words):
            Positions(games, **options)
