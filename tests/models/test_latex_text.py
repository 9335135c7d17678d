"""Heads of tables in LaTeX: names of metrics in words."""

from isoplane.models.files.latex_text import NARROWEST_HEAD, latex_head, latex_head_lines
from isoplane.objectives import METRIC_TABLE
from isoplane.runs.terminal.design_table import units_of
from isoplane.runs.terminal.table import Table


def test_names_of_metrics_are_different_words_with_the_units_of_the_metrics():
    words = {latex_head(name, with_units=False) for name in METRIC_TABLE}
    assert len(words) == len(METRIC_TABLE)
    assert "_" not in "".join(words)
    heads = Table(list(METRIC_TABLE), [], (), units_of(METRIC_TABLE)).heads
    for head, metric in zip(heads, METRIC_TABLE.values(), strict=True):
        unit = f" ({latex_head(metric.unit)})" if metric.unit else ""
        assert latex_head(head) == latex_head(metric.name, with_units=False) + unit


def test_names_of_options_and_functions_stay_and_missing_and_negative_numbers_have_their_signs():
    names = ["network.nodes_per_switch", "chordal:reach_2[1]", "throughput_per_node >= 0.5"]
    lines = Table(names, [["-", "-1.5", "x-1"]]).latex().splitlines()
    assert lines[2:5] == [
        r"network.nodes\_per\_switch & chordal:reach\_2{[}1{]} & throughput \\",
        r" &  & per node \\",
        r" &  & $\geq$ 0.5 \\",
    ]
    assert lines[6] == r"-- & $-$1.5 & x-1 \\"


def test_heads_have_lines_hardly_wider_than_the_cells_and_units_begin_one():
    for metric in METRIC_TABLE.values():
        head = Table([metric.name], [], (), units_of([metric.name])).heads[0]
        for width in (1, 16):
            lines = latex_head_lines(head, width)
            assert " ".join(lines) == latex_head(head)
            assert all(len(line) <= max(width, NARROWEST_HEAD) or " " not in line for line in lines)
            assert (
                sum("(" in line for line in lines)
                == sum(line.startswith("(") for line in lines)
                == (" (" in latex_head(head))
            )
