"""Board-game records in close to the fewest bits: packed, searched, and as training data."""

import datetime
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, IO, Literal, Protocol, TypeAlias, final, overload

import chess.pgn

_Path: TypeAlias = str | os.PathLike[str]
_Input: TypeAlias = _Path | bytes | bytearray | memoryview | IO[bytes]
_Progress: TypeAlias = bool | Callable[[int, int], object] | None
_Notation: TypeAlias = Literal["san", "uci", "customary", "coordinate"]

class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

__version__: str

class InputError(ValueError): ...
class MoveError(InputError): ...
class FileError(OSError): ...
class DamagedError(FileError): ...

@final
class File:
    def __new__(
        cls, paths: Sequence[_Path], sources: Sequence[tuple[str, Any]] = ...
    ) -> File: ...
    paths: list[os.PathLike[str]]
    indexed: int
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int, /) -> Game: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Game]: ...
    def __iter__(self) -> Iterator[Game]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def games(
        self, *, where: str | None = None, columns: Sequence[str] | None = None
    ) -> Iterator[Game]: ...
    def scan(self, *, where: str | None = None, columns: Sequence[str] | None = None) -> Table: ...
    def find(
        self,
        *,
        fen: str | None = None,
        moves: str | None = None,
        pattern: str | None = None,
        where: str | None = None,
        player: str | Sequence[str] | None = None,
        sort: Literal["stored", "rating", "date"] = "stored",
        limit: int | None = None,
        variations: bool = False,
        notation: _Notation = "san",
        progress: _Progress = None,
    ) -> Found: ...
    def count(
        self,
        *,
        fen: str | None = None,
        moves: str | None = None,
        pattern: str | None = None,
        where: str | None = None,
        player: str | Sequence[str] | None = None,
        variations: bool = False,
        progress: _Progress = None,
    ) -> int: ...
    def branches(
        self,
        plies: int,
        *,
        fen: str | None = None,
        moves: str | None = None,
        where: str | None = None,
        player: str | Sequence[str] | None = None,
        min_games: int = 1,
        notation: _Notation = "san",
        progress: _Progress = None,
    ) -> Branches: ...
    def tree(
        self,
        *,
        fen: str | None = None,
        moves: str | None = None,
        where: str | None = None,
        player: str | Sequence[str] | None = None,
        variations: bool = False,
        notation: _Notation = "san",
        progress: _Progress = None,
    ) -> Tree: ...
    def delete(
        self, numbers: Sequence[int] = (), *, where: str | None = None, progress: _Progress = None
    ) -> int: ...
    def dedup(
        self,
        *,
        delete: bool = False,
        keep: Literal["longest", "annotated", "first"] = "longest",
        any_day: bool = False,
        any_result: bool = False,
        progress: _Progress = None,
    ) -> list[Duplicate]: ...
    def build_index(self, *, progress: _Progress = None) -> None: ...
    def verify(self, *, progress: _Progress = None) -> list[str]: ...

@final
class Table:
    columns: list[str]
    def count(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

@final
class Found:
    places: list[tuple[int, int, list[tuple[int, str | None, bool]]]]
    @overload
    def __getitem__(self, index: int, /) -> Game: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[Game]: ...
    def __iter__(self) -> Iterator[Game]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def save(
        self, out: _Path, *, notation: _Notation | None = None, progress: _Progress = None
    ) -> int: ...

@final
class Tree:
    fen: str
    games: int
    moves: list[TreeMove]
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

@final
class TreeMove:
    text: str
    games: int
    white: int
    draws: int
    black: int
    mean_rating: float | None
    last_year: int | None
    any_order: tuple[int, int, int, int] | None

@final
class Branches:
    fen: str
    games: int
    moves: list[Branch]
    pgn: str | None
    def __len__(self) -> int: ...

@final
class Branch:
    text: str
    games: int
    white: int
    draws: int
    black: int
    mean_rating: float | None
    last_year: int | None
    moves: list[Branch]
    ended: int

@final
class Duplicate:
    path: os.PathLike[str]
    number: int
    of_path: os.PathLike[str]
    of_number: int
    likeness: Literal["bytes", "moves", "first moves"]
    is_kept: bool

@final
class Game:
    number: int
    path: str
    input: str
    rules: str | None
    tags: dict[str, str]
    white: str | None
    black: str | None
    white_rating: int | None
    black_rating: int | None
    date: datetime.date | None
    year: int | None
    result: Literal["1-0", "0-1", "1/2-1/2"] | None
    score: float | None
    start: str | None
    plies: int
    rest: str | None
    def moves(self, notation: _Notation = "san") -> list[str]: ...
    def san(self) -> list[str]: ...
    def uci(self) -> list[str]: ...
    def fen(self, ply: int = -1) -> str | None: ...
    def steps(self) -> list[Step]: ...
    def tree(self, notation: _Notation = "san") -> Variation: ...
    def cell(self) -> tuple[str, bytes] | None: ...
    def link(self) -> str | None: ...
    def original(self) -> bytes: ...
    def pgn(self, notation: _Notation = "san") -> bytes: ...

@final
class Step:
    ply: int
    side: Literal["first", "second"]
    san: str
    uci: str
    fen: str
    key: int
    clock: float | None
    elapsed: float | None
    centipawns: int | None
    mate: int | None

@final
class Variation:
    comments: list[str]
    unread: list[str]
    moves: list[MoveNode]

@final
class MoveNode:
    ply: int
    text: str
    glyphs: list[int]
    comments: list[str]
    clock: float | None
    elapsed: float | None
    centipawns: int | None
    mate: int | None
    variations: list[Variation]
    unread: list[str]

@final
class Linked:
    game: str
    start: str | None
    moves: list[str]
    ply: int
    fen: str

def pack(
    inputs: _Input | Iterable[_Input],
    out: _Path,
    *,
    model: str | None = None,
    game: str | None = None,
    index: bool = True,
    threads: int = 0,
    progress: _Progress = None,
) -> dict[str, Any]: ...
def open(what: _Path | bytes | IO[bytes] | Sequence[_Path | bytes | IO[bytes]]) -> File: ...
def append(
    packed: _Path | File,
    inputs: _Input | Iterable[_Input],
    *,
    index: bool = False,
    threads: int = 0,
    progress: _Progress = None,
) -> dict[str, Any]: ...
def merge(
    packed: Sequence[_Path], out: _Path, *, index: bool = True, progress: _Progress = None
) -> int: ...
@overload
def unpack(
    packed: _Path, out: None = None, *, threads: int = 0, progress: _Progress = None
) -> bytes: ...
@overload
def unpack(packed: _Path, out: _Path, *, threads: int = 0, progress: _Progress = None) -> None: ...
def to_chess(game: Game) -> chess.pgn.Game: ...
def from_chess(games: chess.pgn.GameNode | Iterable[chess.pgn.GameNode]) -> bytes: ...
def games() -> list[str]: ...
def codecs(game: str = "chess") -> list[tuple[str, str]]: ...
def encode(
    moves: Sequence[str], codec: str = "chess/default", *, start: str | None = None
) -> bytes: ...
def decode(
    cell: bytes,
    codec: str = "chess/default",
    *,
    start: str | None = None,
    notation: _Notation = "san",
) -> list[str]: ...
def encode_position(position: str, codec: str = "chess/chess.rank") -> bytes: ...
def decode_position(code: bytes, codec: str = "chess/chess.rank") -> str: ...
def link(
    moves: Sequence[str],
    game: str = "chess",
    *,
    start: str | None = None,
    ply: int | None = None,
) -> str: ...
def unlink(text: str) -> Linked: ...
