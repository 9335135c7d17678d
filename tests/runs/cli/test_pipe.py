"""A program whose output nobody reads any more ends without a word."""

import os
import subprocess

import pytest

from isoplane.runs.records import read_record, verify

from .conftest import PROGRAM

NETWORK = ("network.n=3", "network.generators=[3,5,7]")


@pytest.fixture
def closed_pipe():
    """The end to write to of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [((), ""), (("best",), ""), (("best",), "1"), (("evaluate", *NETWORK), ""), (("evaluate", "--help"), "")],
)
def test_a_reader_that_went_away_is_no_error(tmp_path, closed_pipe, words, unbuffered):
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    ended = subprocess.run(
        [PROGRAM, *words], cwd=tmp_path, env=environment, stdout=closed_pipe, stderr=subprocess.PIPE, check=False
    )
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_a_search_whose_progress_nobody_reads_ends_and_keeps_what_it_found(tmp_path, closed_pipe):
    words = ("search", "network.n=9", "stop.seconds=100", "hydra.run.dir=run")
    ended = subprocess.run([PROGRAM, *words], cwd=tmp_path, stdout=closed_pipe, stderr=closed_pipe, check=False)
    assert ended.returncode == 141
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert verify(read_record(record)) == []
