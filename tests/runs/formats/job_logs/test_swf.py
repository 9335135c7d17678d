"""The Standard Workload Format: what is read, what is left out, what is refused; and what is written is read again."""

import gzip

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from isoplane.runs.inputs.job_logs import JobLog, read_job_log, swf_lines
from tests.cases import for_each, require_refusal

# Job number, submit time, wait, run time, allocated processors, CPU time, memory, requested processors, time and
# memory, status, user, group, program, queue, partition, preceding job, think time.
LOG = """\
;  Version: 2.2
; Computer: a cluster, of 8 processors a node: fast
;Note: the first
; Note: the second
; no key at all

1 0 12 3600 16 3512.25 -1 16 7200 -1 1 1 1 -1 0 -1 -1 -1
2 10 -1 -1 -1 -1 -1 8 7200 -1 5 1 1 -1 0 -1 -1 -1
3 20 0 7200 -1 -1 -1 9 7200 -1 0 1 1 -1 0 -1 -1 -1
 4\t30 5 1800 64 -1 -1 64 7200 -1 1 1 1 -1 0 -1 -1 -1
; a comment between jobs
4 30 5 900 64 -1 -1 64 7200 -1 2 1 1 -1 0 -1 -1 -1
4 -1 9 900 64 -1 -1 64 7200 -1 3 1 1 -1 0 -1 -1 -1
5 40 0 100 0 -1 -1 -1 -1 -1 1 1 1 -1 0 -1 -1 -1
6 50 0 -1 32 -1 -1 32 -1 -1 -1 1 1 -1 0 -1 -1 -1
7 60 0 60 4 -1 -1 4 -1 -1 5 1 1 -1 0 -1 -1 -1
"""
LINES = LOG.splitlines()
FIRST_JOB = 6  # its position among the lines


@pytest.fixture
def read(tmp_path):
    """Read a text as a log."""

    def read(text, **options):
        (tmp_path / "machine.swf").write_text(text, encoding="utf-8")
        return read_job_log(tmp_path / "machine.swf", **options)

    return read


def test_the_five_columns_and_the_header_are_read(read):
    log = read(LOG)
    assert log.name == "machine"
    assert log.header == {"Version": "2.2", "Computer": "a cluster, of 8 processors a node: fast", "Note": "the first"}
    assert log.submit_s.tolist() == [0, 10, 20, 30, 30, -1, 40, 50, 60]
    assert log.run_s.tolist() == [3600, -1, 7200, 1800, 900, 900, 100, -1, 60]
    assert log.allocated.tolist() == [16, -1, -1, 64, 64, 64, 0, 32, 4]
    assert log.requested.tolist() == [16, 8, 9, 64, 64, 64, -1, 32, 4]
    assert log.status.tolist() == [1, 5, 0, 1, 2, 3, 1, -1, 5]


def test_whole_jobs_that_ran_count_with_what_they_got_or_else_asked_for(read):
    log = read(LOG, node_processors=8)
    # Left out: job 2, cancelled before it ran; both parts of job 4; job 5, of unknown size. Job 7 ran before it ended.
    sizes, hours = log.sizes(in_nodes=False)
    assert sizes.tolist() == [16, 9, 64, 32, 4]
    assert hours.tolist() == pytest.approx([16 * 1, 9 * 2, 64 / 2, 0, 4 / 60])
    sizes, hours = log.sizes(in_nodes=True)
    assert sizes.tolist() == [2, 2, 8, 4, 1]
    assert hours.tolist() == pytest.approx([2 * 1, 2 * 2, 8 / 2, 0, 1 / 60])


def test_a_compressed_log_is_the_same(tmp_path, read):
    (tmp_path / "machine.swf.gz").write_bytes(gzip.compress(LOG.encode()))
    packed, log = read_job_log(tmp_path / "machine.swf.gz"), read(LOG)
    assert (packed.name, packed.header, packed.run_s.tolist()) == (log.name, log.header, log.run_s.tolist())


columns = st.integers(1, 8).flatmap(
    lambda jobs: st.tuples(*[st.lists(st.integers(-1, 1 << 40), min_size=jobs, max_size=jobs)] * 3)
)


@given(columns, st.integers(0, 2))
def test_what_is_written_is_read_again(tmp_path_factory, columns, status):
    submit_s, run_s, requested = map(np.array, columns)
    log = JobLog("any", submit_s, run_s, run_s * 0 + 5, requested, run_s * 0 + (status == 0), {"MaxProcs": "7"})
    path = tmp_path_factory.mktemp("log") / "any.swf"
    path.write_text("".join(swf_lines(log)))
    again = read_job_log(path)
    for name in ("submit_s", "run_s", "allocated", "requested", "status"):
        assert np.array_equal(getattr(again, name), getattr(log, name))
    assert (again.name, again.header) == (log.name, log.header)


@for_each(
    ("field", "value", "problem"),
    [
        (4, "-16", "allocated processors -16; expected an integer from 0 to 1099511627776, or -1 if unknown"),
        (4, "1.5", "allocated processors 1.5; expected an integer from 0"),
        (7, "-2", "requested processors -2; expected"),
        (1, "1e300", "submit time 1e300; expected"),
        (3, "-7", "run time -7; expected"),
        (10, "6", "status 6; expected an integer from 0 to 5, or -1 if unknown"),
        (5, "many", "'many'; expected a number"),
        (5, "nan", "'nan'; expected a number"),
        (17, "1e999", "'1e999'; expected a number"),
        (17, "1_0", "'1_0'; expected a number"),
        (0, "", "17 fields; expected 18 numbers"),
        (0, "1 1", "19 fields; expected 18 numbers"),
        (0, "1 ;", "19 fields; expected 18 numbers"),
        (0, "\N{SUPERSCRIPT ONE}", "; expected a number"),
    ],
)
def test_a_broken_line_is_named_with_its_file_and_number(tmp_path, read, field, value, problem):
    # With 5,000 jobs before it, which are read in other pieces, and a second broken line behind it.
    words = LINES[FIRST_JOB].split()
    words[field] = value
    lines = [*LINES[:FIRST_JOB], *LINES[FIRST_JOB : FIRST_JOB + 1] * 5000, "", "; comment", " ".join(words), "broken"]
    text = "\n".join(lines)
    require_refusal(lambda: read(text), f"^jobs={tmp_path}/machine.swf, line {len(lines) - 1}: ")
    require_refusal(lambda: read(text), problem)


def test_all_lines_of_seventeen_numbers_are_broken(read):
    require_refusal(lambda: read("1 2 3 4 5 6 7 8 9 10 1 12 13 14 15 16 17\n" * 2), "line 1: 17 fields; expected 18")


@for_each(
    ("text", "problem"),
    [
        ("", "no jobs; expected a log in the Standard Workload Format$"),
        ("; MaxProcs: 8\n\n", "no jobs; expected"),
        (f"{LINES[FIRST_JOB + 1]}\n", "no job that ran on a known number of processors; expected"),
        (f"{LINES[FIRST_JOB - 1]}\x00\n", "line 1: 1 field; expected 18 numbers"),
    ],
)
def test_a_file_without_jobs_is_refused(read, text, problem):
    require_refusal(lambda: read(text), problem)


@for_each(
    ("name", "content", "problem"),
    [
        ("missing.swf", None, "No such file or directory; expected a log in the Standard Workload Format$"),
        ("/dev/zero", None, "not a regular file; expected"),
        ("broken.swf.gz", b"1 2 3", "not a whole gzip file; expected"),
    ],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path, name, content, problem):
    if content is not None:
        (tmp_path / name).write_bytes(content)
    require_refusal(lambda: read_job_log(tmp_path / name), problem)
    require_refusal(lambda: read_job_log(tmp_path / name), f"^jobs={tmp_path / name}: ")
