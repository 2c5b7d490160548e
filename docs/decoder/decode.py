"""Reads packed files of chess games (docs/FORMAT.md, 2): `python decode.py games.parquet [FOLDER]`.

The inputs are written into the folder; without one, it is only said whether every record came out
with its checksum.
"""

import json
import re
import sys
import zlib
from pathlib import Path

import pyarrow.parquet

import annotations
import layout
import lines
from arithmetic import Damaged, Unsupported
from chess import USUAL, Position

# The version of the format that is read (2).
FORMAT = "1"

# Columns that are no tags (2), and tags that are numbers with a sign (2.1).
OTHERS = (
    "played_on tags tag_order layout source number source_records verbatim_reason checksum patch "
    "verbatim templates annotations prose moves clocks evals reviews fields"
).split()
SIGNED = ("WhiteRatingDiff", "BlackRatingDiff")


def rows(file):
    """The rows of a packed file, as dictionaries. A column that is not there is null (2)."""
    metadata = file.metadata.metadata or {}
    version = metadata.get(b"plypack.format", FORMAT.encode()).decode()
    if version != FORMAT:
        raise Unsupported(f"version {version} of the format is not read here (docs/FORMAT.md, 2)")
    if "position" in file.schema_arrow.names:
        raise Unsupported("files of positions are not read here (docs/FORMAT.md, 2.8)")
    if not {"layout", "checksum", "moves"} <= set(file.schema_arrow.names):
        raise Damaged("not a packed file: a column is missing (docs/FORMAT.md, 2)")
    for batch in file.iter_batches(batch_size=1024):
        yield from batch.to_pylist()


def tags(row):
    """The tags of a record, in order (2.1; 2.3, step 2)."""
    columns = [name for name in row if name not in OTHERS and row[name] is not None]
    found = {name: tag_text(name, row[name]) for name in columns}
    found.update(row.get("tags") or [])
    if row["moves"] and row["moves"]["start"] is not None:
        found["FEN"] = row["moves"]["start"]
    order = dict.fromkeys((row["tag_order"] or "").split(" "))
    return [(name, found[name]) for name in order if name in found]


def tag_text(name, value):
    """A value of a tag column as it stands in a record (2.1)."""
    if name == "UTCDate":
        return f"{value.year:04}.{value.month:02}.{value.day:02}"
    if name == "UTCTime":
        return value.strftime("%H:%M:%S")
    return f"{value:+}" if name in SIGNED else str(value)


def main_line(row):
    """The codec of a row, and the plies of its main line."""
    moves = row["moves"]
    if moves is None:
        return None, []
    game, _, codec = moves["codec"].partition("/")
    if game != "chess":
        raise Unsupported(f"games of {game} are not read here (docs/FORMAT.md, 8)")
    start = Position.from_fen(USUAL if moves["start"] is None else moves["start"])
    return codec, lines.decode(codec, start, moves["plies"], moves["code"])


def record(row):
    """The bytes of a record, in the five steps of 2.3."""
    data = row.get("verbatim")
    if data is None:
        data = written(row)
        if row.get("patch") is not None:
            data = layout.patched(data, row["patch"])
    if zlib.crc32(data) != row["checksum"]:
        raise Damaged(f"record {row['number']} of {row['source']} has another checksum")
    return data


def written(row):
    """A record as its layout says, before its patch."""
    sections = {"clocks": "1.4", "evals": "1.5", "reviews": "1.9", "fields": "1.13"}
    for column, section in sections.items():
        if row.get(column) is not None:
            raise Unsupported(f"{column} are not read here (docs/FORMAT.md, {section})")
    pieces = annotations.pieces(*main_line(row), row.get("annotations") or [])
    return layout.record(row["layout"], tags(row), pieces)


def inputs(file):
    """The inputs of a packed file by their names, in order (2.4)."""
    records = {}
    for row in rows(file):
        records.setdefault(row["source"], []).append(record(row))
    found = [(name, b"".join(parts)) for name, parts in records.items()]
    for place, name in json.loads((file.metadata.metadata or {}).get(b"plypack.sources", b"[]")):
        found.insert(place, (name, b""))
    return dict(found)


def file_name(name):
    """The name under which an input is put back into a folder (2.4)."""
    if name == "-":
        return "stdin.pgn"
    name = re.sub(r"\.(zst|gz|bz2|xz)$", "", name, flags=re.I)
    if not name or name.startswith("/") or ".." in name.split("/"):
        raise Damaged(f"an input must not be called {name!r}")
    return name


def main(arguments):
    """Decodes a file."""
    file = pyarrow.parquet.ParquetFile(arguments[0])
    for name, data in inputs(file).items():
        if len(arguments) > 1:
            path = Path(arguments[1]) / file_name(name)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("xb") as target:
                target.write(data)
        print(f"{name}: {len(data)} bytes")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except (OSError, ValueError) as error:
        sys.exit(str(error))
