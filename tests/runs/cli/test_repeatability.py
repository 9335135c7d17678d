"""The seed decides the result: the same bytes with one and two workers, apart from the seconds."""

from tests.cases import for_each


def bytes_of(run):
    """Records and history of a run, without the column of seconds."""
    records = {path.name: path.read_bytes() for path in (run / "records").iterdir()}
    history = [line.partition(b",")[2] for line in (run / "history.csv").read_bytes().splitlines(keepends=True)]
    return records, history


@for_each(
    "words",
    [
        ("network.n=8", "strategy=anneal", "stop.evaluations=1300001"),  # two rounds and part of a third
        ("network.n=9", "strategy=portfolio", "stop.evaluations=600001"),
        ("network.n=5", "network=folded_hypercube", "objective=front", "strategy=exact"),
    ],
)
def test_a_seed_gives_the_same_bytes_whatever_the_number_of_workers(search_once, words):
    runs = [search_once(*words, "seed=3", f"workers={workers}")[1] for workers in (1, 2)]
    records, history = bytes_of(runs[0])
    assert records
    assert history[0] == b"evaluations,score,bound\n"
    assert len(history) > 1
    assert (records, history) == bytes_of(runs[1])
