"""The positions of the slider of the longest cable, if none are given."""

from types import SimpleNamespace

from isoplane.runs.comparison.interactive.sliders import sliders_of, with_cables_of
from isoplane.runs.comparison.request import request_of
from isoplane.runs.config.config_values import plain
from tests.cases import for_each
from tests.runs.cli.conftest import composed_config


@for_each(
    ("words", "longest_m", "limits_m"),
    [
        ((), (3, 10, 4, 20), [None, 20, 15, 10, 5, 4]),  # the lower one of two medians
        ((), (30,), [None, 30]),
        ((), (), [None]),
        (("cable_m=12",), (10, 4, 4), [None, 12, 10, 5, 4]),
        (("cable_m=10",), (10,), [None, 10]),
        (("page.cable_m=[null,50]",), (10, 4), [None, 50]),
        (("page.cable_m=[50]", "cable_m=20"), (10, 4), [50, 20]),
    ],
)
def test_longest_cables_are_those_of_the_catalogue_that_designs_need_and_any(words, longest_m, limits_m):
    config = plain(composed_config("compare", "nodes=24", "ports=8", "page=interactive", *words))
    request = request_of(config)
    rows = [SimpleNamespace(design="one", values={"longest_cable_m": length}) for length in longest_m]
    rows.append(SimpleNamespace(design=None, values={}))
    requests, limits = with_cables_of(sliders_of(config, request), request, rows)
    assert limits == tuple(None if each is None else 1000 * each for each in limits_m)
    assert {each.cable_mm for each in requests} == {None}
