"""Lists of values of routing-table caches on the command line: variables of a search."""

import json
import re

from tests.cases import for_each

SEARCH = ("search", "network=hypercube", "network.n=3", "switch=hirasawa_1", "objective=delay")
AREAS = ("switch.cache.entries=[64,512]", "switch.cache.area_mm2=[0.1,0.2]", "switch.cache.hit_ns=[2,1]")
COMPONENTS = "objective.components=[[delay,cache_area],[lookup_power]]"


def test_a_search_chooses_a_cache_whose_record_is_verified(isoplane, no_drawing, tmp_path):
    powers = ("switch.cache.lookup_nj=[0.01,0.02]", "switch.cache.static_mw=[5,6]", "switch.cache.ways=[2,4]")
    run = isoplane(*SEARCH, *AREAS, *powers, COMPONENTS, f"hydra.run.dir={tmp_path}")
    assert run.code == 0
    assert "4 caches, of equal ones the first" in run.err
    assert "optimal over all linear relabellings of plane 1 and the 4 given caches" in run.out
    (record,) = (tmp_path / "records").iterdir()
    written = json.loads(record.read_text())
    assert (
        written["switch"]["cache"] | {"entries": 64, "ways": 2, "area_mm2": 0.1, "hit_ns": 2}
        == written["switch"]["cache"]
    )
    assert written["metrics"]["cache_area_mm2"] == 0.7  # seven ports
    assert isoplane("verify", f"record={record}").code == 0
    changed = written["switch"] | {"cache": written["switch"]["cache"] | {"area_mm2": 0.3}}
    record.write_text(json.dumps(written | {"switch": changed}))
    verified = isoplane("verify", f"record={record}")
    assert verified.code == 5
    assert "metrics.cache_area_mm2" in verified.out + verified.err


def test_a_search_beyond_the_entries_says_who_judges(isoplane, no_drawing, tmp_path):
    run = isoplane(*SEARCH, "switch.cache.entries=8", f"hydra.run.dir={tmp_path}")
    assert run.code == 0
    assert "caches of 8 entries miss some of the 31 destinations of a node: kernels propose designs" in run.err
    assert "proven optimal over all linear relabellings of plane 1; search complete" in run.out
    (record,) = (tmp_path / "records").iterdir()
    assert isoplane("verify", f"record={record}").code == 0


def test_limits_choose_a_smaller_cache_and_are_recorded(isoplane, no_drawing, tmp_path):
    run = isoplane(*SEARCH, *AREAS, "subject_to=cache_area_mm2 <= 0.7", f"hydra.run.dir={tmp_path}")
    assert run.code == 0
    assert "the 2 given caches" in run.out
    (record,) = (tmp_path / "records").iterdir()
    written = json.loads(record.read_text())
    assert written["switch"]["cache"]["entries"] == 64
    assert written["provenance"]["config"]["subject_to"] == "cache_area_mm2 <= 0.7"
    assert isoplane("verify", f"record={record}").code == 0


@for_each(
    ("words", "code", "message"),
    [
        (
            (*AREAS, "subject_to=cache_area_mm2 <= 0.6"),
            4,
            "no design meets all limits; the nearest misses cache_area_mm2 <= 0.6 (cache_area_mm2=0.7)",
        ),
        (
            ("switch.cache.entries=8", "subject_to=lookup_power_w <= 0.1"),
            4,
            "no design meets all limits; the nearest misses lookup_power_w <= 0.1",
        ),
        (("stop.gap=0.1", "subject_to=cache_area_mm2 <= 5"), 4, "cache_area_mm2 <= 5 (cache_area_mm2=5.11)"),
        (("subject_to=cost <= 3",), 4, "the nearest misses cost <= 3 (cost_usd_per_node="),
        (("subject_to={cost:3}",), 2, "subject_to={'cost': 3}: expected METRIC <= NUMBER"),
        (("subject_to=3",), 2, "subject_to=3: expected METRIC <= NUMBER or METRIC >= NUMBER"),
        (("subject_to=cots <= 3",), 2, "did you mean cost? unknown metric cots; expected aspl, "),
        (("subject_to=cache_area_mm2 <= x",), 2, "'cache_area_mm2 <= x'; expected METRIC <= NUMBER"),
        (("switch.cache=null", "subject_to=cache_area_mm2 <= 1"), 2, "metric cache_area_mm2: needs areas or powers"),
        (("switch.cache.area_mm2=null", "subject_to=cache_area_mm2 <= 1"), 2, "metric cache_area_mm2: needs areas or"),
    ],
)
def test_limits_that_nothing_meets_or_that_are_none(isoplane, no_drawing, tmp_path, words, code, message):
    folder = tmp_path / re.sub(r"\W", "", " ".join(words))
    run = isoplane(*SEARCH, *words, f"hydra.run.dir={folder}")
    assert run.code == code
    assert message in run.err


@for_each(
    ("words", "message"),
    [
        (("switch.cache.ways=[2,3]",), "switch.cache.ways=3: expected a divisor of switch.cache.entries=2048"),
        (("switch.cache.hash=[null,{width:16}]",), "switch.cache.hash=[...]: has keys of its own, which Hydra cannot"),
        (("+switch.cache.hash=[null]",), "a list is allowed, '~switch.cache.hash' '+switch.cache.hash=[...]'"),
        (
            ("~switch.cache.hash", "+switch.cache.hash=[null,{width:16,polynomial:70000}]"),
            "switch.cache.hash.polynomial=70000: expected an integer from 0 to 65535",
        ),
        (("switch.cache.entries=[64,128]", "switch.routing_ns=null"), "switch.routing_ns=null: expected the time of a"),
        (("switch.cache.ways=[]",), "switch.cache.ways=[]: expected values, or one without a list"),
        (("switch.cache.ways=[2,2]",), "switch.cache: 2 caches, 1 of them different; expected different ones"),
        (
            ("switch.cache.entries=[64,128,256]", "switch.cache.area_mm2=[0.1,0.2]"),
            "switch.cache.area_mm2=[0.1, 0.2]: 2 values; expected one for each of switch.cache.entries=[64, 128, 256]",
        ),
        (("strategy=exact", "switch.cache.entries=[8,64]"), "strategy=exact: caches of 8 entries miss some of the 31"),
    ],
)
def test_odd_lists_end_in_one_line(isoplane, tmp_path, words, message):
    refused = isoplane(*SEARCH, *words, f"hydra.run.dir={tmp_path}")
    assert refused.code == 2
    assert message in refused.err
