"""Servers of folders, real requests to them, and folders of searches."""

import http.client
import json
from contextlib import contextmanager
from threading import Thread

from isoplane.runs.server import server
from tests.tools import HANG_S

SUMMARY = {
    "best": "hypercube-n8-aspl-0123456789ab.json", "records": [], "objective": "aspl", "score": [800],
    "score_names": ["sum_of_distances"], "bound": [796], "printed": 3.125, "printed_bound": 3.109375,
    "printed_title": "ASPL (hops)", "proven_over": "", "stopped_by": None, "evaluations": 1200, "seconds": 12.5,
    "stop": {"seconds": 50.0, "evaluations": None}, "searched": None,
}  # fmt: skip
HISTORY = "seconds,evaluations,score,bound\n0.5,100,900,\n2.0,500,800,796\n"


@contextmanager
def served(folder):
    """The port of a server of a folder."""
    with server.listening(folder, 0) as listening:
        thread = Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield listening.server_address[1]
        finally:
            listening.shutdown()
            thread.join()


def ask(port, path, method="GET", host="localhost", **headers):
    """Status, headers and content of an answer, to a path that is sent as it is."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=HANG_S)
    connection._validate_path = lambda _: None  # also what no client sends
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in {"Host": host, **headers}.items():
        if value is not None:
            connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, dict(answer.headers), content


def runs_of(port):
    """The runs that are shown, by path."""
    groups = json.loads(ask(port, "/runs.json")[2])["groups"]
    return {run["path"]: run for group in groups for run in group["runs"]}


def make_run(folder, *names, **summary):
    """The folder of a search, with some more files."""
    (folder / "records").mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text("")
    (folder / "summary.json").write_text(json.dumps(SUMMARY | summary))
    (folder / "history.csv").write_text(HISTORY)
    return folder
