"""Tables for polars, which is needed by this module alone."""

from plypack import _files


def scan(games, *, where=None, columns=None):
    """Returns a polars `LazyFrame` of packed files: what `plypack.open` takes, or an open `File`.

    Columns that a query does not need are not read. Its conditions are met before other columns are
    read: of each row group first the columns that the conditions name, then the others, of the rows
    that meet them.
    """
    import polars as pl
    from polars.io.plugins import register_io_source

    file = games if isinstance(games, _files.File) else _files.open(games)
    whole = file.scan(where=where, columns=columns)
    schema = pl.DataFrame(whole._empty()).schema

    def read(with_columns, predicate, n_rows, batch_size):
        names = whole.columns if with_columns is None else with_columns
        table = file.scan(where=where, columns=names)
        # A table that is filtered already cannot be asked for rows by their places.
        needed = [] if predicate is None or where is not None else predicate.meta.root_names()
        first = file.scan(columns=needed) if needed else None
        others = [] if predicate is None else predicate.meta.root_names()
        others = [name for name in others if name not in names]
        everything = file.scan(where=where, columns=[*names, *others])
        left = n_rows
        for group in range(table._groups()):
            if left is not None and left <= 0:
                return
            if first is None:
                frame = pl.DataFrame(everything._read(group))
                if predicate is not None:
                    frame = frame.filter(predicate)
                frame = frame.select(names)
            else:
                mask = pl.DataFrame(first._read(group)).select(predicate).to_series()
                mask = mask.fill_null(False)
                if not mask.any():
                    continue
                frame = pl.DataFrame(table._read(group, mask.to_list()))
            if left is not None:
                frame = frame.head(left)
                left -= frame.height
            yield frame

    return register_io_source(read, schema=schema)
