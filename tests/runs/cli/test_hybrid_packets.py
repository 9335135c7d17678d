"""The report of `isoplane simulate` of a hybrid network."""

import re
import shlex
from html import unescape

import pytest

from .test_hybrid import SEARCH, SMALL, WORK


def test_the_report_of_simulated_packets_has_both_completions_and_is_drawn_again(isoplane, tmp_path):
    words = (*SMALL, *WORK, "network.circuits=[[0,4]]")
    ended = isoplane("simulate", *words, "shorten=10", "hydra.run.dir=seen")
    assert (ended.code, ended.out.splitlines()[-1]) == (0, f"report: {tmp_path / 'seen' / 'report.html'}"), ended.err
    report = tmp_path / "seen" / "report.html"
    page = report.read_text()
    assert page.count('<section id="packets">') == 1
    assert "<dt>Objective</dt>" not in page
    command = shlex.split(unescape(re.search(r"isoplane (verify [^<]*)<", page)[1]))
    assert isoplane(*command).code == 0
    report.unlink()
    assert isoplane("report", "run=seen").code == 0
    assert report.read_text() == page


def test_the_report_of_a_record_that_was_simulated_is_about_that_record(isoplane, tmp_path):
    assert isoplane(*SEARCH, "strategy=matching").code == 0
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert isoplane("simulate", f"record={record}", "shorten=10", "hydra.run.dir=seen").code == 0
    assert (tmp_path / "seen" / "design.json").read_bytes() == record.read_bytes()
    assert "<dt>Objective</dt>" in (tmp_path / "seen" / "report.html").read_text()


@pytest.mark.parametrize("text", ["{", "[]", "{}", '{"id": "0"}'])
def test_a_damaged_design_that_was_simulated_is_refused_by_name(isoplane, tmp_path, text):
    (tmp_path / "seen").mkdir()
    (tmp_path / "seen" / "design.json").write_text(text)
    ended = isoplane("report", "run=seen")
    assert (ended.code, len(ended.err.splitlines())) == (2, 1)
    assert "design=seen/design.json: damaged" in ended.err
