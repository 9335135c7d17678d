from fractions import Fraction

import pytest

from isoplane.runs.figures.hosomi.agreement import AGREES, DIFFERS, MET, NOT_MET, points_of
from isoplane.runs.figures.hosomi.outcomes import SIZES, Outcome, changes, verdicts

NETWORKS = ("D-HC", "DI-HC", "DI-HC-r", "D-FHC", "DI-FHC", "DI-FHC-r")


def outcome(network, n, traffic, throughput, delay, latency):
    return Outcome(network, n, traffic, throughput, delay, delay, latency)


def published_outcomes(error):
    """Outcomes whose simulations show exactly the published changes, with formulas that are off by `error` percent."""
    found = []
    for n in SIZES:
        stated = {(point.network, point.metric): point.value for point in points_of("Fig 9") if point.n == n}
        for network in NETWORKS:
            change = [stated.get((network, f"simulated {m} change"), Fraction(0)) for m in ("throughput", "latency")]
            factors = [1 + float(percent) / 100 for percent in change]
            found.append(
                outcome(
                    network, n, factors[0] * (1 + error / 100), factors[0], factors[1] * (1 + error / 100), factors[1]
                )
            )
    return found


def test_changes_are_relative_to_the_identical_planes():
    found = [outcome("D-HC", 8, 1.0, 0.98, 600, 601), outcome("DI-HC", 8, 1.28, 1.25, 520, 523)]
    throughput, latency = changes(found)
    assert throughput[3:5] == pytest.approx((28, 100 * (1.25 / 0.98 - 1)))
    assert (throughput[-1], latency[-1]) == (AGREES, AGREES)
    assert latency[3] == pytest.approx(100 * (520 / 600 - 1))


def test_the_published_changes_agree_with_themselves_and_larger_errors_than_the_published_ones_are_not_met():
    judged = verdicts(published_outcomes(error=0.4))
    assert len(judged) == 16 + 6
    assert {verdict.verdict for verdict in judged if verdict.point.figure == "Fig 9"} == {AGREES}
    assert {verdict.verdict for verdict in judged if verdict.point.metric.startswith("mean")} == {MET}
    larger = {verdict.point.metric: verdict for verdict in verdicts(published_outcomes(error=2.9))}
    for metric in ("mean error of max_traffic against simulation", "mean error of delay against simulation"):
        assert larger[metric].verdict == NOT_MET
        assert float(larger[metric].ours) == pytest.approx(2.9)
    # Errors are judged only if all published sizes are present.
    assert all(verdict.point.figure == "Fig 9" for verdict in verdicts(published_outcomes(0.1)[:6]))


def test_a_change_of_the_opposite_sign_differs():
    found = [outcome("D-HC", 12, 1.0, 1.0, 1000, 1000), outcome("DI-HC", 12, 1.2, 1.19, 990, 990)]
    judged = {verdict.point.metric: verdict.verdict for verdict in verdicts(found)}
    assert judged == {"simulated throughput change": AGREES, "simulated latency change": DIFFERS}  # published: +7.4
