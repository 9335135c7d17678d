"""The page of a network that was not found by a search."""

from isoplane.models import Circuits, Design, Hybrid, Network, Placement, dual_cube
from isoplane.models.workloads import stencil
from isoplane.runs.records import class_id_of, design_content, id_of
from isoplane.runs.report.network import write_network_report

from .cases import record

SEARCH_FACTS = ("Objective", "Best value", "Score", "Status", "Stopped by", "Strategy", "Seed", "Evaluations", "Time")


def page_of(network, folder):
    command = "network.n=3 'network.generators=[3,5,7]'"
    return write_network_report(Design(network), folder, config={"network": {"n": 3}}, verified_by=command)


def test_the_page_of_a_network_has_its_hashes_and_its_command_and_says_nothing_about_a_search(tmp_path):
    network = dual_cube(3, (3, 5, 7))
    page = page_of(network, tmp_path)
    text = page.read_text(encoding="utf-8")
    assert page.name == f"hypercube-n3-{id_of(design_content(Design(network)))[:12]}.html"
    assert record()["id"] in text  # the record of the same network has the same id
    assert class_id_of(network) in text
    assert "isoplane verify network.n=3 &#39;network.generators=[3,5,7]&#39;" in text
    assert not [name for name in SEARCH_FACTS if f"<dt>{name}</dt>" in text]
    assert 'id="convergence"' not in text
    assert "other values" not in text
    assert "<dt>Family</dt>" in text


def test_different_messages_over_the_same_circuits_have_different_pages(tmp_path):
    design = Design(Network(Hybrid(2, 4)), Circuits(((0, 4),)), Placement(tuple(range(8))))
    pages = set()
    for message_bytes in (1_000_000, 4_000_000, 1_000_000):
        work = stencil((2, 4), message_bytes)
        pages.add(write_network_report(design, tmp_path, config={}, verified_by="command", workload=work).name)
    assert len(pages) == 2
    assert all(page.startswith("hybrid-8-stencil") for page in pages)
