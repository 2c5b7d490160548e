"""Compares this decoder with the golden files: `python docs/decoder/test_decoder.py`."""

import unittest
from collections import defaultdict
from pathlib import Path

import pyarrow.parquet

import annotations
import decode
import index
import keys
import lines
import link
from arithmetic import Bytes, Damaged, Unsupported
from chess import USUAL, Position

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
VECTORS = ROOT / "vectors"


def golden(name):
    """The fields of the lines of a golden file, without comments."""
    text = (VECTORS / name).read_text().splitlines()
    return [line.split("\t") for line in text if line and not line.startswith("#")]


def start(text):
    """A start of a golden file."""
    return Position.from_fen(USUAL if text == "-" else text)


def san(line):
    """The moves of a line."""
    return " ".join(ply.position.san(ply.move, ply.candidates) for ply in line)


def perft(position, plies):
    """How many lines of so many plies begin at a position."""
    candidates = position.candidates()
    if plies == 1:
        return len(candidates)
    return sum(perft(position.after(move), plies - 1) for move in candidates)


def rows(path):
    """The rows of a packed file."""
    return list(decode.rows(pyarrow.parquet.ParquetFile(path)))


class Rules(unittest.TestCase):
    def test_orders(self):
        texts = [fields[0] for fields in golden("order/chess.txt")]
        for fen, moves in zip(texts[::2], texts[1::2], strict=True):
            position = Position.from_fen(fen)
            found = " ".join(map(position.coordinates, position.candidates()))
            self.assertEqual((position.fen(), found or "-"), (fen, moves))

    def test_perft(self):
        for fen, counts in golden("perft/chess.txt"):
            for plies, count in enumerate(map(int, counts.split()), 1):
                if count < 10_000:
                    self.assertEqual(perft(Position.from_fen(fen), plies), count, (fen, plies))

    def test_keys(self):
        for from_, moves, key, _ in (row for row in golden("key/chess-v1.txt") if len(row) == 4):
            position = start(from_)
            for text in moves.split():
                names = {position.coordinates(move): move for move in position.candidates()}
                position = position.after(names[text])
            self.assertEqual(f"{keys.key(position):016x}", key, (from_, moves))
        frame, men = keys.structure(start("-"))
        self.assertEqual((frame, men), (0x1FA5AF29463CD762, 0x337BA804C329FB02))


class Lines(unittest.TestCase):
    def test_cells(self):
        read = 0
        for codec, from_, moves, cell in golden("line/chess-v1.txt"):
            data = Bytes(bytes.fromhex(cell))
            plies, code = data.number(), data.rest()
            if codec in lines.WEIGHERS:
                line = lines.decode(codec, start(from_), plies, code)
                self.assertEqual(san(line), moves, codec)
                read += 1
                if "null" not in codec:
                    self.assertEqual(lines.encode(codec, line), code, codec)
            else:
                with self.assertRaisesRegex(Unsupported, "FORMAT.md, 1"):
                    lines.decode(codec, start(from_), plies, code)
        self.assertEqual(read, 42)

    def test_links(self):
        read = 0
        for codec, from_, moves, show, text in golden("link/chess-v1.txt"):
            try:
                game = link.decode(text)
            except Unsupported as error:
                self.assertRegex(str(error), "FORMAT.md, [35]")
                continue
            plies = len(game.line) if show == "-" else int(show)
            self.assertEqual((game.codec, san(game.line), game.show), (codec, moves, plies))
            read += 1
        self.assertEqual(read, 1)
        # 9.8, and the same with every character but one changed.
        self.assertEqual(san(link.decode("EgOrzz2H").line), "e4 e5 Nf3")
        for at in range(8):
            with self.assertRaises((Damaged, Unsupported)):
                link.decode("EgOrzz2H"[:at] + "_" + "EgOrzz2H"[at + 1 :])


class Files(unittest.TestCase):
    # Of the golden files: how many records are read, and which sections the others need.
    READ = {
        "pgn-plain/line.uniform": (5, set()),
        "pgn-annotated/line.uniform": (4, set()),
        "pgn-prose/line.fast": (3, set()),
        "pgn-server/line.uniform": (0, {"1.4"}),
        "pgn-engine/line.uniform": (0, {"1.13"}),
        "go-sgf/default": (0, {"8"}),
    }

    def test_records(self):
        for name, (wanted, sections) in self.READ.items():
            read, refused = 0, set()
            for row in rows(VECTORS / "file" / f"{name}-v1.parquet"):
                try:
                    decode.record(row)
                    read += 1
                except Unsupported as error:
                    refused.add(str(error).rpartition("FORMAT.md, ")[2].rstrip(")"))
            self.assertEqual((read, refused), (wanted, sections), name)

    def test_inputs(self):
        for name in ("pgn-plain/line.uniform", "pgn-annotated/line.uniform", "pgn-prose/line.fast"):
            path = VECTORS / "file" / f"{name}-v1.parquet"
            found = decode.inputs(pyarrow.parquet.ParquetFile(path))
            files = path.parent / "inputs"
            self.assertEqual(found, {one.name: one.read_bytes() for one in files.iterdir()})


class Games(unittest.TestCase):
    """games.parquet and games.plyindex, as README.md says how they were made."""

    def test_inputs(self):
        found = decode.inputs(pyarrow.parquet.ParquetFile(HERE / "games.parquet"))
        study = (VECTORS / "file/pgn-annotated/inputs/study.pgn").read_bytes()
        self.assertEqual((list(found), found["study.pgn"]), (["games.pgn", "study.pgn"], study))
        championship = (ROOT / "samples/championship.pgn").read_bytes()
        self.assertTrue(championship.startswith(found["games.pgn"]))
        self.assertEqual(found["games.pgn"].count(b"[Event "), 64)

    def test_index(self):
        found = index.Index((HERE / "games.plyindex").read_bytes())
        wanted = {False: defaultdict(set), True: defaultdict(set)}
        positions = {}
        for game, row in enumerate(rows(HERE / "games.parquet")):
            for line, is_variation in branches(row):
                end = line[-1].position.after(line[-1].move)
                visits = [(ply.position, ply.candidates.index(ply.move)) for ply in line]
                for position, candidate in [*visits, (end, None)][is_variation:]:
                    key = keys.key(position)
                    positions[key] = position
                    wanted[is_variation][key].add((game, candidate))
        kinds = [0, 0]
        for is_variation, occurrences in wanted.items():
            for key, visits in occurrences.items():
                answer = found.find(positions[key], is_variation)
                is_block = isinstance(answer, index.Block)
                kinds[is_block] += 1
                if is_block:
                    self.assertEqual(sorted(answer.visits, key=str), sorted(visits, key=str))
                    counts = sum(sum(one.outcomes) for one in answer.sums)
                    self.assertEqual((answer.games, counts), (len(dict(visits)), len(visits)))
                else:
                    self.assertLessEqual({game for game, _ in visits}, answer)
                    self.assertLess(len(dict(visits)), 4)
        self.assertEqual(kinds, [5040, 28])

    def test_damage(self):
        """A flipped bit is refused, or the answer is another one: nothing else is raised."""
        data = (HERE / "games.plyindex").read_bytes()
        for at in range(0, 8 * len(data), 97):
            broken = bytearray(data)
            broken[at // 8] ^= 1 << at % 8
            try:
                index.Index(bytes(broken)).find(start("-"))
            except (Damaged, Unsupported):
                pass
        row = rows(HERE / "games.parquet")[0]
        for at in range(len(row["moves"]["code"])):
            code = bytearray(row["moves"]["code"])
            code[at] ^= 16
            with self.assertRaises(Damaged):
                decode.record({**row, "moves": {**row["moves"], "code": bytes(code)}})


def branches(row):
    """The lines of a record, and whether each is a variation."""
    codec, line = decode.main_line(row)
    yield line, False
    open_ = []
    for piece in annotations.pieces(codec, line, row["annotations"] or []):
        if piece.kind == "open":
            open_.append([])
        elif piece.kind == "close":
            yield open_.pop(), True
        elif piece.kind == "move" and open_:
            open_[-1].append(piece.ply)


if __name__ == "__main__":
    unittest.main()
