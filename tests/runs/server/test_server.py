"""What the server of runs refuses, and what it never does. All requests are real ones."""

import os
import re
import socket

import pytest

from isoplane.runs.server import server
from tests.cases import for_each

from .browsers import ask, make_run, runs_of, served

SECRET = b"not for browsers"


@pytest.fixture
def outputs(tmp_path):
    """A folder with a run, beside and in which are things that must not be shown."""
    folder = tmp_path / "outputs"
    run = make_run(folder / "run", "report.html", "config.yaml", stopped_by="seconds")
    (tmp_path / "secret").write_bytes(SECRET)
    for hidden in (run / ".lock", run / ".summary.json.0123456789abcdef.tmp", folder / ".secret"):
        hidden.write_bytes(SECRET)
    (folder / "link").symlink_to(tmp_path / "secret")
    (folder / "linked").symlink_to(tmp_path)
    (run / "records" / "link.json").symlink_to(tmp_path / "secret")
    os.mkfifo(folder / "pipe")
    return folder


@for_each(
    "path",  # sent as it is
    [
        "/files/../secret", "/files/run/../../secret", "/files/%2e%2e/secret", "/files/..%2fsecret",
        "/files/%2E./secret", "/files/%252e%252e/secret", "/files/..%5csecret", "/files//etc/passwd",
        "/files/%2fetc%2fpasswd", "//etc/passwd", "/etc/passwd", "/files/link", "/files/linked/secret",
        "/files/linked/", "/files/run/records/link.json", "/files/run/.lock", "/files/.secret", "/files/run/%2elock",
        "/files/.", "/files/./run", "/files/run/..", "/files/run/.summary.json.0123456789abcdef.tmp",
        "/files/run%00/report.html", "/files/run/report.html%00.txt", "/files/pipe", "/files/run/report.html/",
        "/files/run/report.html/x", "/files/absent", "/files/%ff", "/files/" + "a" * 5000, "/files/" + "a/" * 5000,
        "files/run", "http://localhost/files/run/", "*", "/style.css/",
    ],
)  # fmt: skip
def test_nothing_but_shown_files_of_the_folder_can_be_had(outputs, path):
    with served(outputs) as port:
        status, _, content = ask(port, path)
        assert (status, content) == (404, b"404 Not Found\n")
        assert ask(port, "/")[0] == 200  # it still answers


def test_lists_leave_out_links_hidden_files_and_pipes(outputs):
    with served(outputs) as port:
        pages = [ask(port, path)[2].decode() for path in ("/files/", "/files/run/")]
        assert set(runs_of(port)) == {"run"}
    listed = [re.findall(r'<a href="\./([^"]*)"', page) for page in pages]
    assert listed == [["run/"], ["records/", "config.yaml", "history.csv", "report.html", "summary.json"]]


def test_a_name_with_special_characters_leads_to_its_file(tmp_path):
    names = ["a b&c<d>.txt", "50%2f.txt", "ü?#;.txt", os.fsdecode(b"\xff.txt")]
    for name in names:
        (tmp_path / name).write_text(name.encode(errors="surrogateescape").hex())
    with served(tmp_path) as port:
        for name in names:
            status, _, content = ask(port, f"/files/{server._link(name)}")
            assert (status, content.decode()) == (200, name.encode(errors="surrogateescape").hex())
        listed = ask(port, "/files/")[2]
    assert b"a b&amp;c&lt;d&gt;.txt" in listed


@for_each("host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "localhost@evil", "", None, "0.0.0.0"])
def test_a_page_elsewhere_whose_name_leads_to_this_address_reads_nothing(outputs, host):
    with served(outputs) as port:
        for path in ("/", "/runs.json", "/files/run/report.html", "/files/absent"):
            assert ask(port, path, host=host)[::2] == (403, b"403 Forbidden\n")


@for_each("host", ["localhost", "LocalHost:1", "127.0.0.1", "127.0.0.1:50000"])
def test_every_port_of_this_machine_may_lead_to_it_as_tunnels_do(outputs, host):
    with served(outputs) as port:
        assert ask(port, "/", host=host)[0] == 200


def snapshot(folder):
    """Everything in a folder: names, kinds, times of changes and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        state = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[path.relative_to(folder)] = state.st_mode, state.st_mtime_ns, state.st_ctime_ns, content
    return found


def test_no_request_writes_anything(outputs):
    before = snapshot(outputs)
    with served(outputs) as port:
        for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "MKCOL", "MOVE", "get"):
            status, headers, _ = ask(port, "/files/run/report.html", method)
            assert (status, headers.get("Allow")) == (405, "GET, HEAD")
        for path in ("/", "/runs.json", "/files/", "/files/run/", "/files/run/summary.json"):
            for method in ("GET", "HEAD"):
                assert ask(port, path, method)[0] == 200
    assert snapshot(outputs) == before


def test_head_answers_as_get_without_content(outputs):
    with served(outputs) as port:
        for path in ("/", "/script.js", "/files/run/", "/files/run/history.csv", "/files/absent"):
            got, headed = ask(port, path), ask(port, path, "HEAD")
            assert headed[0] == got[0]
            assert headed[2] == b""
            assert headed[1]["Content-Length"] == got[1]["Content-Length"] == str(len(got[2]))


def test_answers_forbid_scripts_requests_and_frames_of_others(outputs):
    with served(outputs) as port:
        policies = {path: ask(port, path)[1] for path in ("/", "/files/run/", "/files/run/report.html", "/absent")}
    for headers in policies.values():
        policy = headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "http" not in policy  # nothing from elsewhere
    assert policies["/files/run/report.html"]["Content-Security-Policy"].startswith("sandbox allow-scripts ")


@for_each("is_open", [True, False])
def test_only_an_error_on_an_open_connection_is_told(tmp_path, capsys, is_open):
    with server.listening(tmp_path, 0) as listener, socket.socket() as connection:
        if not is_open:  # an interruption closes it while its thread begins
            connection.close()
        try:
            raise OSError(9, "Bad file descriptor")
        except OSError:
            listener.handle_error(connection, None)
    assert capsys.readouterr().err == ("isoplane serve: OSError(9, 'Bad file descriptor')\n" if is_open else "")
