"""Workloads in records: programs by their parameters, others by their messages."""

import json

import pytest
from jsonschema import Draft202012Validator

from isoplane.models import InputError
from isoplane.models.workloads import WORKLOADS, npb, pipeline, stencil, tree_all_reduce
from isoplane.runs.records import workload_from, workload_json
from isoplane.runs.records.schemas import schema
from tests.cases import for_each

SMALL = {
    "npb": {"benchmark": "dt", "problem_class": "S", "processes": 5, "graph": "BH"},
    "stencil": {"shape": (2, 2)},
    "pipeline": {"forward_us": 0.5, "schedule": "gpipe"},
}


@for_each("kind", sorted(WORKLOADS))
def test_a_workload_is_read_back_from_its_record(kind):
    parameters = SMALL.get(kind, {"processes": 8})
    work = WORKLOADS[kind](**parameters)
    data = json.loads(json.dumps(workload_json(work)))
    Draft202012Validator({"$ref": "#/$defs/workload", "$defs": schema()["$defs"]}).validate(data)
    again = workload_from(data)
    assert (again, hash(again)) == (work, hash(work))
    messages, expected = again.message_list(), work.message_list()
    for column in ("source", "destination", "length_bytes", "delay_ps", "dependency_start", "dependency"):
        assert (getattr(messages, column) == getattr(expected, column)).all()


def test_a_program_takes_little_room_in_a_record_and_a_shortened_one_is_not_recorded():
    for work in (npb("cg", "D", 1024), pipeline(64, 512), tree_all_reduce(1024)):
        assert len(json.dumps(workload_json(work))) < 300
    with pytest.raises(InputError, match="lengths divided by 2; expected the whole workload"):
        workload_json(npb("cg", "S", 4).scaled(2))
    assert workload_json(stencil((2, 2), 8).scaled(2))["length_bytes"] == [4] * 8
