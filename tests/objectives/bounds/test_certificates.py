"""Stored certificates prove their bounds, and a modified certificate proves no stronger one."""

import json
import random

import numpy as np
import pytest

from isoplane.objectives.bounds.certificates import DATA, proven, read_certificate
from isoplane.objectives.bounds.distance_bound import certified_program, sum_bound
from isoplane.objectives.bounds.enumerations import enumerated_sum
from isoplane.objectives.bounds.enumerators.lifted_depth import lifted_program
from tests.cases import for_each

from .test_soundness import known_networks, sums_of_distances


def test_there_is_a_certificate_of_each_kind_for_every_dimension_of_the_records():
    names = {path.stem for path in DATA.glob("*.json")}
    expected = {
        f"{program}-{family}-n{n}"
        for program in ("lifted", "loads", "tradeoff")
        for family in ("hypercube", "folded_hypercube")
        for n in range(3, 13)
    }
    assert expected <= names


@for_each("path", sorted(DATA.glob("*.json")))
def test_a_certificate_is_named_after_its_program_and_network(path):
    certificate = json.loads(path.read_text(encoding="utf-8"))
    family = "folded_hypercube" if certificate["folded"] else "hypercube"
    assert path.stem == f"{certificate.get('program', 'enumeration')}-{family}-n{certificate['n']}"


@for_each("folded", [False, True])
@for_each("n", [4, 5, 6, 7, 8])
def test_a_tampered_certificate_proves_no_invalid_bound(n, folded):
    rng = random.Random(n)
    name, program = certified_program(n, folded)
    stored = read_certificate(name, n, folded)["multipliers"]
    best = min(sums_of_distances(known_networks(n, folded)))
    for _ in range(20):
        tampered = stored.copy()
        for row in rng.sample(range(len(stored)), 5):
            tampered[row] = rng.choice((-1, 1)) * rng.randrange(1 << 50)
        assert proven(program, tampered) <= best
    bound = proven(program, stored)
    assert sum_bound(n, folded) == max(bound, enumerated_sum(n, folded) or 0)
    assert proven(program, 2 * stored) < bound


def test_a_certificate_of_another_program_is_rejected():
    with pytest.raises(ValueError, match="another linear program"):
        proven(lifted_program(4, False), np.zeros(3, dtype=np.int64))
