"""How fast games and positions are read, on one core, as a table in Markdown.

    pip install ./python -r python/requirements-examples.txt
    python python/examples/speed.py games.pgn plypack

The second argument is the program, for `plypack bench`. All rows take turns in each round; of each
the round of least processor time counts.
"""

import itertools
import pathlib
import subprocess
import sys
import tempfile
import time

import chess.pgn
import plypack
import pyarrow as pa
import rust_pgn_reader_python_binding as binding
from plypack import functions
from plypack.training import Positions

ROUNDS = 5
#: How many games are read: by all, and by python-chess.
GAMES, FEW = 1_000, 200
MODELS = ("line.index", "line.fast", "line.default")


def positions(file, boards):
    """Reads an epoch, and returns the number of positions."""
    return sum(len(batch["move"]) for batch in Positions(file, batch=4096, boards=boards))


def chess_games(text, count):
    with open(text, errors="replace") as stream:
        yield from itertools.islice(iter(lambda: chess.pgn.read_game(stream), None), count)


def chess_steps(text, count):
    """Reads games with python-chess, and makes SAN and FEN of all moves."""
    for game in chess_games(text, count):
        board = game.board()
        for move in game.mainline_moves():
            yield board.san(move), (board.push(move), board.fen())[1]


def records(text):
    """The PGN of each game, as Arrow's text."""
    first, *others = text.read_text(errors="replace").split("\n[Event ")[:GAMES]
    return pa.chunked_array([[f"{first}\n", *(f"[Event {game}\n" for game in others)]])


def rows(text, folder):
    """The rows: a name, and a function that returns how many plies it read."""
    found = {}
    part = folder / "part.pgn"
    games = records(text)
    part.write_text("".join(games.to_pylist()))
    # All files have the same games.
    plies = 0
    for model in MODELS:
        path = folder / f"{model}.parquet"
        plypack.pack(part, path, model=model, index=False)
        file = plypack.open(path)
        moves = pa.table(file.scan(columns=["moves"]))["moves"]
        plies = sum(game.plies for game in file)
        for boards in ("bitboards", "planes", "cells"):
            found[f"{model}: {boards}"] = lambda file=file, boards=boards: positions(file, boards)
        for name, work in [
            ("functions.san", lambda moves=moves: functions.san(moves)),
            ("functions.fens", lambda moves=moves: functions.fens(moves)),
            ("game.san()", lambda file=file: [game.san() for game in file]),
            ("game.steps()", lambda file=file: [game.steps() for game in file]),
        ]:
            found[f"{model}: {name}"] = lambda work=work: (work(), plies)[1]
    found["binding, PGN to boards"] = lambda: binding.parse_games(games, num_threads=1).num_moves
    found["python-chess, games"] = lambda: sum(
        sum(1 for _ in game.mainline_moves()) for game in chess_games(text, FEW)
    )
    found["python-chess, SAN and FEN"] = lambda: sum(1 for _ in chess_steps(text, FEW))
    return found, part, plies / len(games)


def bench(program, part):
    """What `plypack bench` says of decoding, in plies a second."""
    command = [program, "bench", part, "--games", str(GAMES), "--rounds", "1", "--quiet"]
    out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    fields = [line.split() for line in out.splitlines()]
    return {line[0]: float(line[-1]) for line in fields if line and line[0] in MODELS}


def main(text, program):
    folder = pathlib.Path(tempfile.mkdtemp())
    found, part, length = rows(text, folder)
    best = dict.fromkeys([*(f"{model}: plypack bench" for model in MODELS), *found], 0.0)
    for _ in range(ROUNDS):
        for name, work in found.items():
            begun = time.process_time()
            plies = work()
            best[name] = max(best[name], plies / (time.process_time() - begun))
        for model, rate in bench(program, part).items():
            name = f"{model}: plypack bench"
            best[name] = max(best[name], rate)
    print(f"{len(records(text)):,} games of {length:.1f} plies\n")
    print("| what | plies/s | games/s |\n|---|---|---|")
    for name, rate in best.items():
        print(f"| {name} | {rate:,.0f} | {rate / length:,.0f} |")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), sys.argv[2])
