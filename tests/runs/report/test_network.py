"""The page of a network that no search found."""

from isoplane.models import Design, dual_cube
from isoplane.runs.records import class_id_of, content_of, id_of
from isoplane.runs.report.network import write_network_report

from .cases import record

SEARCHES = ("Objective", "Best value", "Score", "Status", "Stopped by", "Strategy", "Seed", "Evaluations", "Time")


def page_of(network, folder):
    asked = "network.n=3 'network.generators=[3,5,7]'"
    return write_network_report(Design(network), folder, config={"network": {"n": 3}}, verified_by=asked)


def test_the_page_of_a_network_claims_nothing_of_a_search(tmp_path):
    text = page_of(dual_cube(3, (3, 5, 7)), tmp_path).read_text(encoding="utf-8")
    assert not [name for name in SEARCHES if f"<dt>{name}</dt>" in text]
    assert 'id="convergence"' not in text
    assert "other values" not in text
    assert "<dt>Family</dt>" in text


def test_the_page_of_a_network_has_the_hashes_and_the_command_of_the_network(tmp_path):
    network = dual_cube(3, (3, 5, 7))
    page = page_of(network, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert page.name == f"hypercube-n3-{id_of(content_of(network))[:12]}.html"
    assert record()["id"] in text  # the record of the same network has the same
    assert class_id_of(network) in text
    assert "isoplane verify network.n=3 &#39;network.generators=[3,5,7]&#39;" in text


def test_other_racks_have_a_page_of_their_own(tmp_path):
    pages = {page_of(dual_cube(3, (3, 5, 7), **racks), tmp_path).name for racks in ({}, {"layout": None})}
    assert len(pages) == 2
