"""The examples of classes and functions, and that everything public has one."""

import doctest
import inspect
import pathlib

import plypack
import pyarrow
import pytest
from plypack import functions, training

PARSER = doctest.DocTestParser()
GAME = b"1. e4 { [%clk 0:01:00] } e5 { solid } (1... c5) 2. Nf3 *"


def documented():
    """The public functions and methods."""
    for module in (plypack, functions, training):
        for name in module.__all__:
            item = getattr(module, name)
            if inspect.isbuiltin(item) or inspect.isfunction(item):
                yield pytest.param(item, id=f"{module.__name__}.{name}")
    yield pytest.param(training.Positions, id="Positions")
    yield pytest.param(training.Positions.resume, id="Positions.resume")
    for kind in (plypack.File, plypack.Game, plypack.Table):
        for name, item in vars(kind).items():
            if not name.startswith("_") and inspect.ismethoddescriptor(item):
                yield pytest.param(item, id=f"{kind.__name__}.{name}")


@pytest.mark.parametrize("item", list(documented()))
def test_examples_of_items(item, games, tmp_path, request):
    plypack.pack(GAME, tmp_path / "game.parquet")
    known = {
        "plypack": plypack,
        "pyarrow": pyarrow,
        "functions": functions,
        "leela_index": training.leela_index,
        "games": games,
        "game": plypack.open(tmp_path / "game.parquet")[0],
        "moves": pyarrow.table(games.scan(columns=["moves"]))["moves"],
        "tmp_path": tmp_path,
        "getfixture": request.getfixturevalue,
        "Positions": training.Positions,
    }
    test = PARSER.get_doctest(item.__doc__, known, item.__name__, None, 0)
    assert test.examples
    runner = doctest.DocTestRunner()
    assert runner.run(test).failed == 0


def test_everything_is_declared_and_documented():
    declared = pathlib.Path(plypack.__file__).with_name("__init__.pyi").read_text()
    for name in plypack.__all__:
        ways = [f"def {name}(", f"class {name}:", f"class {name}(", f"\n{name}:"]
        assert any(way in declared for way in ways), name
        assert name == "__version__" or getattr(plypack, name).__doc__, name
    for kind in (plypack.File, plypack.Game, plypack.Step, plypack.Found, plypack.Tree):
        for name, item in vars(kind).items():
            if not name.startswith("_"):
                assert f"def {name}(" in declared or f"{name}:" in declared, name
                assert item.__doc__, name
