"""A program whose output nobody reads any more ends without a word."""

import os
import subprocess

import pytest

from isoplane.runs.records import read_record, verify

from .conftest import PROGRAM, files

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


def test_a_search_with_closed_standard_error_ends_and_keeps_its_result(tmp_path, closed_pipe):
    words = ("search", "network.n=9", "stop.seconds=100", "hydra.run.dir=run")
    ended = subprocess.run([PROGRAM, *words], cwd=tmp_path, stdout=closed_pipe, stderr=closed_pipe, check=False)
    assert ended.returncode == 141
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert verify(read_record(record)) == []


def closing(*descriptors):
    """What closes standard streams in a child before it begins, as `>&-` does."""
    return lambda: [os.close(descriptor) for descriptor in descriptors]


@pytest.mark.parametrize("closed", [(1,), (0, 1), (0, 1, 2)])
def test_a_search_with_closed_streams_writes_its_files_and_ends_without_a_word(tmp_path, closed):
    words = ("search", "network.n=3", "stop.evaluations=1000", "strategy=anneal")
    ended = subprocess.run(
        [PROGRAM, *words, "hydra.run.dir=run"], cwd=tmp_path, stderr=subprocess.PIPE, preexec_fn=closing(*closed)
    )
    assert ended.returncode == 141
    assert b"Traceback" not in ended.stderr
    assert [line for line in ended.stderr.splitlines() if b"evaluations" not in line] == []
    subprocess.run([PROGRAM, *words, "hydra.run.dir=open"], cwd=tmp_path, capture_output=True, check=True)
    run, other = tmp_path / "run", tmp_path / "open"
    assert files(run) == files(other)
    for name in files(run):  # nothing that was printed went into a file
        if (run / name).is_file() and name.startswith(("records", "checkpoint", "config")) and "clock" not in name:
            assert (run / name).read_bytes() == (other / name).read_bytes()


def test_closed_standard_output_acts_as_a_closed_pipe(tmp_path):
    ended = subprocess.run([PROGRAM, "best", "n=3"], cwd=tmp_path, stderr=subprocess.PIPE, preexec_fn=closing(1))
    assert (ended.returncode, ended.stderr) == (141, b"")


def test_without_standard_error_results_are_printed_and_errors_are_not(tmp_path):
    for words, code, begins in ((("best", "n=3"), 0, b"family"), (("best", "n=99"), 2, b"")):
        ended = subprocess.run([PROGRAM, *words], cwd=tmp_path, stdout=subprocess.PIPE, preexec_fn=closing(2))
        assert (ended.returncode, ended.stdout[:6]) == (code, begins)


def test_ascii_output_writes_signs_in_plain_letters(tmp_path):
    folder = tmp_path / "n\u00e4he"
    folder.mkdir()
    words = ("simulate", "network.n=2", "network.generators=identical", "measurement=rough", "loads=[0.2]",
             "saturation=false", f"hydra.run.dir='{folder}/run'")  # fmt: skip
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    ended = subprocess.run([PROGRAM, *words], cwd=tmp_path, env=environment, capture_output=True)
    assert ended.returncode == 0, ended.stderr
    assert b"Traceback" not in ended.stderr
    said = ended.stdout.decode("ascii")
    assert said.splitlines()[1].split()[:4] == ["offered", "accepted", "+-", "packet"]
    assert "n\\xe4he/run" in said
