"""The report that `isoplane simulate` writes for a hybrid network."""

import re
import shlex
from html import unescape

from tests.cases import for_each

from .test_hybrid import SEARCH, SMALL, WORK


def test_the_report_of_simulated_packets_has_a_command_that_verifies_and_can_be_rewritten(isoplane, tmp_path):
    words = (*SMALL, *WORK, "network.circuits=[[0,4]]")
    result = isoplane("simulate", *words, "shorten=10", "hydra.run.dir=packets")
    assert (result.code, result.out.splitlines()[-1]) == (0, f"report: {tmp_path / 'packets' / 'report.html'}"), (
        result.err
    )
    report = tmp_path / "packets" / "report.html"
    page = report.read_text()
    assert page.count('<section id="packets">') == 1
    assert "<dt>Objective</dt>" not in page
    command = shlex.split(unescape(re.search(r"isoplane (verify [^<]*)<", page)[1]))
    assert isoplane(*command).code == 0
    report.unlink()
    assert isoplane("report", "run=packets").code == 0
    assert report.read_text() == page


def test_the_report_of_a_simulated_record_is_about_that_record(isoplane, tmp_path):
    assert isoplane(*SEARCH, "strategy=matching").code == 0
    (record,) = (tmp_path / "run" / "records").iterdir()
    assert isoplane("simulate", f"record={record}", "shorten=10", "hydra.run.dir=packets").code == 0
    assert (tmp_path / "packets" / "design.json").read_bytes() == record.read_bytes()
    assert "<dt>Objective</dt>" in (tmp_path / "packets" / "report.html").read_text()


@for_each("text", ["{", "[]", "{}", '{"id": "0"}'])
def test_a_damaged_file_of_the_simulated_design_is_named_in_the_error(isoplane, tmp_path, text):
    (tmp_path / "packets").mkdir(exist_ok=True)
    (tmp_path / "packets" / "design.json").write_text(text)
    result = isoplane("report", "run=packets")
    assert (result.code, len(result.err.splitlines())) == (2, 1)
    assert "design=packets/design.json: damaged" in result.err
