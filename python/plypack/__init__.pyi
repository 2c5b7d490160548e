"""Board-game records in close to the fewest bits: packed, searched, and as training data."""

import datetime
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, Any, Literal, Protocol, TypeAlias, overload

import chess.pgn

Path: TypeAlias = str | os.PathLike[str]
Input: TypeAlias = Path | bytes | bytearray | memoryview | IO[bytes]
Progress: TypeAlias = bool | Callable[[int, int], object] | None
Notation: TypeAlias = Literal["san", "uci", "customary", "coordinate"]

class ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

__version__: str

class InputError(ValueError): ...
class MoveError(InputError): ...
class FileError(OSError): ...
class DamagedError(FileError): ...

class File:
    def __init__(
        self, paths: Sequence[Path], sources: Sequence[tuple[str, Any]] = ...
    ) -> None: ...
    paths: list[os.PathLike[str]]
    indexed: int
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...
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
        player: str | None = None,
        sort: Literal["stored", "rating", "date"] = "stored",
        limit: int | None = None,
        variations: bool = False,
        notation: Notation = "san",
        progress: Progress = None,
    ) -> Found: ...
    def tree(
        self,
        *,
        fen: str | None = None,
        moves: str | None = None,
        where: str | None = None,
        player: str | None = None,
        variations: bool = False,
        notation: Notation = "san",
        progress: Progress = None,
    ) -> Tree: ...
    def delete(
        self, numbers: Sequence[int] = (), *, where: str | None = None, progress: Progress = None
    ) -> int: ...
    def dedup(
        self,
        *,
        delete: bool = False,
        keep: Literal["longest", "annotated", "first"] = "longest",
        any_day: bool = False,
        any_result: bool = False,
        progress: Progress = None,
    ) -> list[Duplicate]: ...
    def build_index(self, *, progress: Progress = None) -> None: ...
    def verify(self, *, progress: Progress = None) -> list[str]: ...

class Table:
    columns: list[str]
    def count(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...

class Found:
    places: list[tuple[int, int, list[tuple[int, str | None, bool]]]]
    @overload
    def __getitem__(self, index: int) -> Game: ...
    @overload
    def __getitem__(self, index: slice) -> list[Game]: ...
    def __iter__(self) -> Iterator[Game]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class Tree:
    fen: str
    games: int
    moves: list[TreeMove]
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

class TreeMove:
    text: str
    games: int
    white: int
    draws: int
    black: int
    mean_rating: float | None
    last_year: int | None

class Duplicate:
    path: os.PathLike[str]
    number: int
    of_path: os.PathLike[str]
    of_number: int
    likeness: Literal["bytes", "moves", "first moves"]
    is_kept: bool

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
    def moves(self, notation: Notation = "san") -> list[str]: ...
    def san(self) -> list[str]: ...
    def uci(self) -> list[str]: ...
    def fen(self, ply: int = -1) -> str | None: ...
    def steps(self) -> list[Step]: ...
    def tree(self, notation: Notation = "san") -> Variation: ...
    def cell(self) -> tuple[str, bytes] | None: ...
    def link(self) -> str | None: ...
    def original(self) -> bytes: ...

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

class Variation:
    comments: list[str]
    unread: list[str]
    moves: list[MoveNode]

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

class Linked:
    game: str
    start: str | None
    moves: list[str]
    ply: int
    fen: str

def pack(
    inputs: Input | Iterable[Input],
    out: Path,
    *,
    model: str | None = None,
    game: str | None = None,
    index: bool = True,
    threads: int = 0,
    progress: Progress = None,
) -> dict[str, Any]: ...
def open(what: Path | bytes | IO[bytes] | Sequence[Path | bytes | IO[bytes]]) -> File: ...
def append(
    packed: Path | File,
    inputs: Input | Iterable[Input],
    *,
    index: bool = False,
    threads: int = 0,
    progress: Progress = None,
) -> dict[str, Any]: ...
def merge(
    packed: Sequence[Path], out: Path, *, index: bool = True, progress: Progress = None
) -> int: ...
@overload
def unpack(
    packed: Path, out: None = None, *, threads: int = 0, progress: Progress = None
) -> bytes: ...
@overload
def unpack(packed: Path, out: Path, *, threads: int = 0, progress: Progress = None) -> None: ...
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
    notation: Notation = "san",
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
