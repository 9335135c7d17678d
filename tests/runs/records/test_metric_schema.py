"""The parts of the schemas that are generated from the table of metrics."""

import json
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from isoplane.models import Design, Network
from isoplane.models.families.torus import Torus
from isoplane.objectives import default_objective, metrics_in
from isoplane.runs.records import metric_schema, provenance, record_of, verify
from isoplane.runs.records.metric_schema import generated_parts, replace_parts
from isoplane.runs.records.schemas import FILES
from tests.cases import for_each

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
