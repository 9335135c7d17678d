"""Results of all kinds: what they show, draw and save, and what they say they lack."""

import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import ClassVar

import pytest

import isoplane as ip
from isoplane.face.charts import drawn
from isoplane.face.panels import BARS
from isoplane.face.result import TEXTS
from isoplane.models.families.multi_plane import MultiPlane
from isoplane.models.families.torus import Torus
from isoplane.runs.cli.main import main
from tests.cases import for_each

from .calls import CIRCUITS, QUICK, SMALL

WITHOUT_PAGE = ("sizes", "designs")  # kinds whose designs have a page each
STATED_APART = ("design", "figure")  # kinds whose tables for people have other columns than their rows


@pytest.fixture(scope="module")
def comparison():
    return ip.compare(**SMALL)


MADE = {
    "design": lambda: ip.evaluate(network="hypercube", n=3, generators=[3, 5, 7]),
    "design without a site": lambda: ip.evaluate(network="torus", shape=[3, 3], layout=None),
    "circuits": lambda: ip.find(**CIRCUITS, stop={"evaluations": 100}).front,
    "front": lambda: ip.find(network="hypercube", n=3, objective="front", stop={"evaluations": 500}).front,
    "sizes": lambda: ip.find(nodes=16, ports=9, network="hypercube", stop={"evaluations": 500}).front,
    "sizes without a site": lambda: ip.find(nodes=16, ports=9, layout=None, stop={"evaluations": 500}).front,
    "designs": lambda: ip.evaluate([Torus(shape=(4, 3)), MADE["design"]()]),
    "simulation": lambda: ip.simulate(Torus(shape=(3, 3)), **QUICK),
    "simulation of circuits": lambda: ip.simulate(**CIRCUITS, shorten=1000),
    "figure": lambda: ip.reproduce("shimizu/fig7", sizes=[8]),
}


RESULTS = [cache(make) for make in MADE.values()]


@for_each("make", [*RESULTS, None])
def test_results_show_draw_and_save_themselves(tmp_path, blank_charts, comparison, make):
    result = comparison if make is None else make()
    html = result._repr_html_()
    assert (html.count("<img"), html.count("<table")) == (1, len(result.tables) or 1)
    assert all(f'<th scope="col">{name}' in html for name in result.shown if result.kind not in STATED_APART)
    assert len(repr(result).splitlines()) == 1
    assert max(map(len, str(result).removesuffix("\n".join(result.notes)).splitlines())) <= 100
    endings = [ending for ending in (*TEXTS, ".svg") if ending != ".html" or result.kind not in WITHOUT_PAGE]
    for ending in endings:
        assert result.save(tmp_path / f"a{ending}").stat().st_size > 20
    assert len(result.to_frame(list)) >= len(result.shown) - 1


SAID = ("kind", "title", "shown", "status", "notes", "baseline", "score", "bound", "gap", "bound_source")


@for_each("make", [*RESULTS, None])
def test_a_saved_result_is_loaded_as_it_was(tmp_path, blank_charts, comparison, make):
    result = comparison if make is None else make()
    loaded = ip.load(result.save(tmp_path / "a.json"))
    assert loaded.rows == result.rows
    assert loaded.to_dict() == result.to_dict()
    assert [getattr(loaded, name) for name in SAID] == [getattr(result, name) for name in SAID]
    assert (repr(loaded), str(loaded)) == (repr(result), str(result))
    assert [design.rows for design in loaded] == [design.rows for design in result]
    assert loaded.design == result.design
    assert ip.load(loaded.save(tmp_path / "b.json")).rows == result.rows
    if result.kind == "figure":
        with pytest.raises(ip.InputError, match=r"^plot: a saved figure has numbers only; expected the folder that"):
            loaded.plot()
    else:
        assert len(loaded.plot().axes) == len(result.plot().axes)
    if result.kind in ("simulation", "comparison", "figure", *WITHOUT_PAGE):
        own = "each design has a page of its own"
        said = own if result.kind in WITHOUT_PAGE else f"the page of a {result.kind} is written where it is computed"
        with pytest.raises(ip.InputError, match=f"^path: {said}"):
            loaded.save(tmp_path / "a.html")
    else:
        assert loaded.save(tmp_path / "a.html").stat().st_size > 20


def test_the_folder_of_a_comparison_is_loaded_with_its_designs_and_its_page(tmp_path, monkeypatch, comparison):
    monkeypatch.chdir(tmp_path)
    words = [f"{key}={str(value).replace(chr(39), '')}" for key, value in SMALL.items()]
    assert main(["compare", *words, "workers=1", "hydra.run.dir=run"]) == 0
    loaded = ip.load("run")
    assert [{**row, "record": ""} for row in loaded.rows] == comparison.rows
    assert [row["record"] for row in ip.load("run/comparison.json").rows] == [row["record"] for row in loaded.rows]
    assert [design.rows for design in loaded] == [design.rows for design in comparison]
    assert loaded.save("a.html").read_bytes() == Path("run/report.html").read_bytes()
    Path("run/comparison.json").write_text('{"request": {}, "rows": [{}]}', encoding="utf-8")
    with pytest.raises(ip.InputError, match="^path=run/comparison.json: damaged "):
        ip.load("run")


def test_a_family_that_the_program_has_defined_is_read_again_like_others(tmp_path):
    @dataclass(frozen=True)
    class Ternary(Torus):
        name: ClassVar[str] = "ternary"

    result = ip.evaluate(Ternary(shape=(3, 3)))
    page, record = result.save(tmp_path / "ternary.html"), result.save(tmp_path / "ternary.json")
    assert "ternary" in page.read_text(encoding="utf-8")
    assert ip.verify(result) == ip.verify(record) == ()
    assert ip.load(record).design == result.design
    assert ip.verify(ip.evaluate(MultiPlane(plane=Ternary(shape=(3, 3), node_cable_m=1), planes=2))) == ()


def test_pictures_have_the_size_asked_for_and_fonts_that_publishers_accept(tmp_path):
    design = ip.evaluate(network="torus", shape=[3, 3])
    assert tuple(design.plot(figsize=(3.5, 2)).get_size_inches()) == (3.5, 2)
    pdf = design.save(tmp_path / "a.pdf").read_bytes()
    assert b"/Type3" not in pdf
    assert b"/CIDFontType2" in pdf
    with pytest.raises(ip.InputError, match=r"figsize=\(3, 0\): expected width and height in inches, above 0"):
        design.plot(figsize=(3, 0))


def test_pictures_have_the_title_and_the_axes_asked_for(comparison):
    figure = comparison.plot(title="Small", metrics=("aspl", "delay_ns"))
    (axes,) = figure.axes
    assert (figure.get_suptitle(), axes.get_ylabel().replace("\n", " ")) == (
        "Small",
        "Mean delay over the real routes (ns)",
    )
    assert [line.get_ydata()[0] for line in axes.lines] == [row["delay_ns"] for row in comparison.rows]
    with pytest.raises(ip.InputError, match=r"^metrics=\('aspl', 'loops'\): expected two of planes, .*delay_ns"):
        comparison.plot(metrics=("aspl", "loops"))


def test_a_front_is_one_line_beside_the_baseline_by_any_two_numbers():
    front = RESULTS[list(MADE).index("front")]()
    (axes,) = front.plot(metrics=("cost_usd_per_node", "delay_ns")).axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["front", "identical planes"]
    points = sorted((row["cost_usd_per_node"], row["delay_ns"]) for row in front.rows)
    assert [(x, y) for x, y in zip(*axes.lines[0].get_data(), strict=True)] == points
    assert [line.get_linestyle() for line in axes.lines] == ["-", "None"]


@for_each("metrics", [None, ("aspl", "delay_ns")])
def test_pictures_of_a_comparison_name_its_designs(comparison, metrics):
    figure = comparison.plot(metrics=metrics)
    legends = [*figure.legends, *(axes.get_legend() for axes in figure.axes)]
    names = {text.get_text() for legend in legends if legend is not None for text in legend.get_texts()}
    assert names == {row["design"] for row in comparison.rows}


@for_each("form", ["o", BARS])
def test_a_short_legend_and_the_title_of_an_axis_lie_over_nothing_that_is_drawn(form):
    names = ("this design", "identical planes", "fat tree, 1 plane: of 16-port switches, 1x8 cables per pair")
    series = tuple((name, (1, 2, 3), (3, 3, 3), form) for name in names)
    title = "all-to-all maximum traffic of a switch (link capacities per switch)"
    figure = drawn([("", title, series)] * 2)
    figure.canvas.draw()
    for axes in figure.axes:
        legend = axes.get_legend().get_window_extent()
        assert axes.bbox.y1 <= legend.y0
        assert figure.bbox.x0 <= legend.x0 <= legend.x1 <= figure.bbox.x1
        assert legend.y1 <= figure.bbox.y1
        label = axes.yaxis.label.get_window_extent()
        assert figure.bbox.y0 <= label.y0 <= label.y1 <= figure.bbox.y1


def test_a_long_legend_has_room_in_its_picture():
    series = tuple((f"design {number}", [number], [number], "o") for number in range(40))
    figure = drawn([("price", "delay", series)])
    figure.draw_without_rendering()
    (legend,) = figure.legends
    assert figure.bbox.y0 <= legend.get_window_extent().y0


def test_a_figure_that_was_written_is_drawn_from_its_picture(tmp_path):
    written = ip.reproduce("shimizu/fig7", tmp_path / "figure", sizes=[8])
    loaded = ip.load(tmp_path / "figure")
    inches = [list(figure.plot().get_size_inches()) for figure in (written, loaded)]
    assert inches[0] == pytest.approx(inches[1], rel=0.1)
    assert loaded.save(tmp_path / "a.svg").read_bytes().count(b"<image") == 1
    with pytest.raises(ip.InputError, match="figures of papers are drawn by matplotlib; expected matplotlib"):
        loaded.plot("plotly")
    (tmp_path / "figure" / "fig7.png").unlink()
    with pytest.raises(
        ip.InputError, match=r"^plot: no picture in .*fig7\.png; expected what isoplane reproduce wrote"
    ):
        loaded.save(tmp_path / "b.svg")


def test_rows_begin_with_the_name_of_their_design(tmp_path):
    design = ip.evaluate(network="torus", shape=[3, 3])
    assert next(iter(design.to_frame(dict).items())) == ("design", ["torus 3x3"])
    assert design.save(tmp_path / "a.csv").read_text(encoding="utf-8").startswith("design,aspl,")
    search = ip.find(network="hypercube", n=3, objective="aspl", stop={"evaluations": 100})
    assert search.to_frame(dict) == search.front.to_frame(dict)


def test_several_designs_are_the_rows_of_one_table_by_names_of_their_own(tmp_path):
    same = [Torus(shape=(4, 3)), Torus(shape=(4, 3)), Torus(shape=(3, 3))]
    found = ip.evaluate(same, subject_to="aspl <= 1.5")
    assert [row["design"] for row in found.rows] == ["torus 4x3 (1)", "torus 4x3 (2)", "torus 3x3"]
    assert [each.rows[0]["aspl"] for each in found] == found.to_frame(dict)["aspl"] == [5 / 3, 5 / 3, 4 / 3]
    assert found.to_frame(dict)["aspl <= 1.5"] == [False, False, True]
    names = "The designs have", "torus 4x3 (1), torus 4x3 (2): network.ties", "all: Cables between switches are assumed"
    assert all(note.startswith(start) for note, start in zip(found.notes, names, strict=True))
    named = ip.evaluate({"wide": same[0], "square": ip.evaluate(same[2])})
    text = named.save(tmp_path / "a.tex", columns=["design", "aspl"]).read_text(encoding="utf-8")
    assert "design & ASPL \\\\\n & (hops) \\\\\n" in text
    assert [line.split(" & ")[0] for line in text.splitlines()[5:7]] == ["wide", "square"]
    with pytest.raises(ip.InputError, match="^design: no designs; expected one or more"):
        ip.evaluate([])


def test_numbers_of_a_comparison_have_the_units_of_its_columns(tmp_path, comparison):
    text = comparison.save(tmp_path / "a.tex", columns=["aspl", "throughput", "delay_ns"]).read_text(encoding="utf-8")
    heads = zip(*(line.removesuffix(r" \\").split(" & ") for line in text.splitlines()[2:6]), strict=True)
    assert [*map(" ".join, heads)] == ["ASPL (hops)  ", "throughput (of the rate of a node)", "delay (ns)  "]


def test_results_name_what_they_lack(tmp_path, comparison):
    design = ip.evaluate(network="hypercube", n=3, generators=[3, 5, 7])
    assert "<td>aspl</td><td>1</td><td>1.5</td><td>-33.33 %</td><td>hops</td>" in design._repr_html_()
    assert str(design).splitlines()[3].split() == ["aspl", "1", "1.5", "-33.33", "%", "hops"]
    left_out = "throughput_requested, diameter, aspl, longest_cable_m, spare_ports, cost_usd, cables, cost_usd_per_gbps"
    assert f"(8 more columns: {left_out}; .to_frame() has all)" in " ".join(str(comparison).split())
    with pytest.raises(ip.InputError, match=r"path=a\.txt: expected a name that ends with \.json, "):
        design.save("a.txt")
    with pytest.raises(ip.InputError, match="loops: no number of this design; expected design, aspl, "):
        design["loops"]


def test_a_missing_library_is_named_with_the_command_that_installs_it(monkeypatch):
    design = ip.evaluate(network="torus", shape=[3, 3])
    for name in ("pandas", "polars", "plotly"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ip.InputError, match="pandas and polars are not installed; available after pip install pandas"):
        design.to_frame()
    with pytest.raises(ip.InputError, match="polars is not installed; available after pip install polars"):
        design.to_frame("polars")
    with pytest.raises(ip.InputError, match=r"make='arrow': expected pandas, polars, or what makes a frame"):
        design.to_frame("arrow")
    with pytest.raises(ip.InputError, match="plotly: is not installed; available after pip install plotly"):
        design.plot("plotly")


def test_designs_in_memory_are_existing_designs_as_their_records_are(tmp_path):
    result = ip.evaluate(Torus(shape=(3, 3), nodes_per_switch=2, node_cable_m=2))
    made = [result.save(tmp_path / "torus.json"), result, result.design, result.design.network.family]
    rows = ip.compare(existing=made, nodes=16, ports=6, families=["full_mesh"], failures="none", throughput=0.5).rows
    old = [row for row in rows if row["existing"]]
    assert [row["existing"] for row in old] == [str(made[0]), "design", "design 2", "design 3"]
    numbers = [{name: value for name, value in row.items() if name not in ("design", "existing")} for row in old]
    assert numbers == numbers[:1] * 4
    with pytest.raises(ip.InputError, match="^existing=old: nodes=18; expected at least nodes=30"):
        ip.compare(existing={"old": result}, nodes=30, ports=6)
    with pytest.raises(ip.InputError, match="expected a result, a design"):
        ip.compare(existing=3, nodes=16, ports=6)


def test_a_function_of_metrics_is_a_number_of_a_design_that_is_given():
    cube = ip.evaluate(
        network="hypercube", n=3, generators=[3, 5, 7], objective=lambda metrics: 2 * metrics["max_load"]
    )
    (name,) = (name for name in cube.rows[0] if ":" in name)
    loads = cube["max_load"], cube.baseline[1]["max_load"]
    assert (cube[name], cube.baseline[1][name]) == (2 * loads[0], 2 * loads[1])
    with pytest.raises(ip.InputError, match=r"^objective=delay: not minimised here; expected words, such as 'min d"):
        ip.evaluate(network="torus", objective="delay")


def test_an_objective_in_words_is_a_number_of_each_clause_and_whether_limits_are_met():
    words = {"objective": "min 2*aspl, then max_load", "subject_to": "aspl <= 1, cost_usd_per_node <= 1931"}
    cube = ip.evaluate(network="hypercube", n=3, generators=[3, 5, 7], **words)
    names = ("min 2*aspl", "min max_load", "aspl <= 1", "cost_usd_per_node <= 1931")
    assert [cube[name] for name in names] == [2 * cube["aspl"], cube["max_load"], True, False]
    identical = cube.baseline[1]
    assert [identical[name] for name in names] == [2 * identical["aspl"], identical["max_load"], False, True]
    torus = ip.evaluate(network="torus", subject_to=" longest_cable_m <=3 ")
    assert list(torus.rows[0])[-1:] == ["longest_cable_m <=3"]
    assert any(note.startswith("longest_cable_m: cables are assumed 1 m each") for note in torus.notes)


@for_each(
    ("torus", "key"),
    [
        (Torus(shape=(4, 3)), "network.ties"),
        (MultiPlane(plane=Torus(shape=(4,), node_cable_m=2)), "network.plane.ties"),
        (Torus(shape=(4, 3), ties="parity"), None),
        (Torus(shape=(4, 3), datelines=False, routing="up_down"), None),
        (Torus(shape=(3, 2)), None),  # no packet is halfway round, or there is only one way
    ],
)
def test_a_torus_says_once_that_packets_halfway_round_its_rings_all_go_one_way(torus, key):
    start = f"{key}=positive: packets halfway round a ring all go one way; {key}=parity"
    assert [note.startswith(start) for note in ip.evaluate(torus).notes] == ([True] if key else [])
