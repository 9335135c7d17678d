"""How a hybrid design is described, and what it is compared with."""

import pytest

from isoplane.models import Circuits, Placement
from isoplane.models.workloads import dense
from isoplane.runs.report.designs import evaluated
from isoplane.runs.report.page import key_figures, sentence
from isoplane.runs.report.report_data import ReportData
from isoplane.runs.report.sections.comparison import comparison, notes, untimed
from tests.cases import for_each

from .cases import cells, facts_of
from .hybrid_cases import CIRCUITS, HYBRID, WORK, data, record

SUMMARY = {"evaluations": 1234, "seconds": 2.5, "stopped_by": "seconds"}
SWAPPED = Placement((1, 0, 2, 3, 4, 5, 7, 6))


def test_the_table_has_the_packet_network_alone_and_the_rules_of_the_paper():
    case = data(placement=SWAPPED)
    assert comparison(case)[0] == (
        "This design",
        "Packets only, same placement",
        "Packets only, by switch",
        "Round robin, by switch (SP)",
        "Round robin, by communication (CP)",
    )
    assert [value for value, _ in cells(case, "Circuits")] == ["2", "0", "0", "2", "2"]
    assert [change for _, change in cells(case, "Circuits")] == [""] * 5


def test_without_circuits_the_design_is_its_own_baseline_and_rules_only_place_processes():
    case = data(circuits=Circuits())
    assert comparison(case)[0][:2] == ("This design", "Packets only, by switch")
    assert case.baseline.design == case.design.design
    assert "“Packets only, by switch (SP)” is the same as “Packets only, by switch”." in notes(case)
    assert sentence(case).startswith("No circuits between 2 groups of 4 nodes: stencil takes ")


def test_the_sentence_compares_completion_with_packets_alone():
    # In each of 2 iterations a node in the middle sends 3 messages of 1 ms each: 6 ms by packets, plus 2 * 1,340 ns.
    # With a circuit for each column only 2 of them go over its link: 4 ms, plus 2 * 460 ns.
    columns = Circuits(((0, 4), (1, 5), (2, 6), (3, 7)))
    assert sentence(data(circuits=columns)) == (
        "4 circuits between 2 groups of 4 nodes: stencil takes 4.0009 ms instead of 6.0027 ms (−33.35 %) by packets "
        "alone"
    )
    assert sentence(data(circuits=Circuits(((0, 4),)))).startswith("1 circuit between ")
    assert sentence(data(placement=SWAPPED)).endswith("if also placed by switch")


def test_the_facts_state_how_many_circuits_were_allowed_and_how_many_processes_moved():
    found = facts_of(ReportData(record(placement=SWAPPED), summary=SUMMARY))
    assert found["Circuits"] == "2 of 3 allowed"
    assert found["Placement"] == "4 processes moved from their by-switch nodes, 0 of them to other groups"
    assert found["Workload"] == "stencil: 20 messages, 25 MB, 2 times"
    assert (found["Evaluations"], found["Time"]) == ("1,234", "2.5 s")
    assert facts_of(data())["Placement"] == "by switch: process i on node i"
    assert facts_of(data(allowed=None))["Circuits"] == "2 of 4 allowed"  # 8 ports, two for each


def test_a_record_with_wrong_numbers_is_detected():
    changed = record()
    changed["metrics"] = changed["metrics"] | {"completion_ns": 7, "circuits": 3}
    assert ReportData(changed).disagreements() == ["circuits", "completion_ns"]
    rounded = record()
    rounded["metrics"] = rounded["metrics"] | {"total_ns": rounded["metrics"]["total_ns"] + 1}
    assert ReportData(rounded).disagreements() == []


@for_each("work", [WORK, dense(8, 10_000)])
def test_if_completions_take_too_long_to_compute_all_other_numbers_are_the_same(monkeypatch, work):
    timed = data(HYBRID, work, CIRCUITS)
    exact = timed.design.metrics
    monkeypatch.setattr(evaluated, "MAX_WORK", 0)
    case = data(HYBRID, work, CIRCUITS)
    assert case.design.metrics == pytest.approx(exact, abs=1)  # the completion is that of the record
    assert not case.disagreements()
    for other, known in zip(case.compared, timed.compared, strict=True):
        assert other.metrics["completion_ns"] is None
        assert other.metrics["bottleneck_ns"] == pytest.approx(known.metrics["bottleneck_ns"], abs=1)
        assert other.metrics["mean_hops"] == known.metrics["mean_hops"]
    assert untimed(case) in notes(case)
    assert "Completions that the record does not hold are left out" in untimed(case)
    described = {key: value for key, value in case.record.items() if key != "metrics"}
    stated = (
        f"Completions are left out, as they take too long to compute for a page: {work.messages * work.iterations:,} "
    )
    assert untimed(ReportData(described)).startswith(stated)
    assert "keeps the busiest link busy for" in sentence(case)
    assert key_figures(case)[0].values["before"] == ("–", "", "")
