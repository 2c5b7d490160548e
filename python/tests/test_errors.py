"""Errors, hostile files, threads and memory."""

import concurrent.futures
import io
import os
import random

import plypack
import pytest
from plypack import functions
from plypack.training import Positions


def test_errors_have_the_words_of_the_command_line(packed, tmp_path):
    with pytest.raises(plypack.FileError, match="missing.parquet") as caught:
        plypack.open(tmp_path / "missing.parquet")
    assert isinstance(caught.value, OSError) and caught.value.errno == 2
    (tmp_path / "text.parquet").write_text("no file")
    with pytest.raises(OSError, match="make one with `plypack pack`"):
        plypack.open(tmp_path / "text.parquet")
    with pytest.raises(plypack.MoveError, match="Ke3") as caught:
        plypack.encode(["e4", "Ke3"])
    assert isinstance(caught.value, plypack.InputError) and isinstance(caught.value, ValueError)
    with pytest.raises(ValueError, match="known games"):
        plypack.codecs("draughts")
    with pytest.raises(ValueError, match="known codecs"):
        plypack.encode(["e4"], "chess/line.none")
    with pytest.raises(ValueError):
        plypack.decode(b"\xff" * 9)
    with pytest.raises(plypack.InputError):
        plypack.unlink("nonsense")
    with pytest.raises(OSError):
        plypack.pack(packed.parent / "none.pgn", tmp_path / "a.parquet")
    with pytest.raises(OSError, match="already a packed file"):
        plypack.pack(packed, packed)


def test_an_exception_of_an_input_is_told(tmp_path):
    class Broken:
        def read(self, size):
            raise RuntimeError("no more tape")

    with pytest.raises(plypack.FileError, match="no more tape"):
        plypack.pack(Broken(), tmp_path / "a.parquet")

    class Text:
        def read(self, size):
            return "1. e4"

    with pytest.raises(plypack.FileError, match="binary mode"):
        plypack.pack(Text(), tmp_path / "a.parquet")


def test_wrong_arguments_are_told_in_our_words(games, packed, tmp_path):
    for call, words in [
        (lambda: plypack.open([]), "nothing to open"),
        (lambda: plypack.pack([], tmp_path / "a.parquet"), "nothing to pack"),
        (lambda: plypack.merge([], tmp_path / "a.parquet"), "nothing to merge"),
        (lambda: games.find(moves="1. e4", limit=-1), "-1 is not a number from 0"),
        (lambda: plypack.pack(packed, tmp_path / "a.parquet", threads=-1), "-1 is not a number"),
        (lambda: games.delete([0]), "record 0: the file has no such record"),
        (lambda: games.delete([568]), "record 568: the file has no such record"),
        (lambda: games.delete([-1]), "-1 is not a number from 0"),
        (lambda: Positions(packed, seed=-1), "-1 is not a number from 0"),
        (lambda: Positions(packed, batch=1 << 64), "is not a number from 0"),
        (lambda: Positions(packed, size=(9, 9)), "not the size of a board of chess"),
        (lambda: Positions(packed, game="go", size=(0, 0)), "not the size of a board of go"),
        (lambda: Positions(packed, split="a", splits={"a": float("nan")}), "more than all"),
        (lambda: Positions(packed).resume({}), "not what `state`"),
        (lambda: Positions.of_manifest({}, packed), "not as many files"),
    ]:
        with pytest.raises(plypack.InputError, match=words):
            call()
    assert len(games) == 567 and not (tmp_path / "a.parquet").exists()
    with pytest.raises(IndexError, match="567 games, and no"):
        games[1 << 70]
    with pytest.raises(TypeError, match="a condition, or a dict"):
        Positions(packed, 5)


def test_sources_that_fail_are_told_once(packed):
    with pytest.raises(plypack.FileError) as caught:
        plypack.open("http://127.0.0.1:9/games.parquet")
    assert str(caught.value).count("127.0.0.1") == 1 and "refused" in str(caught.value)
    with pytest.raises(plypack.FileError, match="binary mode"):
        plypack.open(io.StringIO("1. e4 *" * 100))
    file = open(packed, "rb")
    games = plypack.open(file)
    file.close()
    with pytest.raises(plypack.FileError, match="closed file"):
        games[0]


def test_a_removed_file_is_read_to_its_end(samples, tmp_path):
    path = tmp_path / "a.parquet"
    plypack.pack(samples / "famous.pgn", path)
    games = plypack.open(path)
    iterator = iter(games)
    first = next(iterator)
    path.unlink()
    assert [first.number, *(game.number for game in iterator)] == list(range(1, len(games) + 1))
    with pytest.raises(plypack.FileError, match="No such file"):
        games.delete([1])


def use(path):
    """Reads all there is in a file by every way."""
    games = plypack.open(path)
    for game in games:
        game.tags, game.tree(), game.steps(), game.uci()
        game.original()
    games.find(moves="1. e4 c5")
    games.tree()
    import pyarrow

    table = pyarrow.table(games.scan(columns=["game", "White", "moves", "clocks"]))
    pyarrow.chunked_array(functions.fen(table["moves"]))
    for _ in Positions(games, legal="indices"):
        pass


def test_flipped_bytes_raise_and_never_crash(samples, tmp_path):
    path = tmp_path / "small.parquet"
    plypack.pack([samples / "famous.pgn", samples / "engines.pgn"], path, index=False)
    use(path)
    whole = path.read_bytes()
    seed = int(os.environ.get("PLYPACK_SEED", "0"))
    tries = 2_000 if os.environ.get("PLYPACK_ALL") else 150
    chosen, raised = random.Random(seed), 0
    for _ in range(tries):
        data = bytearray(whole)
        for _ in range(chosen.choice([1, 1, 1, 2, 8])):
            data[chosen.randrange(len(data))] ^= 1 << chosen.randrange(8)
        path.write_bytes(data)
        try:
            use(path)
        except (plypack.FileError, plypack.InputError, OSError, ValueError):
            raised += 1
    # Most of a file is covered by checksums.
    assert raised > tries * 0.9


def test_truncated_files_raise(packed, tmp_path):
    whole, path = packed.read_bytes(), tmp_path / "cut.parquet"
    for length in (0, 1, 7, 100, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(OSError):
            plypack.open(path)


def test_one_file_serves_eight_threads(games):
    expected = [game.uci() for game in games]

    def work(number):
        order = list(range(len(games)))
        random.Random(number).shuffle(order)
        for index in order[:150]:
            assert games[index].uci() == expected[index]
        assert [game.uci() for game in games] == expected
        assert len(games.find(moves="1. e4 c5")) > 0
        return sum(len(batch["move"]) for batch in Positions(games, batch=100, seed=number))

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        counts = set(pool.map(work, range(8)))
    assert counts == {sum(map(len, expected))}


def test_one_iterator_serves_eight_threads(games):
    iterator = iter(games)
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        parts = list(pool.map(lambda _: [game.number for game in iterator], range(8)))
    assert sorted(number for part in parts for number in part) == list(range(1, 568))


def memory():
    """The resident memory in bytes."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="no /proc")
@pytest.mark.heavy
def test_no_memory_grows_over_100_000_games(games):
    def loop(rounds):
        read = 0
        for turn in range(rounds):
            for game in games:
                game.uci(), game.tags
                read += 1
            for _ in Positions(games, batch=4096) if turn % 10 == 0 else ():
                pass
        return read

    loop(20)
    before = memory()
    assert loop(177) > 100_000
    # A leak of 100 bytes a game would be twice as much.
    assert memory() - before < 5e6
