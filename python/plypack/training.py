"""Positions for training, as batches of numpy arrays."""

import hashlib
import json
import os
from collections.abc import Mapping

from plypack import _files
from plypack._plypack import File, InputError, Sampler, __version__, leela_index

__all__ = ["Positions", "leela_index"]

#: The parts of all games that the names of splits stand for.
SPLITS = {"train": 0.9, "validation": 0.05, "test": 0.05}

#: The columns and ranks of the usual board of each game.
SIZES = {
    "chess": (8, 8),
    "xiangqi": (9, 10),
    "go": (19, 19),
    "othello": (8, 8),
    "gomoku": (15, 15),
    "tictactoe": (3, 3),
}

#: The games whose boards differ in size.
VARYING = ("go", "gomoku")

#: What a query may ask of games.
QUERY = ("where", "fen", "moves", "pattern", "player")


class Positions:
    """The positions of games and the moves played in them, as batches of numpy arrays.

    `games` is what `plypack.open` takes, or an open `File`. `query` says which games: a condition,
    or a dict of `where`, `fen`, `moves`, `pattern` and `player`, as for `File.find`; of a game that
    reaches a position all positions are taken.

    Each batch is a dict of arrays with a row for each position: views of larger arrays, which are
    filled without the interpreter's lock.

    | array | what |
    |---|---|
    | `bitboards` | uint64, a bit set for each of `men`: bit n is cell n, a1 first, then b1 |
    | `planes` | uint8, the same as 0 and 1: men, ranks, columns |
    | `cells` | uint8, ranks and columns: 0 is empty, 1 the first of `men` |
    | `move` | int64, the number of the move played (below) |
    | `legal` | with `legal="mask"` bool, a column for each move; with `legal="indices"` the numbers of legal moves, of all rows in one array, of row i those from `legal_offsets[i]` to `legal_offsets[i + 1]` |
    | `side` | uint8, 1 if the second player is to move |
    | `marks` | uint8, castling rights (1, 2 White's short and long, 4, 8 Black's), file of the pawn that may be taken en passant, from 1, and plies since a capture or pawn move |
    | `result` | int8, 1 if the first player won, -1 the second, 0 a draw, -128 unknown |
    | `ratings` | int16, of both players, 0 unknown |
    | `ply`, `plies_left` | int32, plies before the position, and from it to the end of the game |
    | `game` | int64, the place of the game among all, from 0: `file[game]` |
    | `clock` | float32, with `clocks=True`: seconds left after the move, NaN if unknown |

    A move's number is origin * cells + destination; a promotion to knight, bishop, rook or queen
    adds 1, 2, 3 or 4 times cells * cells; castling ends on the rook's square. Where men are only
    put on the board, it is the cell, and the number of cells for a pass. With `policy="leela"` it
    is the index among the 1,858 moves of Leela Chess Zero, seen by the side to move.

    With `perspective="mover"` boards and moves are seen by the side to move: its men come first,
    in chess and xiangqi at the bottom, and `result` is 1 if it won.

    Games come in an order that `seed` and the epoch decide, of one row group after another, also
    shuffled; the positions of a game follow each other. `split` is the name of a part of all games:
    a hash of its moves decides where a game belongs, so that no game is in two parts, also if it is
    there twice or in another file. `shard=(i, n)` is one of n workers; the workers of
    `torch.utils.data.DataLoader` are found without it.

    >>> import plypack
    >>> path = getfixture("tmp_path") / "a.parquet"
    >>> _ = plypack.pack(b"1. e4 e5 2. Nf3 *", path)
    >>> batch = next(iter(Positions(path, batch=2)))
    >>> batch["bitboards"].shape, batch["move"].tolist()
    ((2, 12), [796, 3364])
    """

    def __init__(
        self,
        games,
        query=None,
        *,
        split=None,
        splits=None,
        seed=0,
        shard=None,
        batch=1024,
        game="chess",
        size=None,
        boards=None,
        legal=None,
        policy="numbers",
        perspective="board",
        clocks=False,
        threads=1,
    ):
        if isinstance(query, str):
            query = {"where": query}
        if query is not None and not isinstance(query, Mapping):
            raise TypeError("a query is a condition, or a dict of what to ask")
        query = {name: value for name, value in (query or {}).items() if value is not None}
        unknown = set(query) - set(QUERY)
        if unknown:
            known = ", ".join(QUERY)
            raise InputError(f"`{unknown.pop()}` is nothing to ask of games; use {known}")
        if game not in SIZES:
            raise InputError(f"unknown game `{game}`; known games: {', '.join(SIZES)}")
        if size is not None and (min(size) < 1 or game not in VARYING and tuple(size) != SIZES[game]):
            raise InputError(f"{size} is not the size of a board of {game}")
        if boards is None:
            boards = "bitboards" if game in ("chess", "othello", "tictactoe") else "cells"
        self._games = games
        self._settings = {
            "query": query,
            "split": split,
            "splits": dict(splits or SPLITS),
            "seed": seed,
            "shard": list(shard) if shard is not None else None,
            "batch": batch,
            "game": game,
            "size": list(size or SIZES[game]),
            "boards": boards,
            "legal": legal,
            "policy": policy,
            "perspective": perspective,
            "clocks": clocks,
        }
        self._threads = threads
        self._epoch = 0
        self._place = None
        self._file = games if isinstance(games, File) else None
        # What is wrong is told here, not by the first batch.
        sampler = self._sampler(self._epoch)
        #: The letters of the men, in the order of bitboards and planes.
        self.men = sampler.men
        #: The number of different moves.
        self.move_count = sampler.move_count

    def _part(self):
        """The part of all games, from a share to a share."""
        split, splits = self._settings["split"], self._settings["splits"]
        if split is None:
            return (0.0, 1.0)
        if split not in splits:
            raise InputError(f"`{split}` is none of the splits {', '.join(splits)}")
        # Not a number is neither.
        if not (sum(splits.values()) <= 1 + 1e-9 and min(splits.values()) >= 0):
            raise InputError("the splits are more than all games")
        start = 0.0
        for name, share in splits.items():
            if name == split:
                # The last ends with all games, whatever the sums are rounded to.
                last = name == list(splits)[-1] and start + share > 1 - 1e-9
                return (start, 1.0 if last else start + share)
            start += share

    def _sampler(self, epoch, shard=None):
        if self._file is None:
            self._file = _files.open(self._games)
        settings = dict(self._settings)
        query = settings.pop("query")
        for name in ("split", "splits"):
            settings.pop(name)
        own = settings.pop("shard")
        settings["size"] = tuple(settings["size"])
        return Sampler(
            self._file,
            part=self._part(),
            epoch=epoch,
            shard=shard or tuple(own or (0, 1)),
            threads=self._threads,
            **settings,
            **query,
        )

    def set_epoch(self, epoch):
        """Sets the epoch of the next iteration: games are shuffled anew for each."""
        self._epoch = epoch
        self._place = None

    def __iter__(self):
        """Iterates over the batches of an epoch; the next iteration is the next epoch.

        Only the last batch may be smaller.
        """
        epoch, place = self._epoch, self._place
        self._epoch, self._place = epoch + 1, None
        return _Batches(self, epoch, place)

    def resume(self, state):
        """Lets the next iteration begin where `state`, of its iterator, was taken.

        >>> import plypack
        >>> path = getfixture("tmp_path") / "a.parquet"
        >>> _ = plypack.pack(b"1. e4 e5 2. Nf3 *", path)
        >>> batches = iter(Positions(path, batch=1))
        >>> _ = next(batches)
        >>> positions = Positions(path, batch=1)
        >>> positions.resume(batches.state())
        >>> next(iter(positions))["ply"].tolist()
        [1]
        """
        try:
            unit, index, ply = state["place"]
            self._epoch, self._place = state["epoch"], (unit, index, ply)
        except (KeyError, TypeError, ValueError) as error:
            raise InputError("this is not what `state` of an iterator returned") from error

    def count(self):
        """Counts the games and the positions of an epoch, which decodes them."""
        return self._sampler(self._epoch).count()

    def manifest(self):
        """Describes the set, so that it can be cited and made again: files, query, seed, count.

        Files are known by their SHA-256.
        """
        games, positions = self.count()
        return {
            "plypack": __version__,
            "files": [_identity(path) for path in self._file.paths],
            **json.loads(json.dumps(self._settings)),
            "games": games,
            "positions": positions,
        }

    @classmethod
    def of_manifest(cls, manifest, games, **options):
        """Makes a set again from its manifest and the files, which must be the same."""
        file = games if isinstance(games, File) else _files.open(games)
        if len(file.paths) != len(manifest.get("files", ())):
            raise InputError("these are not as many files as in the manifest")
        for path, known in zip(file.paths, manifest["files"], strict=True):
            found = _identity(path)
            if found["sha256"] != known["sha256"]:
                raise InputError(f"{path} is not the file of the manifest: its SHA-256 differs")
        about = ("plypack", "files", "games", "positions")
        settings = {name: value for name, value in manifest.items() if name not in about}
        return cls(games, **settings, **options)

    def __getstate__(self):
        if isinstance(self._games, File):
            if not self._games.paths:
                raise TypeError("positions of an open stream cannot be sent to another process")
            games = self._games.paths
        else:
            games = self._games
        return {**self.__dict__, "_games": games, "_file": None}


class _Batches:
    """The batches of an epoch."""

    def __init__(self, positions, epoch, place):
        self._sampler = positions._sampler(epoch, _worker(positions._settings["shard"]))
        self._batch = positions._settings["batch"]
        self._epoch = epoch
        self._arrays = None
        self._row = 0
        self._rows = 0
        if place is not None:
            self._sampler.seek(*place)

    def __iter__(self):
        return self

    def __next__(self):
        if self._row >= self._rows:
            self._arrays = self._sampler.next()
            if self._arrays is None:
                self._row = self._rows = 0
                raise StopIteration
            self._row, self._rows = 0, len(self._arrays["move"])
        start, end = self._row, min(self._row + self._batch, self._rows)
        self._row = end
        return _views(self._arrays, start, end)

    def state(self):
        """Says where the iteration is: give it to `Positions.resume`."""
        return {"epoch": self._epoch, "place": list(self._sampler.place(self._row))}


def _views(arrays, start, end):
    batch = {}
    for name, array in arrays.items():
        if name == "legal_offsets":
            offsets = array[start : end + 1]
            batch["legal"] = arrays["legal"][offsets[0] : offsets[-1]]
            batch[name] = offsets - offsets[0]
        elif name != "legal" or "legal_offsets" not in arrays:
            batch[name] = array[start:end]
    return batch


def _worker(shard):
    """This worker's shard, within that of the process, if torch's loader has workers."""
    import sys

    own = tuple(shard or (0, 1))
    torch = sys.modules.get("torch.utils.data")
    worker = torch.get_worker_info() if torch is not None else None
    if worker is None:
        return own
    return (own[0] * worker.num_workers + worker.id, own[1] * worker.num_workers)


def _identity(path):
    with open(path, "rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return {"name": os.path.basename(path), "bytes": os.path.getsize(path), "sha256": digest}
