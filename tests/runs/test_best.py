"""The best known designs that the package ships: complete, and every number recomputed."""

from importlib import resources
from itertools import product
from pathlib import Path

import pytest

from isoplane.runs.records import file_name, read_record, verify

BEST = Path(str(resources.files("isoplane.runs") / "best"))
FAMILIES = ("hypercube", "folded_hypercube")
OBJECTIVES = ("aspl", "aspl_and_traffic", "delay", "delay_and_traffic", "delay_paper_and_traffic")


def test_there_is_a_record_for_every_family_dimension_and_objective():
    records = [read_record(path) for path in BEST.glob("*.json")]
    found = [(record["network"]["family"], record["network"]["n"], record["objective"]) for record in records]
    assert sorted(found) == sorted(product(FAMILIES, range(3, 13), OBJECTIVES))


@pytest.mark.parametrize("path", sorted(BEST.glob("*.json")), ids=lambda path: path.stem)
def test_a_best_record_verifies(path):
    record = read_record(path)
    assert verify(record) == []
    assert path.name == file_name(record)
