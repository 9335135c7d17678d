import copy
import json
import math

import pytest
from hypothesis import given, settings

from isoplane.models import InputError, dual_cube
from isoplane.objectives import _native
from isoplane.objectives.bounds import stored_enumeration
from isoplane.runs.records import Difference, best_folder, class_id_of, id_of, read_record, verify
from isoplane.runs.records.site import layout_json
from tests.cases import for_each

from .samples import LAYOUT, OBJECTIVE, PRICES, SOURCE, SWITCH, network_of_dimension_5, networks, sample

CONTENT = ("network", "nodes_per_switch", "layout", "prices", "switch")


def numbers(data, path=""):
    """Yield the path of every number, the object or list that holds it, and its key there."""
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        here = f"{path}[{key}]" if isinstance(data, list) else f"{path}.{key}".removeprefix(".")
        if isinstance(value, dict | list):
            yield from numbers(value, here)
        elif isinstance(value, int | float) and not isinstance(value, bool):
            yield here, data, key


def odd_network(folded=False):
    return dual_cube(4, (3, 5, 9, 14), folded, layout=LAYOUT, prices=PRICES, switch=SWITCH, nodes_per_switch=3)


@given(networks(7))
@settings(max_examples=60)
def test_the_reference_confirms_the_kernels_to_the_last_bit_after_a_round_trip(network):
    record = sample(network, OBJECTIVE if network.site.layout else OBJECTIVE.without_layout())
    assert verify(json.loads(json.dumps(record))) == []


def test_verification_does_not_use_the_kernels(monkeypatch):
    record = sample()

    def refuse(*_):
        raise AssertionError("a kernel was called")

    monkeypatch.setattr(_native, "evaluate", refuse)
    assert verify(record) == []


def reported_fields(record, path):
    """The fields that verify reports; or the path, if the schema rejects the record in a message that names it."""
    try:
        return {difference.field for difference in verify(record)}
    except InputError as error:
        # The message about a repeated generator names the list.
        places = (f"{path}: ", f"{path.rpartition('[')[0] or path}: ")
        return {path, "id"} if str(error).startswith(places) else set()


@for_each("network", [dual_cube(3, (1, 3, 6)), odd_network(folded=True)])
def test_every_altered_number_is_detected_and_named(network):
    record = sample(network, optimal=True)
    tampered = 0
    for path, holder, key in numbers(record):
        if path == "schema" or path.startswith("provenance"):  # stated, not recomputed
            continue
        right = holder[key]
        # The smallest possible changes, one unit or the last bit of a float, and a large one of a float.
        for wrong in (right - 1, right + 1) if isinstance(right, int) else (math.nextafter(right, 0), right * 2):
            holder[key] = wrong
            # Content is protected by its hash; a number computed from it is reported itself.
            assert ("id" if path.startswith(CONTENT) else path) in reported_fields(record, path)
            tampered += 1
        holder[key] = right
    assert tampered > 60
    assert verify(record) == []


def test_a_metric_that_the_reference_does_not_compute_is_a_difference(monkeypatch):
    record = sample()
    for name in record["metrics"]:
        others = {other: value for other, value in record["metrics"].items() if other != name}
        monkeypatch.setattr("isoplane.runs.records.verification.reference_metrics", lambda _, others=others: others)
        assert [difference.field for difference in verify(record)] == [f"metrics.{name}"]


def test_a_wrong_hash_another_order_of_generators_or_planes_and_another_name_of_a_score_are_named():
    for field in ("id", "class_id"):
        assert [difference.field for difference in verify(sample() | {field: "0" * 64})] == [field]
    record = altered(lambda r: r["network"]["planes"][1]["generators"].reverse())
    right = [7, 11, 19, 29, 30]
    assert verify(record) == [Difference("network.planes[1].generators", right[::-1], right)]
    found = verify(altered(lambda r: r["network"]["planes"].reverse()))
    assert found[0] == Difference("network.planes[0].generators", right, [1, 2, 4, 8, 16])
    assert found[-1].field == "network"
    record = sample()
    record["score_names"] = ["sum_of_distances", *record["score_names"][1:]]
    assert verify(record) == [Difference("score[0]", record["score"][0], record["metrics"]["sum_of_distances"])]
    assert str(Difference("metrics.delay_ns", 1.5, None)) == "metrics.delay_ns: recorded 1.5, recomputed null"


@for_each("label", ["cost", "cost subject to max_load <= 4", "delay"])
def test_another_name_of_the_objective_than_that_of_the_search_is_named(label):
    with best_folder() as folder:
        record = read_record(next(folder.glob("hypercube-n4-aspl-*.json")))
    assert verify(record) == []
    (found, *_) = verify(record | {"objective": label})
    assert found == Difference("objective", label.partition(" subject to ")[0], "aspl")


def test_a_family_that_is_unknown_here_is_an_error_not_a_difference():
    with pytest.raises(InputError, match=r"'absent': expected .*entry point isoplane\.families"):
        verify(altered(lambda record: record["network"].update(family="absent")))


def altered(change):
    """A record whose content was changed, with the id of the new content."""
    record = copy.deepcopy(sample())
    change(record)
    return record | {"id": id_of(record)}


def test_another_basis_with_its_own_hashes_differs_in_every_number_that_depends_on_it():
    record = altered(lambda r: r["network"]["planes"][1].update(generators=[1, 2, 4, 8, 16]))
    record["class_id"] = class_id_of(dual_cube(5, (1, 2, 4, 8, 16)))
    assert [difference.field for difference in verify(record)] == [
        *("metrics.aspl", "metrics.sum_of_distances", "metrics.max_load", "metrics.max_traffic"),
        *("metrics.cable_length_m", "metrics.delay_ns", "metrics.delay_paper_ns", "metrics.cost_usd_per_node"),
        *("score[0]", "score[1]", "score[2]"),
    ]


@for_each(
    ("change", "message"),
    [
        (lambda r: r["network"]["planes"][1].update(generators=[1, 2, 3, 8, 16]), "not a basis, since 3 = 1 ^ 2"),
        (lambda r: r["network"].update(n=4), "generator=16: expected an integer from 1 to 15"),
        (lambda r: r["layout"].update(aspects=[3]), "layout.aspects=[3]: none fits 8 racks"),
        (lambda r: r["prices"].update(cables_usd=[{"length_m": 2, "price_usd": 1}]), "the longest in prices"),
        (lambda r: r["prices"].update(cables_usd=[{"length_m": 9, "price_usd": 1}] * 2), "length_m=9 occurs twice"),
    ],
)
def test_content_that_defines_no_network_is_reported_with_the_reason(change, message):
    difference = verify(altered(change))[-1]
    assert difference.field == "network"
    assert message in difference.recomputed


def test_numbers_that_need_a_layout_are_null_without_one():
    record = altered(lambda r: r.update(layout=None))
    assert [(difference.field, difference.recomputed) for difference in verify(record)] == [
        *((f"metrics.{name}", None) for name in ("cable_length_m", "delay_ns", "delay_paper_ns", "cost_usd_per_node")),
        *(("score[1]", None), ("score[2]", None)),
    ]


def test_a_layout_added_to_a_record_requires_numbers_that_are_missing():
    record = sample(network_of_dimension_5(layout=None), OBJECTIVE.without_layout())
    record["layout"] = layout_json(LAYOUT)
    fields = [difference.field for difference in verify(record)]
    assert fields == [
        "id",
        *(f"metrics.{m}" for m in ("cable_length_m", "delay_ns", "delay_paper_ns", "cost_usd_per_node")),
    ]


def test_a_bound_above_the_score_is_named():
    record = sample(optimal=True)
    best = record["score"][0]
    assert verify(record | {"bound": [best, None, None]}) == []
    assert verify(record | {"bound": [best + 1, None, None]}) == [Difference("bound[0]", best + 1, f"at most {best}")]


def test_the_status_optimal_without_a_bound_that_proves_it_is_named():
    record = sample(optimal=True)
    score = record["score"]
    assert verify(record | {"bound": [score[0], None, None]}) == []
    assert [d.field for d in verify(record | {"bound": [None, *score[1:]]})] == ["status"]
    assert [d.field for d in verify(record | {"bound": [score[0] - 1, None, None]})] == ["bound[0]"]
    assert [d.field for d in verify(record | {"bound": [score[0], score[1] - 1, None]})] == ["bound[1]"]


def test_a_named_enumeration_must_exist_with_the_stated_hash_for_the_same_network():
    record, source = sample(dual_cube(9, tuple(1 << k for k in range(9)))), stored_enumeration(9, False).content
    assert verify(record | {"bound_source": source}) == []
    source_of_dimension_8 = stored_enumeration(8, False).content
    assert verify(record | {"bound_source": source_of_dimension_8}) == [
        Difference("bound_source.file", source_of_dimension_8["file"], source["file"])
    ]
    changed = source | {"sha256": "0" * 64}
    assert verify(record | {"bound_source": changed}) == [Difference("bound_source.sha256", "0" * 64, source["sha256"])]
    assert verify(sample() | {"bound_source": SOURCE}) == [Difference("bound_source.file", SOURCE["file"], None)]
