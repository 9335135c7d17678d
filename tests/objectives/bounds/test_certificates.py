"""Stored certificates and enumerations prove their bounds, and modified ones prove no stronger one."""

import json
import random

import numpy as np
import pytest

from isoplane.models import Site
from isoplane.models.mathematics.gf2 import independent_sets
from isoplane.objectives import CUBES, Lexicographic
from isoplane.objectives.bounds.certificates import DATA, certificate_path, proven, read_certificate
from isoplane.objectives.bounds.distance_bound import certified_program, sum_bound
from isoplane.objectives.bounds.enumerations import enumerated_sum
from isoplane.objectives.bounds.enumerators.lifted_depth import lifted_program
from isoplane.search import ConnectionSets, Exact, Limits, solve
from tests.cases import for_each

from .test_soundness import known_networks, sums_of_distances

STORED = sorted(DATA.glob("enumeration-*.json"))


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
@for_each("n", [4, 6, 8])
def test_a_tampered_certificate_proves_no_invalid_bound(n, folded):
    rng = random.Random(n)
    name, program = certified_program(n, folded)
    stored = read_certificate(name, n, folded)["multipliers"]
    best = min(sums_of_distances(known_networks(n, folded)))
    for _ in range(10):
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


def counts(proof):
    return {name: proof[name] for name in ("sets", "labelled", "cut", "largest_sum_of_interest", "survivors", "shards")}


@for_each("path", STORED)
def test_the_shards_of_a_proof_add_up_to_its_levels(path):
    proof = json.loads(path.read_text(encoding="utf-8"))
    n, shards, level_of_units = proof["n"], proof["shards"], 4
    assert sum(shard["units"] for shard in shards) == proof["sets"][level_of_units]
    for name in ("sets", "labelled", "cut"):
        for level in range(level_of_units + 1, n + 1):
            assert sum(shard[name][level] for shard in shards) == proof[name][level], (name, level)
    for size, labelled in enumerate(proof["labelled"]):
        assert labelled <= independent_sets(n, size)


def test_the_enumeration_of_n_8_covers_every_basis_and_finds_59_optimal_classes():
    proof = json.loads(certificate_path("enumeration", 8, folded=False).read_text(encoding="utf-8"))
    assert proof["labelled"] == [independent_sets(8, size) for size in range(9)]  # the last is |GL(8,2)| / 8!
    assert proof["sets"][8] == sum(proof["histogram"].values()) == 3_373_513_302
    assert (enumerated_sum(8, folded=False), proof["histogram"]["800"]) == (800, 59)


def prove(n, folded, strategy, seed=1):
    """Return the proof of an exact search after a JSON round trip."""
    proofs = []
    space, aspl = (
        ConnectionSets(n, folded, site=Site(layout=None)),
        Lexicographic("aspl", (("sum_of_distances",),), CUBES),
    )
    list(solve(space, aspl, strategy, Limits(), seed, watch=lambda progress: proofs.append(progress.counts)))
    return json.loads(json.dumps(proofs[-1]))


@for_each(("folded", "best"), [(False, 344), (True, 300)])
def test_a_stored_proof_of_n_7_is_reproduced(folded, best):
    stored = json.loads(certificate_path("enumeration", 7, folded).read_text(encoding="utf-8"))
    assert enumerated_sum(7, folded) == best
    assert counts(prove(7, folded, Exact())) == counts(stored)


@pytest.mark.parametrize(("folded", "best"), [(False, 144), (True, 123)])
def test_a_proof_with_a_poor_first_incumbent_lists_the_survivors(tmp_path, monkeypatch, folded, best):
    proof = prove(6, folded, Exact(head_start=1), seed=4)  # its first design is not optimal
    assert proof["survivors"]
    assert proof["largest_sum_of_interest"] > best
    monkeypatch.setattr("isoplane.objectives.bounds.certificates.DATA", tmp_path)
    certificate_path("enumeration", 6, folded).write_text(json.dumps(proof))
    assert enumerated_sum(6, folded) == best


def test_a_proof_of_another_statement_is_rejected(tmp_path, monkeypatch):
    monkeypatch.setattr("isoplane.objectives.bounds.certificates.DATA", tmp_path)
    assert enumerated_sum(7, folded=False) is None
    proof = json.loads((DATA / "enumeration-hypercube-n7.json").read_text(encoding="utf-8"))
    for change in ({"n": 8}, {"folded": True}, {"objective": [["delay"]]}):
        certificate_path("enumeration", 7, folded=False).write_text(json.dumps(proof | change))
        with pytest.raises(ValueError, match=r"enumeration-hypercube-n7.json: not a proof of the minimum"):
            enumerated_sum(7, folded=False)
