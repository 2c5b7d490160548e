from collections.abc import Iterator, Mapping
from typing import Any, Literal

import numpy
from plypack import File

class _Batches(Iterator[dict[str, numpy.ndarray[Any, Any]]]):
    def __next__(self) -> dict[str, numpy.ndarray[Any, Any]]: ...
    def state(self) -> dict[str, Any]: ...

class Positions:
    men: str
    move_count: int
    def __init__(
        self,
        games: Any,
        query: str | Mapping[str, str] | None = None,
        *,
        split: str | None = None,
        splits: Mapping[str, float] | None = None,
        seed: int = 0,
        shard: tuple[int, int] | None = None,
        batch: int = 1024,
        game: str = "chess",
        size: tuple[int, int] | None = None,
        boards: Literal["bitboards", "planes", "cells"] | None = None,
        legal: Literal["mask", "indices"] | None = None,
        policy: Literal["numbers", "leela"] = "numbers",
        perspective: Literal["board", "mover"] = "board",
        clocks: bool = False,
        threads: int = 1,
    ) -> None: ...
    def set_epoch(self, epoch: int) -> None: ...
    def __iter__(self) -> _Batches: ...
    def resume(self, state: Mapping[str, Any]) -> None: ...
    def count(self) -> tuple[int, int]: ...
    def manifest(self) -> dict[str, Any]: ...
    @classmethod
    def of_manifest(
        cls, manifest: Mapping[str, Any], games: str | File | Any, **options: Any
    ) -> Positions: ...

def leela_index(uci: str) -> int: ...
