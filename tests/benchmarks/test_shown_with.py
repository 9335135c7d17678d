"""Results in the libraries that users may have: data frames of pandas and polars, figures of Plotly."""

import sys

import pytest

import isoplane as ip


@pytest.fixture(scope="module")
def comparison():
    return ip.compare(nodes=16, ports=8, throughput=0.5, families=["full_mesh", "hyperx"], failures="none")


@pytest.mark.parametrize("name", ["pandas", "polars"])
def test_a_frame_has_the_rows(comparison, name, monkeypatch):
    library = pytest.importorskip(name)
    for other in {"pandas", "polars"} - {name}:
        monkeypatch.setitem(sys.modules, other, None)
    frame = comparison.to_frame()
    assert isinstance(frame, library.DataFrame)
    assert list(frame["cost_usd_per_node"]) == [row["cost_usd_per_node"] for row in comparison.rows]
    assert list(comparison.to_frame(library.DataFrame)["design"]) == list(frame["design"])


def test_a_figure_of_plotly_has_every_design(comparison):
    pytest.importorskip("plotly")
    figure = comparison.plot("plotly")
    drawn = [price for trace in figure.data[: len(figure.data) // 2] for price in trace.x]
    assert sorted(drawn) == sorted(row["cost_usd_per_node"] for row in comparison.rows)
    assert len(ip.evaluate(network="hypercube", n=3, generators=[3, 5, 7]).plot("plotly").data) == 3
