import copy
import re

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from isoplane.models import InputError
from isoplane.runs.records import check_schema, schema
from tests.cases import for_each

from .samples import OBJECTIVE, networks, sample


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
