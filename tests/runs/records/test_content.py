import hashlib
import json
import random
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from isoplane.models import (
    ConnectionSet,
    Cube,
    Design,
    InputError,
    Layout,
    Network,
    cube_planes,
    dual_cube,
    port_aggregate,
)
from isoplane.models.mathematics import gf2
from isoplane.models.workloads import WORKLOADS, npb, pipeline, stencil, tree_all_reduce
from isoplane.objectives import Evaluation
from isoplane.objectives.bounds import BoundSource
from isoplane.runs.records import (
    class_id_of,
    design_content,
    design_of_record,
    id_of,
    network_of,
    record_of,
    verify,
    workload_from,
    workload_json,
)
from isoplane.runs.records.schemas import schema
from tests.cases import for_each
from tests.strategies import bases_up_to, permute_coordinates

from .samples import OBJECTIVE, ORIGIN, SOURCE, network_of_dimension_5, networks, sample


def shuffled(data, rng):
    """The same JSON with the keys of every object in another order."""
    if isinstance(data, dict):
        items = [(key, shuffled(value, rng)) for key, value in data.items()]
        rng.shuffle(items)
        return dict(items)
    return [shuffled(value, rng) for value in data] if isinstance(data, list) else data


@given(networks(6))
def test_a_network_survives_a_round_trip_through_json(network):
    assert network_of(json.loads(json.dumps(design_content(Design(network))))) == network


@given(networks(4), st.integers())
def test_the_id_does_not_depend_on_the_order_of_keys(network, seed):
    content = design_content(Design(network))
    assert id_of(shuffled(content, random.Random(seed))) == id_of(content)


def test_the_id_is_the_documented_hash():
    record = sample(network_of_dimension_5(layout=Layout(name="上")))
    keys = ("network", "nodes_per_switch", "layout", "prices", "switch", "circuits", "placement")
    text = json.dumps({k: record[k] for k in keys}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert '"上"' in text
    assert record["id"] == hashlib.sha256(text.encode()).hexdigest()


@given(bases_up_to(7), st.booleans(), st.randoms(use_true_random=False))
def test_permuting_generators_or_coordinates_or_swapping_planes_keeps_the_class(connections, folded, rng):
    n, order = connections.n, list(range(connections.n))
    rng.shuffle(order)
    generators = list(connections.generators)
    rng.shuffle(generators)
    # Seen from plane 1, the generators of plane 0 are the columns of the inverse matrix.
    swapped = gf2.coordinates_of_units(connections.generators)
    equivalent = [tuple(generators), permute_coordinates(connections, order).generators, swapped]
    own = class_id_of(dual_cube(n, connections.generators, folded))
    assert {class_id_of(dual_cube(n, other, folded, layout=None)) for other in equivalent} == {own}


def test_classes_distinguish_families_dimensions_and_connection_sets():
    identical = (1, 2, 4, 8)
    different = [
        dual_cube(4, identical),
        dual_cube(4, identical, folded=True),
        dual_cube(4, (3, 5, 9, 14)),
        dual_cube(5, (*identical, 16)),
        Network(cube_planes((Cube(ConnectionSet.unit(4)),))),
    ]
    assert len({class_id_of(network) for network in different}) == len(different)


@for_each(
    ("change", "message"),
    [
        (
            lambda planes: planes[1]["generators"].reverse(),
            "[1].generators=[30, 29, 19, 11, 7]: expected the ascending",
        ),
        (lambda planes: planes[1].update(generators=[1, 2, 4, 8]), "4 generators; expected 5 independent generators"),
        (lambda planes: planes.reverse(), "plane 0 is [7, 11, 19, 29, 30]; expected the unit basis"),
    ],
)
def test_planes_that_no_record_may_contain_are_rejected(change, message):
    content = design_content(Design(network_of_dimension_5()))
    change(content["network"]["planes"])
    with pytest.raises(InputError, match=re.escape(message)):
        network_of(content)


def test_ports_of_nodes_in_a_plane_are_in_a_record_if_there_are_several():
    design = Design(port_aggregate(network_of_dimension_5()))
    record = sample(design.network, OBJECTIVE)
    assert (record["schema"], record["network"]["ports_per_node"]) == (1, 2)
    assert design_of_record(record) == design
    assert verify(record) == []
    assert "ports_per_node" not in design_content(Design(network_of_dimension_5()))["network"]


def test_a_record_has_the_documented_fields_in_order():
    assert list(sample()) == [
        *("schema", "id", "class_id", "network", "nodes_per_switch", "layout", "prices", "switch", "circuits"),
        *("placement", "metrics", "objective", "score", "score_names", "bound", "status", "provenance"),
    ]


def test_optional_fields_are_left_out_if_not_given_and_otherwise_in_order():
    design = Design(network_of_dimension_5())
    source = BoundSource("enumeration", file="enumeration-hypercube-n5.json", sha256="0" * 64)
    arguments = {"objective": "everything", "status": "feasible", "provenance": ORIGIN}
    plain = record_of(design, OBJECTIVE(design), **arguments)
    more = record_of(design, OBJECTIVE(design), **arguments, bound_source=source, complete_front=True)
    assert list(more)[-5:] == ["bound", "bound_source", "status", "front", "provenance"]
    assert (more["bound_source"], more["front"]) == (SOURCE, "complete")
    assert {key: more[key] for key in plain} == plain
    assert set(more) - set(plain) == {"bound_source", "front"}
    assert plain["id"] == more["id"]


@for_each("bound", [(None, None, None), (0, None, None), ("score", 0, None), (None, "score", None)])
def test_nothing_is_called_optimal_without_a_bound_that_proves_it(bound):
    design = Design(network_of_dimension_5())
    evaluation = OBJECTIVE(design)
    stated = tuple(part if low == "score" else low for low, part in zip(bound, evaluation.score, strict=True))
    evaluation = Evaluation(evaluation.score, evaluation.score_names, stated, evaluation.metrics)
    with pytest.raises(ValueError, match="does not prove"):
        record_of(design, evaluation, objective="everything", status="optimal", provenance=ORIGIN)


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
