"""A chain goes on from its state as if nothing had happened, wherever and however often it was saved."""

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from isoplane.models import InputError
from isoplane.search import Anneal, ConnectionSets, Pareto, Task
from isoplane.search.course import Leap, advance
from tests.search.cases import FRONTS, OBJECTIVES

LEAPS = st.lists(st.integers(1, 700), min_size=1, max_size=6)
COURSES = [
    pytest.param(6, False, OBJECTIVES["aspl"], False, id="aspl"),
    pytest.param(5, True, OBJECTIVES["delay_and_traffic"], False, id="delay"),
    pytest.param(6, False, OBJECTIVES["cost"], False, id="cost"),
    pytest.param(5, False, FRONTS["delay", "max_load"], True, id="front"),
]


def course_of(n, folded, objective, front):
    task = Task(ConnectionSets(n, folded), objective, seed=1)
    strategy = Pareto(first_leg=100) if front else Anneal(first_leg=100)
    return strategy.course(task, front=front)


@pytest.mark.parametrize(("n", "folded", "objective", "front"), COURSES)
@given(seed=st.integers(0, 2**64 - 1), leaps=LEAPS)
@settings(max_examples=25, deadline=None)
def test_a_chain_that_is_saved_and_restored_any_number_of_times_takes_the_same_course(
    n, folded, objective, front, seed, leaps
):
    course = course_of(n, folded, objective, front)
    state = first = course.first(seed, 3, None)
    for share in leaps:
        state = advance(Leap(course, json.loads(json.dumps(state)), share)).state
    assert state == advance(Leap(course, first, sum(leaps))).state


def test_a_leap_of_several_rounds_tells_what_each_of_them_found():
    course = course_of(7, False, OBJECTIVES["aspl"], False)
    first = course.first(1, 0, None)
    whole = advance(Leap(course, first, 64, 30))
    state, last = first, []
    for designs in whole.designs:
        landing = advance(Leap(course, state, 64))
        assert landing.designs[0] == (designs or last)
        state, last = landing.state, landing.designs[0]
    assert landing.state == whole.state
    assert None in whole.designs


@pytest.mark.parametrize("layout", ["paper", None])
def test_what_a_leap_needs_can_be_sent_to_another_process(layout):
    space = ConnectionSets(5, True) if layout else ConnectionSets(5, True, layout=None)
    task = Task(space, OBJECTIVES["aspl"], seed=1)
    course = Anneal().course(task, front=False)
    leap = Leap(course, course.first(1, 0, (1, 2, 4, 8, 16)), 100)
    sent = pickle.loads(pickle.dumps(leap))
    assert sent == leap
    assert hash(sent.course) == hash(course)
    assert advance(sent).state == advance(leap).state


@pytest.mark.parametrize(
    "damage", [lambda s: s[:-1], lambda s: [*s[:9], s[9] ^ 1, *s[10:]], lambda s: ["x"], lambda s: 3]
)
def test_a_damaged_state_is_refused_in_one_line(damage):
    course = course_of(5, False, OBJECTIVES["aspl"], False)
    with pytest.raises(InputError, match=r"^journal: .*; allowed is") as raised:
        course.chain(damage(course.first(1, 0, None)))
    assert "\n" not in str(raised.value)


def test_a_state_of_another_dimension_is_refused():
    larger = course_of(6, False, OBJECTIVES["aspl"], False)
    with pytest.raises(InputError, match="another version or dimension"):
        larger.chain(course_of(5, False, OBJECTIVES["aspl"], False).first(1, 0, None))
