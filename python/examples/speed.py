"""How fast games and positions are read, on one core: seconds of processor time, best of three.

    python python/examples/speed.py games.pgn
"""

import io
import itertools
import pathlib
import sys
import tempfile
import time

import chess.pgn
import plypack
from plypack.training import Positions


def best(work):
    """The least processor time of three rounds, and what the work returned."""
    times = []
    for _ in range(3):
        begun = time.process_time()
        result = work()
        times.append(time.process_time() - begun)
    return min(times), result


def tell(what, count, unit, seconds):
    print(f"{what:<44}{count / seconds:>14,.0f} {unit}/s", flush=True)


def positions(path, **options):
    """Reads an epoch, touching every batch."""
    return sum(len(batch["move"]) for batch in Positions(path, batch=4096, **options))


def main(text, games):
    folder = pathlib.Path(tempfile.mkdtemp())
    for model in ("line.index", "line.fast", "line.default"):
        path = folder / f"{model}.parquet"
        plypack.pack(text, path, model=model, index=False)
        for boards in ("bitboards", "planes", "cells"):
            seconds, count = best(lambda: positions(path, boards=boards))
            tell(f"{model}: positions as {boards}", count, "positions", seconds)
    path = folder / "line.default.parquet"
    some = plypack.open(path)[:games]
    seconds, _ = best(lambda: [game.san() for game in some])
    tell("line.default: games, all SAN", len(some), "games", seconds)
    seconds, _ = best(lambda: [[step.fen for step in game.steps()] for game in some])
    tell("line.default: games, steps with FEN, SAN", len(some), "games", seconds)

    def read():
        stream = io.StringIO(text.read_text(errors="replace"))
        return list(itertools.islice(iter(lambda: chess.pgn.read_game(stream), None), games))

    def boards(game):
        board = game.board()
        for move in game.mainline_moves():
            yield board.san(move)
            board.push(move)
            yield board.fen()

    seconds, known = best(read)
    tell("python-chess: games read", len(known), "games", seconds)
    seconds, _ = best(lambda: [list(boards(game)) for game in read()])
    tell("python-chess: the same, all SAN and FEN", len(known), "games", seconds)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), 500)
