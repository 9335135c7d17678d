"""`isoplane serve`: runs as they go, what cannot be served, and how it ends."""

import json
import os
import signal
import socket
import time
from pathlib import Path
from threading import Thread

import pytest

from isoplane.runs.folder.run_folder import RunFolder
from isoplane.runs.server import run_states, server
from tests.cases import for_each
from tests.runs.server.browsers import HISTORY, SUMMARY, ask, make_run, runs_of, served

from .conftest import HANG_S, wait_for


@pytest.fixture
def listed_each_time(monkeypatch):
    """Lists runs anew for each request."""
    monkeypatch.setattr(server, "SCAN_S", 0.0)
    monkeypatch.setattr(server, "SCAN_SHARE", 1e9)


def test_runs_are_shown_with_their_progress_best_value_bound_and_state(tmp_path, listed_each_time):
    now = time.time()
    make_run(tmp_path / "going", ".lock")
    make_run(tmp_path / "ended", "report.html", stopped_by="seconds", stop=None)
    make_run(tmp_path / "killed")
    silent = make_run(tmp_path / "silent", ".lock")
    for path in silent.iterdir():
        os.utime(path, (now - 100, now - 100))
    make_run(tmp_path / "writing", ".lock", stopped_by="seconds")
    resuming = make_run(tmp_path / "resuming", ".lock", stopped_by="seconds") / "summary.json"
    os.utime(resuming, (now - 100, now - 100))
    (tmp_path / "starting").mkdir()
    (tmp_path / "starting" / ".lock").touch()
    make_run(tmp_path / "damaged").joinpath("summary.json").write_text("{")
    make_run(tmp_path / "half", ".lock").joinpath("history.csv").write_text(HISTORY + "3.0,600,79")
    (tmp_path / "compared").mkdir()
    (tmp_path / "compared" / "calls.jsonl").write_text('{"id": 1}\n{"id": 2}\n{"id"')
    older = {name: value for name, value in SUMMARY.items() if not name.startswith(("printed_", "stop", "searched"))}
    make_run(tmp_path / "older").joinpath("summary.json").write_text(json.dumps({**older, "stopped_by": "complete"}))
    with served(tmp_path) as port:
        runs = runs_of(port)
    assert {path: run["state"] for path, run in runs.items()} == {
        "going": "running",
        "ended": "stopped after 12.5 s",
        "killed": "stopped by a kill",
        "silent": "no news for a while: in a long step, or killed",
        "writing": "running: writes its report (stopped after 12.5 s)",
        "resuming": "resuming (stopped after 12.5 s)",
        "starting": "running",
        "damaged": "ended",
        "half": "running",
        "compared": "interrupted",
        "older": "search complete",
    }
    going = runs["going"]
    assert (going["network"], going["objective"], going["best"]) == ("hypercube n=8", "ASPL (hops)", "3.125")
    assert (going["bound"], going["proof"]) == ("3.1094", "ASPL within 0.50 %")
    assert (going["progress"], going["share"]) == ("12.5 of 50 s, 1,200 evaluations", 0.25)
    assert going["curve"] == runs["half"]["curve"] == [[0.5, 900, None], [2.0, 800, 796], [12.5, 800, 796]]
    assert (runs["ended"]["progress"], runs["ended"]["share"]) == ("12.5 s, 1,200 evaluations", None)
    assert (runs["older"]["best"], runs["older"]["objective"], runs["older"]["bound"]) == ("3.125", "aspl", None)
    assert runs["compared"]["progress"] == "2 results so far"
    assert [path for path, run in runs.items() if run["page"]] == ["ended"]
    assert set(list(runs)[:5]) == {"going", "half", "resuming", "starting", "writing"}  # what runs comes first


def test_values_that_exceed_limits_are_no_part_of_a_curve(tmp_path):
    names = {"score": [0, 800], "score_names": ["excess", "sum_of_distances"], "bound": [0, 796], "seconds": 3}
    rows = ("1.0,1,7 500,0 -", "2.0,2,0 900,0 796", "3.0,3,0 800,")
    (make_run(tmp_path / "run", **names) / "history.csv").write_text("\n".join([HISTORY.split()[0], *rows, ""]))
    with served(tmp_path) as port:
        assert runs_of(port)["run"]["curve"] == [[2.0, 900, 796], [3.0, 800, None]]


def test_a_curve_ends_at_the_bound_that_a_proof_has_raised(tmp_path):
    rows = ("1.0,1,800,796", "1.0,1,820,796", "2.0,2,800,800", "2.0,2,820,800")  # of two designs on a front
    summary = {"score": [800], "bound": [800], "seconds": 2.0, "stopped_by": "complete"}
    (make_run(tmp_path / "run", **summary) / "history.csv").write_text("\n".join([HISTORY.split()[0], *rows, ""]))
    with served(tmp_path) as port:
        run = runs_of(port)["run"]
    assert (run["proof"], run["curve"]) == ("proven optimal", [[1.0, 800, 796], [2.0, 800, 800]])


def test_the_page_of_a_reproduced_figure_is_that_of_its_folder(tmp_path):
    (tmp_path / "figures" / "records").mkdir(parents=True)
    for name in ("fig3.csv", "fig3-published.csv", "fig3.html", "fig3.png", "fig3.svg"):
        (tmp_path / "figures" / name).touch()
    with served(tmp_path) as port:
        run = runs_of(port)["figures"]
    assert (run["kind"], run["page"], run["has_records"]) == ("figure", "fig3.html", True)


def test_runs_below_a_folder_with_the_page_of_all_are_listed_by_their_paths(tmp_path):
    for name in ("m1/run", "m2/run", "m3/0"):
        make_run(tmp_path / "all" / name)
    (tmp_path / "all" / "m3" / "multirun.yaml").touch()
    for page in ("all", "figure"):  # the latter is a run itself
        (tmp_path / page).mkdir(exist_ok=True)
        (tmp_path / page / "report.html").touch()
    with served(tmp_path) as port:
        names = {path: run["name"] for path, run in runs_of(port).items()}
    assert names == {"all/m1/run": "all/m1/run", "all/m2/run": "all/m2/run", "all/m3/0": "0", "figure": "figure"}


def test_the_jobs_of_a_sweep_are_listed_together_in_their_order(tmp_path):
    make_run(tmp_path / "sweep" / "10", stopped_by="complete")
    make_run(tmp_path / "sweep" / "9", ".lock")
    jobs = {"sweeper": {"_target_": "hydra.BasicSweeper"}, "overrides": {"task": ["network.n=5", "seed=range(20,40)"]}}
    (tmp_path / "sweep" / "multirun.yaml").write_text(json.dumps({"hydra": jobs}))
    make_run(tmp_path / "alone", ".lock")
    (tmp_path / "sweep" / "11").mkdir()
    (tmp_path / "sweep" / "11" / "failure.json").write_text('{"options": [], "code": 2, "message": "no file"}')
    with served(tmp_path) as port:
        groups = json.loads(ask(port, "/runs.json")[2])["groups"]
    shown = [(group["title"], [run["path"] for run in group["runs"]]) for group in groups]
    assert shown == [("Runs", ["alone"]), (
        "Sweep sweep: 20 jobs, 1 running, 1 failed, 17 not begun", ["sweep/9", "sweep/10", "sweep/11"]
    )]  # fmt: skip
    assert [run["name"] for run in groups[1]["runs"]] == ["9: seed=29", "10: seed=30", "11: seed=31"]
    assert [run["state"] for run in groups[1]["runs"]] == ["running", "search complete", "failed: no file"]
    (tmp_path / "sweep" / "multirun.yaml").write_text("")  # damaged: the jobs are still listed
    with served(tmp_path / "sweep") as port:
        assert set(runs_of(port)) == {"9", "10", "11"}
        (group,) = json.loads(ask(port, "/runs.json")[2])["groups"]
    assert group["title"] == "Sweep: 3 jobs, 1 running, 1 failed"
    with served(tmp_path / "alone") as port:
        assert set(runs_of(port)) == {""}
    (tmp_path / "planned").mkdir()
    (tmp_path / "planned" / "multirun.yaml").write_text(json.dumps({"hydra": jobs}))  # before its first job
    with served(tmp_path / "planned") as port:
        (group,) = json.loads(ask(port, "/runs.json")[2])["groups"]
    assert (group["title"], group["runs"]) == ("Sweep: 20 jobs, 0 running, 20 not begun", [])


def test_twenty_runs_are_read_once_for_ten_browsers_until_they_change(tmp_path, monkeypatch):
    for number in range(20):
        make_run(tmp_path / f"run{number}", ".lock")
    read, scans = [], []
    content_of, listed_runs = run_states.content_of, run_states.listed_runs
    monkeypatch.setattr(run_states, "content_of", lambda *words: read.append(words[1]) or content_of(*words))
    monkeypatch.setattr(server, "listed_runs", lambda *words: scans.append(1) or listed_runs(*words))
    monkeypatch.setattr(server, "SCAN_S", HANG_S)
    with served(tmp_path) as port:
        browsers = [Thread(target=runs_of, args=(port,)) for _ in range(10)]
        for browser in browsers:
            browser.start()
        for browser in browsers:
            browser.join()
        assert len(runs_of(port)) == 20
    assert (len(scans), len(read)) == (1, 40)  # each of them once, for a summary and a history a run
    root, cache = os.open(tmp_path, os.O_RDONLY), {}
    run_states.listed_runs(root, cache)
    (tmp_path / "run3" / "summary.json").write_text(json.dumps(SUMMARY | {"evaluations": 1_234_567}))
    read.clear()
    run_states.listed_runs(root, cache)
    os.close(root)
    assert read == [("run3", "summary.json")]


def test_a_search_is_seen_as_it_goes(isoplane, tmp_path, monkeypatch, listed_each_time, no_drawing):
    seen, summarise = [], RunFolder.summarise
    monkeypatch.setattr("isoplane.runs.folder.run_folder.NOTED_S", 0.0)
    monkeypatch.setattr("isoplane.runs.folder.run_folder.SHARE", 1e9)

    def watched(self, *words, **more):
        summarise(self, *words, **more)
        seen.append(runs_of(port)["search"])

    monkeypatch.setattr(RunFolder, "summarise", watched)
    (tmp_path / "outputs").mkdir()
    with served(tmp_path / "outputs") as port:
        words = ("network.n=8", "strategy=anneal", "stop.evaluations=1000000", "stop.seconds=1000")
        result = isoplane("search", *words, "hydra.run.dir=outputs/search")
        assert result.code == 0, result.err
        after = runs_of(port)["search"]
    assert len(seen) >= 4
    assert all(run["state"] == "running" for run in seen[:-1])
    shares = [run["share"] for run in seen[1:-1]]
    assert shares == sorted(shares)
    assert shares[0] < shares[-1] <= 1
    assert seen[1]["progress"].endswith(" of 1,000,000 evaluations")
    assert (after["best"], after["bound"], after["objective"]) == (
        "80,000", "80,000", "sum of distances × max load (hops · packets)"
    )  # fmt: skip
    assert after["state"] == "stopped after 1,000,000 evaluations"
    assert (after["is_running"], bool(after["page"])) == (False, True)


@for_each(
    ("words", "message"),
    [
        (("absent",), "folder=absent: No such file or directory; expected a folder of runs"),
        (("file",), "folder=file: Not a directory; expected a folder of runs"),
        ((".", "port=65536"), "port=65536: expected an integer from 0 to 65535"),
        ((".", "port=eight"), "port='eight': expected an integer from 0 to 65535"),
        ((".", "port=USED"), "port=USED: Address already in use; expected a free port, or 0 for any"),
    ],
)
def test_what_cannot_be_served_is_one_line(isoplane, tmp_path, words, message):
    (tmp_path / "file").touch()
    with socket.create_server(("127.0.0.1", 0)) as taken:
        used = str(taken.getsockname()[1])
        result = isoplane("serve", *(word.replace("USED", used) for word in words))
    assert (result.code, result.out) == (2, "")
    assert result.err == f"isoplane serve: {message.replace('USED', used)}\n"


@for_each("number", [signal.SIGINT, signal.SIGTERM])
def test_ctrl_c_ends_it_at_once_even_while_browsers_wait(start_isoplane, tmp_path, number):
    make_run(tmp_path / "outputs" / "run", "report.html")
    process, out, err = start_isoplane("serve", "outputs", "port=0")
    wait_for(out)
    while "\n" not in (text := out.read_text()):
        time.sleep(0.005)
    port = int(text.partition("127.0.0.1:")[2].partition("/")[0])
    assert text == f"http://127.0.0.1:{port}/ shows the runs in outputs; Ctrl-C ends it\n"
    assert ask(port, "/files/run/report.html")[0] == 200
    addresses = {line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines() if f":{port:04X} " in line}
    assert f"0100007F:{port:04X}" in addresses
    assert f"00000000:{port:04X}" not in addresses  # not on any other address
    with socket.create_connection(("127.0.0.1", port)) as waiting:
        waiting.sendall(b"GET / HTTP/1.1\r\nHost: ")  # a request that does not end
        os.kill(process.pid, number)
        process.join(HANG_S)
    assert (process.exitcode, err.read_text()) == (130, "isoplane serve: interrupted\n")


def test_an_unchanged_list_of_runs_is_not_sent_again(tmp_path, listed_each_time):
    make_run(tmp_path / "run", ".lock")
    with served(tmp_path) as port:
        tag = ask(port, "/runs.json")[1]["ETag"]
        status, headers, content = ask(port, "/runs.json", If_None_Match=tag)
        assert (status, headers["ETag"], content) == (304, tag, b"")
        (tmp_path / "run" / "summary.json").write_text(json.dumps(SUMMARY | {"evaluations": 1300}))
        assert ask(port, "/runs.json", If_None_Match=tag)[0] == 200
