"""Runs the examples of docs/tables.md and compares their output: packed files in other tools.

    python3 check.py DOCUMENT PLYPACK SAMPLES

The blocks of the document in `sh`, `sql` and `python` are run, in order, in a folder with the
samples and `plypack` on the path; a `text` block after one is its output. `sql` is a query to
DuckDB, `python` a program with polars imported as `pl`. With PLYPACK_BLESS=1 in the environment the
document is rewritten. Checks that need more than an example are asserted below.
"""
import contextlib
import datetime
import difflib
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import duckdb
import polars as pl
import pyarrow.dataset
import pyarrow.parquet

BLOCK = re.compile(r"^```(sh|sql|python)\n(.*?)^```\n(?:\n?```text\n(.*?)^```\n)?", re.M | re.S)

document, plypack, samples = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
connection = duckdb.connect()
pl.Config.set_tbl_hide_dataframe_shape(True)
pl.Config.set_tbl_formatting("ASCII_MARKDOWN")
pl.Config.set_tbl_hide_column_data_types(True)
namespace = {"pl": pl}


def shell(command):
    """Returns the output of a command, on both streams; it must succeed."""
    both = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    done = subprocess.run(command, shell=True, text=True, **both)
    assert done.returncode == 0, f"{command}: {done.stdout}"
    return done.stdout


def sql(query):
    """Returns the rows of a query to DuckDB, as text."""
    found = connection.execute(query)
    rows = [[column[0] for column in found.description]]
    rows += [["NULL" if value is None else str(value) for value in row] for row in found.fetchall()]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in rows]
    return "\n".join(lines) + "\n"


def python(program):
    """Returns the output of a program."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(program, namespace)
    return printed.getvalue()


def follow(text):
    """Runs the document; returns the document as it should be."""
    run = {"sh": shell, "sql": sql, "python": python}

    def again(block):
        language, code, shown = block.groups()
        printed = run[language](code)
        if shown is None:
            return block.group()
        begin = block.group()[: block.start(3) - block.start()]
        return f"{begin}{printed}```\n"

    return BLOCK.sub(again, text)


def packed(name, text, *options):
    """Packs a text; returns the file's name."""
    pathlib.Path(name).write_text(text)
    output = pathlib.Path(name).with_suffix(".parquet").name
    subprocess.run(["plypack", "pack", "-q", "-f", *options, name, "-o", output], check=True)
    return output


def unpacked(name):
    """Returns the unpacked content of a file."""
    command = ["plypack", "unpack", "-q", "-c", name]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode()


def one(query):
    """Returns the only row of a query."""
    (row,) = connection.execute(query).fetchall()
    return row


def types_are_those_of_tags():
    """Each kind of column has its type, in both tools."""
    games = packed(
        "typed.pgn",
        '[Event "x"]\n[Date "2020.01.31"]\n[White "\u9280"]\n[WhiteElo "2600"]\n[BlackElo "?"]\n'
        '[WhiteRatingDiff "+7"]\n[UTCDate "2020.01.31"]\n[UTCTime "23:59:59"]\n[Board "7"]\n\n'
        "1. e4 { [%eval 0.17] [%clk 0:03:00] } (1. d4 d5) 1... e5 2. Nf3 $14 1-0\n\n"
        '[Event "y"]\n[Date "1992.??.??"]\n[BlackElo "2500"]\n\njunk ((\n\n',
    )
    day, time = datetime.date(2020, 1, 31), datetime.time(23, 59, 59)
    first = {
        "White": "\u9280",
        "WhiteElo": 2600,
        "BlackElo": None,
        "WhiteRatingDiff": 7,
        "UTCDate": day,
        "UTCTime": time,
        "Date": "2020.01.31",
        "played_on": day,
        "number": 1,
        "source": "typed.pgn",
    }
    names = ", ".join(first)
    rows = connection.execute(f"SELECT {names} FROM '{games}' ORDER BY number").fetchall()
    assert rows[0] == tuple(first.values()), rows
    assert rows[1][names.split(", ").index("played_on")] is None
    frame = pl.read_parquet(games).sort("number")
    assert frame.select(list(first)).row(0) == tuple(first.values()), frame
    assert one(f"SELECT tags['Board'], tags['BlackElo'] FROM '{games}' LIMIT 1") == ("7", "?")
    assert dict(one(f"SELECT tags FROM '{games}' LIMIT 1")[0]) == {"Board": "7", "BlackElo": "?"}
    plies = frame["moves"].struct.field("plies").to_list()
    assert plies[0] == 3 == one(f"SELECT moves.plies FROM '{games}' LIMIT 1")[0], plies
    kinds = one(f"SELECT list_transform(annotations, lambda a: a.kind) FROM '{games}' LIMIT 1")[0]
    assert "variation" in kinds, kinds
    assert one(f"SELECT count(*), count(WhiteElo), count(moves) FROM '{games}'")[:2] == (2, 1)
    arrow = pyarrow.parquet.read_table(games)
    assert arrow.num_rows == 2 and str(arrow.schema.field("UTCTime").type) == "time32[ms]"


def files_of_other_columns_are_one_table():
    """Files that lack columns without values are read together with others, by each tool."""
    folder = pathlib.Path("several")
    folder.mkdir()
    kinds = [("a", '[WhiteElo "2600"]\n', ""), ("b", '[Board "7"]\n', " {x}"), ("c", "", "")]
    for name, tag, note in kinds:
        games = packed(f"{name}.pgn", f'[White "{name}"]\n{tag}\n1. e4{note} e5 *\n\n')
        os.rename(games, folder / games)
    query = "SELECT count(*), count(WhiteElo), count(annotations), count(moves) FROM read_parquet"
    assert one(f"{query}('several/*.parquet', union_by_name := true)") == (3, 1, 1, 3)
    insert = {"missing_columns": "insert", "extra_columns": "ignore"}
    frame = pl.scan_parquet([f"several/{name}.parquet" for name in "abc"], **insert)
    rows = frame.select("White", "WhiteElo").collect().rows()
    assert rows == [("a", 2600), ("b", None), ("c", None)], rows
    whole = pyarrow.dataset.dataset("several")
    schema = pyarrow.unify_schemas([piece.physical_schema for piece in whole.get_fragments()])
    table = pyarrow.dataset.dataset("several", schema=schema).to_table()
    assert table.num_rows == 3 and table["WhiteElo"].null_count == 2, table.schema
    assert table["annotations"].null_count == 2, table.schema


def pages_have_checksums():
    """pyarrow compares the checksums of pages, and finds a flipped bit."""

    def read(file):
        reader = pyarrow.parquet.ParquetFile(file, page_checksum_verification=True)
        return reader.read().num_rows

    games = packed("checked.pgn", pathlib.Path("championship.pgn").read_text())
    assert read(games) == 567
    damaged = bytearray(pathlib.Path(games).read_bytes())
    group = pyarrow.parquet.ParquetFile(games).metadata.row_group(0)
    columns = map(group.column, range(group.num_columns))
    column = next(column for column in columns if column.path_in_schema == "moves.code")
    damaged[column.data_page_offset + column.total_compressed_size // 2] ^= 4
    pathlib.Path("damaged.parquet").write_bytes(damaged)
    try:
        read("damaged.parquet")
    except OSError as error:
        assert "CRC" in str(error), error
    else:
        raise AssertionError("a flipped bit was not found")


def statistics_prune():
    """Row groups that cannot match are not read, by their ratings and days."""
    game = '[Event "x"]\n[Date "{}.01.01"]\n[WhiteElo "{}"]\n\n1. e4 *\n\n'
    text = "".join(game.format(1900 + at // 500, 1000 + at // 20) for at in range(40_000))
    games = packed("ratings.pgn", text)
    groups = connection.execute(
        "SELECT row_group_id, stats_min_value, stats_max_value, stats_null_count "
        f"FROM parquet_metadata('{games}') WHERE path_in_schema = 'WhiteElo' ORDER BY 1"
    ).fetchall()
    assert [group[1:] for group in groups] == [
        ("1000", "1819", 0),
        ("1819", "2638", 0),
        ("2638", "2999", 0),
    ], groups
    for condition, scanned in [
        ("WhiteElo > 2990", "Row Groups Scanned: 1 / 3"),
        ("played_on >= DATE '1979-01-01'", "Row Groups Scanned: 1 / 3"),
        ("moves.plies > 1", "Empty Result"),
    ]:
        query = f"EXPLAIN ANALYZE SELECT count(*) FROM '{games}' WHERE {condition}"
        plan = one(query)[1]
        assert scanned in plan, plan


def copies_are_packed_files():
    """Some rows written by other tools form a packed file; its records are restored to the byte."""
    text = pathlib.Path("championship.pgn").read_text()
    records = re.findall(r"\[Event .*?(?=\[Event |\Z)", text, re.S)
    won = "".join(record for record in records if '[Result "1-0"]' in record)
    games = packed("championship.pgn", text)
    won_rows = pl.scan_parquet(games).filter(pl.col("Result") == "1-0")
    connection.execute(f"COPY (FROM '{games}' WHERE Result = '1-0') TO 'duckdb.parquet'")
    options = "(FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 2048)"
    connection.execute(f"COPY (FROM '{games}' WHERE Result = '1-0') TO 'zstd.parquet' {options}")
    won_rows.sink_parquet("sink.parquet")
    won_rows.collect().write_parquet("write.parquet")
    won_rows.collect().write_parquet("snappy.parquet", compression="snappy", row_group_size=50)
    arrow = pyarrow.parquet.read_table(games, filters=[("Result", "=", "1-0")])
    pyarrow.parquet.write_table(arrow, "arrow.parquet")
    for copy in ["duckdb", "zstd", "sink", "write", "snappy", "arrow"]:
        copy += ".parquet"
        assert unpacked(copy) == won, copy
        said = shell(f"plypack verify {copy}")
        assert f"a part of what was packed: {won.count('[Event ')} of {len(records)}" in said, said
        assert f"{won.count('[Event ')} " in shell(f"plypack ls {copy}"), copy


def positions_open_too():
    """Files of positions can be copied: by whole blocks, or any rows if each has its own code."""
    line = "8/8/8/4k3/8/4K3/8/7R w - - {} 40\n"
    text = "".join(line.format(at) for at in range(60)) + "# no position\n"
    blocks = packed("blocks.epd", text)
    connection.execute(f"COPY (FROM '{blocks}') TO 'all.parquet'")
    assert unpacked("all.parquet") == text
    connection.execute(f"COPY (FROM '{blocks}' LIMIT 60) TO 'some.parquet'")
    refused = subprocess.run(["plypack", "unpack", "-c", "some.parquet"], capture_output=True)
    assert refused.returncode == 1 and b"coded together with neighbouring rows" in refused.stderr
    positions = packed("positions.epd", text, "--codec", "board.aligned")
    assert one(f"SELECT count(*), count(DISTINCT position) FROM '{positions}'")[0] == 61
    code = pl.Struct({"codec": pl.String, "code": pl.Binary})
    frame = pl.read_parquet(positions)
    assert frame.height == 61 and frame.schema["position"] == code, frame.schema
    connection.execute(f"COPY (FROM '{positions}' LIMIT 60) TO 'some.parquet'")
    assert unpacked("some.parquet") == text.rpartition("#")[0]
    frame.head(60).write_parquet("some.parquet")
    assert unpacked("some.parquet") == text.rpartition("#")[0]


def main():
    text = document.read_text()
    os.environ["PATH"] = f"{plypack.parent}{os.pathsep}{os.environ['PATH']}"
    with tempfile.TemporaryDirectory() as folder:
        for sample in samples.glob("*.pgn"):
            shutil.copy(sample, folder)
        os.chdir(folder)
        followed = follow(text)
        for check in [
            types_are_those_of_tags,
            files_of_other_columns_are_one_table,
            pages_have_checksums,
            statistics_prune,
            copies_are_packed_files,
            positions_open_too,
        ]:
            check()
            print(f"{check.__name__}: {check.__doc__}")
        os.chdir(document.parent)
    if followed == text:
        print(f"{document.name}: all output is as shown")
    elif os.environ.get("PLYPACK_BLESS") == "1":
        document.write_text(followed)
        print(f"{document.name}: rewritten")
    else:
        lines = [text.splitlines(True), followed.splitlines(True)]
        sys.stdout.writelines(difflib.unified_diff(*lines, "shown", "found"))
        sys.exit(f"{document.name} differs from the output; PLYPACK_BLESS=1 rewrites it")


main()
