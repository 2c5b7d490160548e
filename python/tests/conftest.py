"""Packed samples for all tests."""

import pathlib

import plypack
import pytest

SAMPLES = pathlib.Path(__file__).resolve().parents[2] / "samples"


@pytest.fixture(scope="session")
def samples():
    return SAMPLES


@pytest.fixture(scope="session")
def packed(tmp_path_factory):
    """The sample of 567 games, packed, with an index."""
    path = tmp_path_factory.mktemp("packed") / "championship.parquet"
    plypack.pack(SAMPLES / "championship.pgn", path)
    return path


@pytest.fixture(scope="session")
def games(packed):
    return plypack.open(packed)


@pytest.fixture
def pack(tmp_path):
    """Packs a text and opens it."""

    def pack(text, name="a.parquet", **options):
        plypack.pack(text.encode(), tmp_path / name, **options)
        return plypack.open(tmp_path / name)

    return pack
