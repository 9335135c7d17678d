"""The documentation is tested: Python blocks, command lines with the output shown, docstring examples and links."""

import doctest
import importlib
import linecache
import pkgutil
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

import isoplane.face
import isoplane.models
import isoplane.objectives
import isoplane.runs
import isoplane.search
import isoplane.simulator
from isoplane.runs.cli.main import main
from tests.cases import for_each

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").glob("*.md")])
# A fenced block; a comment in the line before it states the exit code of its commands: <!-- exit code 2 -->
BLOCK = re.compile(r"(?:^<!-- exit code (\d+) -->\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^]]*\]\(([^)\s]+)\)")
ECHOED_FILES = re.compile(r"\$\(echo (\S+)\)")
OUTPUT_FLAGS = doctest.ELLIPSIS  # "..." in the output that a page shows stands for any text


def page_name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Every command of a console block as the shell would see it, and the output shown below it."""
    joined = re.sub(r"(?<!\\)\\\n", "", text)  # two backslashes are what a table of LaTeX ends a row with
    for part in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield ECHOED_FILES.sub(lambda files: " ".join(sorted(map(str, Path().glob(files[1])))), command), output.strip()


def run_isoplane(arguments: list[str]) -> tuple[int, str]:
    """The exit code, and what is printed: the result, or the error if there is no result."""
    with redirect_stdout(StringIO()) as results, redirect_stderr(StringIO()) as errors:
        code = main(arguments)
    return code, (results.getvalue() or errors.getvalue()).strip()


def run_commands(text: str, code: int) -> None:
    for command, shown in commands(text):
        program, *arguments = shlex.split(command, comments=True)
        if program != "isoplane" or "|" in arguments:
            continue
        exit_code, output = run_isoplane(arguments)
        assert exit_code == code, f"{command}\n{output}"
        assert not shown or doctest.OutputChecker().check_output(shown, output, OUTPUT_FLAGS), f"{command}\n{output}"


def run_python(text: str, names: dict[str, object], filename: str) -> None:
    if not text.startswith(">>> "):
        exec(compile(text, filename, "exec"), names)  # later blocks may use the names
        return
    example = doctest.DocTestParser().get_doctest(text, names, filename, None, 0)
    failures: list[str] = []
    doctest.DocTestRunner(optionflags=OUTPUT_FLAGS).run(example, out=failures.append, clear_globs=False)
    names.update(example.globs)
    assert not failures, "".join(failures)


def write_file(text: str) -> None:
    """Write a block to the file that its first line names."""
    file = Path(text.partition("\n")[0].removeprefix("# file: "))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=page_name)
def test_every_example_of_a_page_does_what_the_page_shows(page, tmp_path, monkeypatch, blank_charts):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for code, language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "console":
            run_commands(text, int(code or 0))
        elif language == "python" and text.startswith("# file: "):
            write_file(text)
            monkeypatch.syspath_prepend(tmp_path)
        elif language == "python":
            run_python(text, names, page_name(page))
        elif language in ("yaml", "text") and text.startswith("# file: "):
            write_file(text)


def test_the_readme_shows_what_a_search_prints(tmp_path, monkeypatch, blank_charts):
    # Far fewer evaluations than 30 seconds allow find the same design; only what follows the table depends on them.
    monkeypatch.chdir(tmp_path)
    code, output = run_isoplane(["search", "stop.evaluations=2000000"])
    printed = output.partition("\nscore: ")[0].splitlines()
    assert code == 0
    shown = "\n".join(["$ make search", ".venv/bin/isoplane search", *printed])
    assert shown in (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_readme_shows_what_a_comparison_prints(tmp_path, monkeypatch, blank_charts):
    # Two of the families; widths of columns depend on all designs, so only words count. Columns that are only in the
    # files are not computed.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("isoplane.runs.comparison.rows.STEPS", {})
    code, output = run_isoplane(
        ["compare", "nodes=1024", "ports=36", "throughput=0.9", "failures=none", "families=[hyperx,full_mesh]"]
    )
    assert code == 0
    readme = [line.split() for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()]
    designs = [line.split() for line in output.splitlines() if line.startswith(("hyperx, ", "full mesh, 1"))]
    assert len(designs) == 3
    assert all(design in readme for design in designs)


def test_the_first_pages_are_short():
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert len(readme) <= 120
    assert [line for line in readme if len(line) > 120] == []
    assert len((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").split()) <= 1500


def anchors(page: Path) -> set[str]:
    """The anchors of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@for_each("page", [*PAGES, *sorted(ROOT.glob("[a-z]*/README.md")), ROOT / "benchmarks" / "instances" / "README.md"])
def test_every_link_of_a_page_has_a_target(page):
    # Without blocks: a change that a page shows has the links of another page.
    for link in LINK.findall(BLOCK.sub("", page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", link):
            continue
        name, _, anchor = link.partition("#")
        target = (page.parent / name).resolve() if name else page
        assert target.exists(), link
        assert not anchor or anchor in anchors(target), link


MODULES = [
    module.name
    for package in (
        isoplane.face,
        isoplane.models,
        isoplane.objectives,
        isoplane.search,
        isoplane.simulator,
        isoplane.runs,
    )
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
]


@for_each("name", MODULES)
def test_docstring_examples_give_the_output_shown(name, monkeypatch):
    monkeypatch.setattr(linecache, "checkcache", lambda *_: None)  # asks the disk for every file at every docstring
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_output_that_differs_from_what_a_page_shows_is_detected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = "$ isoplane evaluate network.n=3 'network.generators=[3,5,7]'\n"
    run_commands(command + "hypercube n=3, ...\n", 0)
    with pytest.raises(AssertionError, match="hypercube n=3"):
        run_commands(command + "hypercube n=4, ...\n", 0)
    with pytest.raises(AssertionError, match="Expected"):
        run_python(">>> 1 + 1\n3\n", {}, "here")


def test_every_source_file_that_a_page_names_exists():
    files = ["/" + path.relative_to(ROOT).as_posix() for path in ROOT.glob("[a-z]*/**/*.py")]
    names = {
        (page.name, name)
        for page in PAGES
        if page.name not in ("CHANGELOG.md", "adding.md")  # what was once, and files of examples
        for name in re.findall(r"`((?:[a-z_0-9]+/)*[a-z_0-9]+\.py)`", page.read_text(encoding="utf-8"))
    }
    assert len(names) > 20
    assert [entry for entry in sorted(names) if not any(file.endswith("/" + entry[1]) for file in files)] == []
