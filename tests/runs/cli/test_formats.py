"""`format=` of the verbs that print tables: every format is read back, and has the numbers of records; and `log=`."""

import csv
import json
import re
import subprocess
from io import StringIO
from itertools import pairwise

from isoplane.models.files.latex_text import latex_head
from isoplane.models.files.output_file import append_line
from isoplane.objectives import METRIC_TABLE
from isoplane.runs.cli.main import VERBS
from isoplane.runs.comparison.tables import all_columns
from isoplane.runs.folder.folder_lock import resume_command
from isoplane.runs.records import read_record
from isoplane.runs.terminal import log
from isoplane.runs.terminal.table import FORMATS, WIDTH, Table
from isoplane.runs.terminal.table_output import print_joined, print_table, tables_kept
from tests.cases import for_each
from tests.tools import HANG_S, require_tools

CUBE = ("network.n=3", "network.generators=[3,5,7]")
COMPARED = ("nodes=12", "ports=8", "families=[full_mesh,hyperx]", "throughput=0.5", "failures=none")
SIGNS = r"""a_b _c_ 5 % R&D x|y #1 $2 {z} ~ ^ \n <b> [1] *i* `code` &amp; "q", 'r' x² é"""
LATEX_WORDS = {
    r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^", r"\textbar{}": "|",
    r"\textless{}": "<", r"\textgreater{}": ">", r"\textsuperscript{2}": "²", "{[}": "[", "{]}": "]", "{*}": "*",
    "$-$": "-", "--": "-",
}  # fmt: skip


def read_csv(text):
    return list(csv.reader(StringIO(text)))


def read_latex(text):
    """Head, of several lines, and rows of a tabular; the braces, specification and rules are those of LaTeX."""
    words = "|".join(map(re.escape, LATEX_WORDS))
    begin, top, *lines, bottom, end = text.splitlines()
    rule = lines.index(r"\midrule")
    columns = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", begin)[1]
    assert (top, bottom, end) == (r"\toprule", r"\bottomrule", r"\end{tabular}")
    table = []
    for line in lines[:rule] + lines[rule + 1 :]:
        assert line.endswith(r" \\")
        cells = re.split(r"(?<!\\)&", re.sub(r"\\phantom\{[^}]*\}", "", line[:-3]))
        assert len(cells) == len(columns)
        plain = [re.sub(words + r"|\\([&%$#_{}])", lambda w: w[1] or LATEX_WORDS[w[0]], cell) for cell in cells]
        table.append([cell.strip() for cell in plain])
    return [[" ".join(filter(None, lines)) for lines in zip(*table[:rule], strict=True)], *table[rule:]]


def read_markdown(text):
    """Head and rows of a table of GitHub's Markdown."""
    head, rule, *rows = text.splitlines()
    assert re.fullmatch(r"\|((:--|--:)\|)+", rule)
    split = ([*re.split(r"(?<!\\)\|", line)][1:-1] for line in (head, *rows))
    return [[re.sub(r"\\(.)", r"\1", cell).replace("&amp;", "&").strip() for cell in row] for row in split]


READERS = {"csv": read_csv, "latex": read_latex, "markdown": read_markdown}


def read(isoplane, kind, *words, code=0):
    """The head and the rows of a table, or the objects of JSON, which are all of standard output."""
    result = isoplane(*words, f"format={kind}")
    assert result.code == code, result.err
    return json.loads(result.out) if kind == "json" else READERS[kind](result.out)


NAMES = {latex_head(name, with_units=False): name for name in METRIC_TABLE}  # of metrics, by their words in LaTeX


def named(head, row):
    """The cells of a row by names without units, numbers as numbers."""
    words = (name.partition(" (")[0] for name in head)
    return {NAMES.get(name, name): cell for name, cell in zip(words, row, strict=True)}


def agrees(text, value):
    """Whether a text for people is a number with six digits, or with the decimals that others of its column need."""
    if value is None or isinstance(value, int):
        return text == ("-" if value is None else str(value))
    return text in (f"{value:.6g}", f"{value:.{len(text.partition('.')[2])}f}") and len(text) >= len(f"{value:.6g}")


def test_all_signs_survive_in_every_format_and_units_are_in_heads():
    table = Table(["na_me", "load"], [[SIGNS, 0.5], ["[x]", 12]], (1,), ["", "parts"])
    assert read_csv(table.text("csv")) == [["na_me", "load (parts)"], [SIGNS, "0.5"], ["[x]", "12"]]
    assert json.loads(table.text("json")) == [{"na_me": SIGNS, "load": 0.5}, {"na_me": "[x]", "load": 12}]
    expected = [["na_me", "load (parts)"], [SIGNS, "0.5"], ["[x]", "12"]]
    assert read_markdown(table.text("markdown")) == expected
    assert read_latex(table.text("latex")) == [["na me", "load (parts)"], *expected[1:]]
    # Nothing after a line break is read as its argument, and points of numbers are below each other.
    assert r"{[}x{]} & 12\phantom{.5} \\" in table.text("latex")


# What booktabs, of a larger package, defines.
PAPER = r"""\documentclass{article}
\newcommand{\toprule}{\hline}\newcommand{\midrule}{\hline}\newcommand{\bottomrule}{\hline}
\begin{document}
%s
\end{document}
"""


def test_latex_compiles_the_tables_of_best_evaluate_and_reproduce(isoplane, tmp_path, blank_charts):
    program = require_tools("pdflatex")["pdflatex"]
    commands = [
        ("best", "n=8"),
        ("evaluate", *CUBE),
        ("reproduce", "experiment=shimizu/fig7", "sizes=[8]", "hydra.run.dir=figure"),
    ]
    tables = [Table(["na_me", "load"], [[SIGNS, 0.5], ["[x] 3 × µs · ±", 12]], (1,)).text("latex")]
    tables += [isoplane(*words, "format=latex").out for words in commands]
    assert [table.count(r"\begin{tabular}") for table in tables] == [1, 1, 1, 2]
    (tmp_path / "paper.tex").write_text(PAPER % "\n\n".join(tables), encoding="utf-8")
    words = [program, "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    result = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=HANG_S)
    assert result.returncode == 0, result.stdout[-2000:]


def test_a_table_that_is_wider_than_a_terminal_is_wrapped_cut_and_says_how_to_see_the_rest():
    words = "a text of several words, wrapped where the table is too wide"
    table = Table(["name", *(f"column {i}" for i in range(20))], [[words, *range(20)]], range(1, 21))
    lines = str(table).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert " ".join(line[:28].strip() for line in lines[2:5]) == words
    left_out = re.search(r"\((\d+) more columns: (.*); format=csv has all\)", " ".join(lines))
    assert left_out[2].split(", ") == [f"column {i}" for i in range(20 - int(left_out[1]), 20)]
    assert words in table.text("markdown")


@for_each("kind", ["csv", "json", "latex", "markdown"])
def test_best_has_the_metrics_of_its_records(isoplane, kind):
    words = ("best", "n=8", "family=hypercube")
    people = kind in ("latex", "markdown")
    head, *rows = read(isoplane, kind, *words) if kind != "json" else (None, *read(isoplane, kind, *words))
    cells = [named(head, row) if head else row for row in rows]
    assert len(cells) == 9
    assert not people or all({"proven", "within"} & set(row["status"].split()) for row in cells)
    from isoplane.runs.records import best_folder

    with best_folder() as folder:
        for row in cells:
            (path,) = folder.glob(f"hypercube-n8-{row['objective']}-*.json")
            record = read_record(path)
            shown = [name for name in record["metrics"] if name in row]
            assert people or shown == list(record["metrics"])
            for name in shown:
                value = record["metrics"][name]
                assert agrees(row[name], value) if people else float(row[name]) == value
            assert people or row["status"] == record["status"]
            assert people or row["id"] == record["id"]
    for name in head or ():
        metric = METRIC_TABLE.get(name.partition(" (")[0])
        assert metric is None or name.endswith((f" ({metric.unit})", "_ns", "_m", "_usd_per_node"))
        assert kind != "latex" or "_" not in name


@for_each("kind", ["csv", "json", "latex", "markdown"])
def test_evaluate_has_the_metrics_of_a_record_and_those_of_its_baseline(isoplane, kind, record):
    metrics = read_record(record)["metrics"]
    content = read(isoplane, kind, "evaluate", f"record={record}")
    names = ["delay_ns", "design", "aspl"]
    chosen = read(isoplane, kind, "evaluate", f"record={record}", f"columns=[{','.join(names)}]")
    rows = [list(row) for row in chosen] if kind == "json" else [[*named(chosen[0], chosen[0])], *chosen[1:]]
    assert (rows[0], len(rows)) == (names, 2 if kind == "json" else 3)
    if kind in ("latex", "markdown"):
        names = [NAMES[row[0]] if kind == "latex" else row[0] for row in content[1:]]
        assert names[: len(metrics)] == list(metrics)  # then those that the record lacks
        assert all(agrees(content[1 + i][1], metrics[name]) for i, name in enumerate(metrics))
        assert [row[-1] for row in content[1:]] == [METRIC_TABLE[name].unit for name in names]
        return
    rows = content if kind == "json" else [named(content[0], row) for row in content[1:]]
    assert {name: float(rows[0][name]) for name in metrics} == metrics
    assert float(rows[1]["max_load"]) == 4  # of identical planes


def test_verify_has_a_row_for_each_number_that_differs(isoplane, record):
    assert read(isoplane, "json", "verify", f"record={record}") == []
    data = read_record(record)
    data["metrics"]["max_load"] += 1
    record.write_text(json.dumps(data), encoding="utf-8")
    expected = {"field": "metrics.max_load", "recorded": 4, "recomputed": 3}
    assert read(isoplane, "json", "verify", f"record={record}", code=5) == [expected]
    for kind in READERS:
        head, row = read(isoplane, kind, "verify", f"record={record}", code=5)
        assert dict(zip(head, row, strict=True)) == {name: str(value) for name, value in expected.items()}


def test_compare_has_the_numbers_of_its_files_and_status_lines_are_on_standard_error(isoplane, no_drawing, tmp_path):
    result = isoplane("compare", *COMPARED, "format=csv", "hydra.run.dir=run")
    assert result.code == 0
    assert "report: " in result.err
    head, *rows = read_csv(result.out)
    written_head, *written = csv.reader((tmp_path / "run" / "comparison.csv").open(encoding="utf-8"))
    assert [name.partition(" (")[0] for name in head] == written_head
    relabelled = written_head.index("relabelled")
    for row, kept in zip(rows, written, strict=True):
        kept[relabelled] = str(bool(int(kept[relabelled]))).lower()
        assert row == kept
    head, *shown = read(isoplane, "markdown", "compare", *COMPARED, "hydra.run.dir=again")
    assert head[:3] == ["design", "least throughput (%)", "nodes"]
    columns = {column.key: column for column in all_columns()}
    values = [row["values"] for row in json.loads((tmp_path / "run" / "comparison.json").read_text())["rows"]]
    price = head.index("price (US$/node)")
    assert [row[price] for row in shown] == [
        columns["cost_usd_per_node"].text(row["cost_usd_per_node"]) for row in values
    ]
    # Chosen by titles or by heads of files; the folder of a complete comparison has them all.
    chosen = ["compare", "resume=run", "columns=[cost_usd_per_node,design,least throughput]"]
    head, *shown = read(isoplane, "latex", *chosen)
    assert head == ["price (US$/node)", "design", "least throughput (%)"]
    assert [row[0] for row in shown] == [columns["cost_usd_per_node"].text(row["cost_usd_per_node"]) for row in values]
    keys = ["cost_usd_per_node", "design", "least_throughput"]
    assert read_csv(isoplane(*chosen, "format=csv").out) == [
        keys,
        *([row[written_head.index(key)] for key in keys] for row in written),
    ]
    assert isoplane(*chosen).out.splitlines()[0].split() == ["price", "design", "least", "throughput"]


def test_reproduce_prints_the_numbers_of_the_figure(isoplane, tmp_path):
    words = ("reproduce", "experiment=shimizu/fig7", "sizes=[8]", "hydra.run.dir=run")
    rows = read(isoplane, "json", *words)
    (path,) = (file for file in (tmp_path / "run").glob("*.csv") if "-" not in file.stem)
    head, *written = read_csv(path.read_text(encoding="utf-8"))
    assert [list(row) for row in rows] == [head] * len(written)
    for row, cells in zip(rows, written, strict=True):
        values = [type(value)(cell) for value, cell in zip(row.values(), cells, strict=True)]
        assert values == list(row.values())
    assert {type(value) for value in rows[0].values()} == {str, int, float}


def test_a_format_that_does_not_exist_is_refused(isoplane):
    result = isoplane("best", "format=xlsx")
    assert (result.code, result.out) == (2, "")
    assert f"format=xlsx: expected {', '.join(FORMATS)}" in result.err


def test_a_log_has_what_the_terminal_says_with_times_and_is_no_part_of_the_config(isoplane, tmp_path, no_drawing):
    words = ("search", "network.n=3", "stop.evaluations=1000", "hydra.run.dir=run", "log=run.log")
    result = isoplane(*words)
    assert result.code == 0
    first, *lines = (tmp_path / "run.log").read_text(encoding="utf-8").splitlines()
    assert first.endswith(f"  $ isoplane {' '.join(words)}")
    stamps, said = zip(*(line.split("  ", 1) for line in lines), strict=True)
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}[+-]\d\d:\d\d", stamp) for stamp in stamps)
    assert all(one <= other for one, other in pairwise(stamps))
    assert sorted(said) == sorted([*result.out.splitlines(), *result.err.splitlines()])
    assert "log" not in (tmp_path / "run" / "config.yaml").read_text(encoding="utf-8")
    # A second command is appended, and an error is in the log too.
    assert isoplane("best", "n=1", "log=run.log").code == 2
    assert "isoplane best: n=1: expected an integer" in (tmp_path / "run.log").read_text(encoding="utf-8")


@for_each("verb", VERBS)
def test_a_log_that_cannot_be_written_is_refused_in_one_line(isoplane, verb):
    result = isoplane(verb, "log=none/run.log")
    assert (result.code, result.out) == (2, "")
    line = f"isoplane {verb}: log=none/run.log: No such file or directory; expected a file that can be written\n"
    assert result.err == line


def test_the_command_that_continues_a_run_continues_its_log(tmp_path):
    assert "log=" not in resume_command("compare", tmp_path)
    with log.logged(tmp_path / "log", "isoplane"):
        assert resume_command("compare", tmp_path).endswith(f" resume={tmp_path} log={tmp_path}/log")


def test_a_log_has_a_row_that_is_written_again_as_it_ends_and_ends_where_it_fails(tmp_path, capsys, monkeypatch):
    path = tmp_path / "log"
    with log.logged(path, "isoplane"):
        print("\r\x1b[2Kone", end="")
        print("\r\x1b[2Ktwo", end="")
        print("\r\x1b[2K", end="")
        print("done")

        def full(place, line):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(log, "append_line", full)
        print("lost")
        print("lost too")
        monkeypatch.setattr(log, "append_line", append_line)
    lines = [line.split("  ", 1)[1] for line in path.read_text(encoding="utf-8").splitlines()]
    assert lines == ["$ isoplane", "one", "done"]
    assert capsys.readouterr().err == f"isoplane: log={path}: No space left on device; the log ends here\n"


def test_jobs_with_several_tables_have_as_many_together(capsys):
    first, second = Table(["n"], [[3]]), Table(["verdict", "place"], [["agrees", 1]])
    for kind in ("markdown", "latex"):
        with tables_kept() as kept:
            print_table(kind, [first, second], Table(["all"], [[0]]))
        print_joined([({"seed": "1"}, kept), ({"seed": "2"}, kept)])
        blocks = capsys.readouterr().out.rstrip("\n").split("\n\n")
        assert [("verdict" in block, block.count("agrees")) for block in blocks] == [(False, 0), (True, 2)]
