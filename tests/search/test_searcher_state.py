"""A searcher of any kind resumes from its saved state with the same result, wherever and however often it is saved."""

import json
import pickle
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError, Site
from isoplane.search import Anneal, ConnectionSets, Neighbourhood, Pareto, Portfolio, Task, Temper
from isoplane.search.core.chain_setup import advance
from isoplane.search.core.chain_strategy import setup_of
from tests.cases import for_each
from tests.search.cases import FRONTS, OBJECTIVES

JOB_LENGTHS = st.lists(st.integers(1, 700), min_size=1, max_size=6)
SETUPS = [
    pytest.param(6, False, OBJECTIVES["aspl"], Anneal(first_leg=100), id="aspl"),
    pytest.param(5, True, OBJECTIVES["delay_and_traffic"], Anneal(first_leg=100), id="delay"),
    pytest.param(6, False, OBJECTIVES["cost"], Anneal(first_leg=100), id="cost"),
    pytest.param(5, False, FRONTS["delay", "max_load"], Pareto(first_leg=100), id="front"),
    pytest.param(6, True, OBJECTIVES["aspl"], Anneal(first_leg=100, structured=True), id="structured"),
    *(
        pytest.param(n, folded, OBJECTIVES[name], strategy, id=f"{strategy.name}-{name}")
        for strategy in (Temper(replicas=3), Neighbourhood())
        for n, folded, name in ((6, False, "aspl"), (5, True, "delay_and_traffic"), (4, False, "cost"))
    ),
]


def searcher_setup(n, folded, objective, strategy):
    task = Task(ConnectionSets(n, folded), objective, seed=1)
    return setup_of(task, (strategy,) * strategy.chains, strategy.name)


@pytest.mark.parametrize(("n", "folded", "objective", "strategy"), SETUPS)
@given(seed=st.integers(0, 2**64 - 1), jobs=JOB_LENGTHS)
@settings(max_examples=20, deadline=None)
def test_saving_and_restoring_a_searcher_does_not_change_its_result(n, folded, objective, strategy, seed, jobs):
    setup = searcher_setup(n, folded, objective, strategy)
    state = first = setup.first(seed, 3, None)
    for share in jobs:
        state = advance((setup, 3, json.loads(json.dumps(state)), share, 1))[0]
    assert state == advance((setup, 3, first, sum(jobs), 1))[0]


def test_a_job_of_several_rounds_returns_the_designs_of_each():
    setup = searcher_setup(7, False, OBJECTIVES["aspl"], Anneal(first_leg=100))
    first = setup.first(1, 0, None)
    last_state, designs_of_rounds, _ = advance((setup, 0, first, 64, 30))
    state, last = first, []
    for designs in designs_of_rounds:
        state, [found], _ = advance((setup, 0, state, 64, 1))
        assert found == (designs or last)
        last = found
    assert state == last_state
    assert None in designs_of_rounds


@for_each("layout", ["paper", None])
def test_a_job_can_be_sent_to_another_process(layout):
    space = ConnectionSets(5, True) if layout else ConnectionSets(5, True, site=Site(layout=None))
    task = Task(space, OBJECTIVES["aspl"], seed=1)
    setup = setup_of(task, (Anneal(),) * 8, "anneal")
    job = (setup, 0, setup.first(1, 0, (1, 2, 4, 8, 16)), 100, 1)
    received = pickle.loads(pickle.dumps(job))
    assert received == job
    assert hash(received[0]) == hash(setup)
    assert advance(received)[0] == advance(job)[0]


@for_each("damage", [lambda s: s[:-1], lambda s: [*s[:9], s[9] ^ 1, *s[10:]], lambda s: ["x"], lambda s: 3])
def test_a_damaged_state_is_rejected_in_one_line(damage):
    setup = searcher_setup(5, False, OBJECTIVES["aspl"], Anneal())
    with pytest.raises(InputError, match=r"^checkpoint: .*; expected") as raised:
        setup.searcher(0, damage(setup.first(1, 0, None)))
    assert "\n" not in str(raised.value)


def test_a_state_of_another_dimension_is_rejected():
    larger = searcher_setup(6, False, OBJECTIVES["aspl"], Anneal())
    with pytest.raises(InputError, match="another version or dimension"):
        larger.searcher(0, searcher_setup(5, False, OBJECTIVES["aspl"], Anneal()).first(1, 0, None))


def test_a_state_belongs_to_the_kind_of_its_stream():
    task = Task(ConnectionSets(5), OBJECTIVES["aspl"], seed=1)
    setup = setup_of(task, Portfolio(mix=["anneal", "temper", "neighbourhood"]).settings(task), "portfolio")
    assert len(setup.kinds) == 8
    for stream in range(8):
        state = setup.first(1, stream, None)
        assert setup.searcher(stream, state).state() == state
        with pytest.raises(InputError, match="another version or dimension"):
            setup.searcher((stream + 1) % 3, state)


@for_each(
    ("given_values", "expected"),
    [
        (Anneal(hottest="0.1", fall="5"), Anneal(hottest=0.1, fall=5)),
        (Temper(hottest="0.1", coldest=Fraction(1, 100)), Temper(hottest=0.1, coldest=0.01)),
        (Neighbourhood(temperature="0.1"), Neighbourhood(temperature=0.1)),
    ],
)
def test_a_number_may_be_given_as_text_or_as_a_fraction(given_values, expected):
    assert given_values == expected
