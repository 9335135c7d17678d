"""Work on slices in threads: in order, and not waited for once nobody needs it."""

from threading import Event

from isoplane.models.steps import steps_text
from isoplane.objectives.general.arrays import in_threads


def test_results_are_in_order_and_the_share_that_is_done_is_shown():
    shown = []
    for result in in_threads(lambda part: (part.start, part.stop), 5, 2, "halves"):
        shown.append((result, steps_text().split(",")[0]))
    assert shown == [((0, 2), "halves 33 %"), ((2, 4), "halves 67 %"), ((4, 5), "halves 100 %")]
    assert steps_text() == ""


def test_calls_that_run_when_the_caller_ends_are_not_waited_for():
    go_on, ended = Event(), []

    def work(part):
        if part.start:
            go_on.wait(60)
            ended.append(part)

    results = in_threads(work, 2, 1)
    next(results)
    results.close()
    assert ended == []
    go_on.set()
