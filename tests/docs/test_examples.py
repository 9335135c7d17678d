"""The examples of the documentation: Python blocks, and command lines with the output shown."""

import doctest
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path

import pytest

from isoplane.runs.cli.main import main
from tests.test_docs import BLOCK, PAGES, ROOT

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


def test_output_that_differs_from_what_a_page_shows_is_detected(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = "$ isoplane evaluate network.n=3 'network.generators=[3,5,7]'\n"
    run_commands(command + "hypercube n=3, ...\n", 0)
    with pytest.raises(AssertionError, match="hypercube n=3"):
        run_commands(command + "hypercube n=4, ...\n", 0)
    with pytest.raises(AssertionError, match="Expected"):
        run_python(">>> 1 + 1\n3\n", {}, "here")
