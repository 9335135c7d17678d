"""The estimate of the time that the positions of sliders still take."""

from itertools import pairwise

from isoplane.runs.comparison.interactive import page
from isoplane.runs.comparison.interactive.sliders import sliders_of
from isoplane.runs.comparison.request import request_of
from isoplane.runs.config.config_values import plain
from tests.runs.cli.conftest import composed_config

WORDS = ("nodes=16", "ports=8", "planes=1", "families=[hyperx,torus]", "page=interactive")


def test_the_time_left_follows_from_that_of_each_family_at_other_sizes_and_counts_down(monkeypatch):
    config = plain(composed_config("compare", *WORDS, "page.nodes=[4,64]", "page.ports=[8]"))
    requests, _ = sliders_of(config, request_of(config))
    clock = 0.0
    monkeypatch.setattr(page, "monotonic", lambda: clock)

    def run(_, jobs):
        """Call on one worker what takes 16, 256 and 4,096 s of a family, and its times nodes of the other."""
        nonlocal clock
        yield None
        for index, (source, (request, _)) in enumerate(jobs):
            seconds = request.nodes ** (3 if source.family == "torus" else 2)
            for share in (0.5, 0.4):
                clock += share * seconds
                yield None
            clock += 0.1 * seconds
            yield index, {"seconds": seconds}

    said = [(text.partition("  about ")[2], clock) for text, _ in page.all_offers(run, requests, (None,))]
    total = 16 + 64 + 256 + 4096 + 4096 + 262144
    known = [(text, f"{total - at:.0f} s left") for text, at in said if text]
    assert len(known) == 1 + 4 * 3 - 1  # from when both families have a time until all are done
    # At first all are taken to grow with the square of nodes.
    assert known[0][0] == f"{256 + 4096 + 16 * 64 + 256 * 64} s left"
    assert [text for text, _ in known[6:]] == [truth for _, truth in known[6:]]
    assert all(float(later.split()[0]) < float(text.split()[0]) for (text, _), (later, _) in pairwise(known[6:]))
