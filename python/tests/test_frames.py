"""Other libraries read tables without copies: pandas, polars, DuckDB and torch."""

import numpy as np
import plypack
import pytest
from plypack import functions
from plypack.training import Positions

try:
    import torch
except ImportError:
    torch = None

pytestmark = pytest.mark.heavy


def test_polars_reads_what_it_asks_for(games, packed):
    import polars as pl
    from plypack import frames

    assert pl.DataFrame(games.scan(columns=["White"])).height == 567
    frame = frames.scan(packed)
    drawn = frame.filter(pl.col("Result") == "1/2-1/2").select("game", "White").collect()
    assert drawn.columns == ["game", "White"]
    assert drawn["game"].to_list() == [g.number for g in games if g.result == "1/2-1/2"]
    assert frame.head(5).collect().height == 5
    counted = frame.group_by("Result").len().collect()
    assert counted["len"].sum() == 567
    chosen = frames.scan(games, where="Result = '1-0'").filter(pl.col("game") < 100).collect()
    assert chosen["game"].to_list() == [g.number for g in games[:99] if g.result == "1-0"]
    column = pl.DataFrame(games.scan(columns=["moves"]))["moves"]
    moves = pl.Series(functions.uci(column))
    assert moves[3].to_list() == games[3].uci()


def test_what_polars_leaves_out_is_not_decoded(packed):
    import polars as pl
    from plypack import frames

    asked = []

    class Watched:
        def __init__(self, file):
            self._file = file

        def scan(self, *, where=None, columns=None):
            asked.append(columns)
            return self._file.scan(where=where, columns=columns)

    file = plypack.open(packed)
    frames._files.File, kept = (Watched, frames._files.File)
    try:
        frame = frames.scan(Watched(file))
        frame.filter(pl.col("Result") == "none such").select("White").collect()
    finally:
        frames._files.File = kept
    assert asked[0] is None
    # The condition's column, and what is asked for: no others.
    assert {name for columns in asked[1:] for name in columns} <= {"Result", "White"}


def test_duckdb_and_pandas(games):
    import duckdb
    import pandas as pd

    connection = duckdb.connect()
    table = connection.from_arrow(games.scan(columns=["White", "Result"]))
    rows = table.aggregate("Result, count(*) as n", "Result").order("n desc").fetchall()
    assert sum(count for _, count in rows) == 567 and rows[0][0] == "1/2-1/2"
    frame = pd.DataFrame.from_arrow(games.scan(columns=["game", "White"]))
    assert frame.shape == (567, 2) and frame["White"][0] == games[0].white


# Not within the test: other processes look for it by its name.
class Data(torch.utils.data.IterableDataset if torch else object):
    def __init__(self, path):
        self.positions = Positions(plypack.open(path), batch=512, perspective="mover")

    def __iter__(self):
        for batch in self.positions:
            yield torch.from_numpy(batch["move"]), torch.from_numpy(batch["game"])


@pytest.mark.skipif(torch is None, reason="torch is absent (python/requirements-examples.txt)")
def test_torchs_loader_has_workers(packed):
    def seen(**options):
        loader = torch.utils.data.DataLoader(Data(packed), batch_size=None, **options)
        return np.concatenate([games.numpy() for _, games in loader])

    whole = seen()
    for options in ({"num_workers": 2}, {"num_workers": 3, "multiprocessing_context": "spawn"}):
        parts = seen(**options)
        assert np.array_equal(np.sort(parts), np.sort(whole))
