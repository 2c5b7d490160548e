"""Functions over a column of moves, which take and give Arrow arrays.

A column of moves is the column `moves` of a table. Every function takes any object with the Arrow
PyCapsule interface, such as a column of pyarrow or polars, and gives one.

>>> import plypack, pyarrow
>>> path = getfixture("tmp_path") / "a.parquet"
>>> _ = plypack.pack(b"1. e4 e5 2. Nf3 *", path)
>>> table = pyarrow.table(plypack.open(path).scan(columns=["moves"]))
>>> pyarrow.chunked_array(san(table["moves"])).to_pylist()
[['e4', 'e5', 'Nf3']]
"""

from plypack._plypack import Column, fen, fens, keys, movetext, reaches, san, uci

__all__ = ["Column", "fen", "fens", "keys", "movetext", "reaches", "san", "uci"]
