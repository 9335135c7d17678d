import copy
import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from isoplane.models import Design, InputError, Network, family_named
from isoplane.models.families.torus import Torus
from isoplane.objectives import default_objective, metrics_in
from isoplane.runs.records import check_schema, metric_schema, network_of, provenance, record_of, schema, verify
from isoplane.runs.records.metric_schema import generated_parts, replace_parts
from isoplane.runs.records.schemas import FILES
from tests.cases import for_each

from .samples import OBJECTIVE, ORIGIN, networks, sample


def objects(data, path=()):
    """Yield the path of every object in a record."""
    if isinstance(data, dict):
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data):
        if isinstance(value, dict | list):
            yield from objects(value, (*path, key))


def value_at(record, path):
    for key in path:
        record = record[key]
    return record


PATHS = [path for path in objects(sample()) if path[:2] != ("provenance", "config")]
KEYS = [(*path, key) for path in PATHS for key in value_at(sample(), path) if path != ("provenance", "versions")]


def test_the_schema_is_a_valid_json_schema():
    Draft202012Validator.check_schema(schema())


@given(networks(5))
def test_every_record_that_we_write_conforms_to_the_schema(network):
    check_schema(sample(network, OBJECTIVE if network.site.layout else OBJECTIVE.without_layout()))


DEFAULTS = [
    *("dragonfly", "fat_tree", "full_mesh", "hyperx", "leaf_spine", "megafly", "multi_plane", "oft", "polar_fly"),
    *("random_regular", "slim_fly", "torus", "xgft", "xpander"),
]


@for_each("name", DEFAULTS)
def test_a_record_of_a_family_conforms_to_the_schema_and_has_its_network(name):
    design = Design(Network(family_named(name)()))
    objective = default_objective(design)
    record = record_of(design, objective(design), objective=objective.name, status="feasible", provenance=ORIGIN)
    assert network_of(check_schema(json.loads(json.dumps(record)))) == design.network


@for_each("path", PATHS)
def test_an_extra_key_is_rejected_in_every_object(path):
    record = copy.deepcopy(sample())
    value_at(record, path)["surprise"] = 1
    with pytest.raises(InputError, match="surprise"):
        check_schema(record)


@for_each("path", KEYS)
def test_a_missing_key_is_rejected_in_every_object(path):
    record = copy.deepcopy(sample())
    del value_at(record, path[:-1])[path[-1]]
    with pytest.raises(InputError, match=str(path[-1])):
        check_schema(record)


@for_each(
    ("field", "value", "message"),
    [
        ("schema", 3, "schema=3: expected 1, 2"),
        ("schema", True, "schema=True: expected 1, 2"),
        ("id", "abc", "id: 'abc' does not match"),
        ("network", None, "network: None is not of type 'object'"),
        ("network.n", 17, "network.n: 17 is greater than the maximum of 16"),
        ("circuits", [], "'workload' is a required property"),
        ("score", [1, 2], "score has 2, score_names has 3, bound has 3 entries; expected the same length"),
        ("score", [1.0, 2, 3], "score[0]: 1.0 is not of type 'integer'"),
        ("provenance.seed", "x" * 1000, "provenance.seed: 'xxx"),
    ],
)
def test_a_wrong_value_is_named_in_one_line(field, value, message):
    record = copy.deepcopy(sample())
    path = field.split(".")
    value_at(record, path[:-1])[path[-1]] = value
    with pytest.raises(InputError, match=re.escape(message)) as caught:
        check_schema(record)
    assert len(str(caught.value).splitlines()) == 1
    assert len(str(caught.value)) < 300


@for_each("foreign", [None, [1], {"nodes": 3}])
def test_foreign_data_is_distinguished_from_a_damaged_record(foreign):
    with pytest.raises(InputError, match="not a record"):
        check_schema(foreign)


SCHEMAS = Path(metric_schema.__file__).parent


@for_each("version", FILES)
def test_the_committed_schema_is_not_stale(version):
    text = (SCHEMAS / FILES[version]).read_text(encoding="utf-8")
    assert replace_parts(text, generated_parts(version)) == text, "run: make schemas"


keys = st.text(max_size=5)
values = st.recursive(
    st.integers() | keys | st.none(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=3),
    max_leaves=8,
)
schemas = st.dictionaries(keys, st.dictionaries(keys, values, min_size=1, max_size=3), min_size=1, max_size=3)


@given(schemas, values, st.data())
def test_rewriting_changes_one_value_and_keeps_the_others(schema, value, data):
    outer = data.draw(st.sampled_from(sorted(schema)))
    inner = data.draw(st.sampled_from(sorted(schema[outer])))
    found = json.loads(replace_parts(json.dumps(schema, indent=1), {(outer, inner): value}))
    assert found == {**schema, outer: {**schema[outer], inner: value}}


def test_a_record_may_lack_optional_metrics_but_no_others(monkeypatch):
    design = Design(Network(Torus(shape=(4, 4))))
    record = record_of(
        design,
        default_objective(design)(design),
        objective="aspl_and_traffic",
        status="feasible",
        provenance=provenance(1, "none", {}),
    )
    assert verify(record) == []
    metric, _ = metrics_in("switches")["diameter"]
    older = {**record, "metrics": {name: value for name, value in record["metrics"].items() if name != "diameter"}}
    monkeypatch.setattr("isoplane.runs.records.verification.check_schema", lambda _: None)
    assert [difference.field for difference in verify(older)] == ["metrics.diameter"]
    object.__setattr__(metric, "optional", True)
    try:
        assert verify(older) == []
    finally:
        object.__setattr__(metric, "optional", False)
