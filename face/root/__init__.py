"""What `import isoplane` gives: the verbs as functions.

Results show, draw, list and save themselves.

Options are those of the command line, as keyword arguments: a choice of a group by its name, keys of a group as a
mapping or with dots, and keys of the network alone::

    find(network="hypercube", n=6, objective="aspl", stop={"seconds": 2})
    find(network="hypercube", objective="aspl", **{"network.n": 6, "stop.seconds": 2})

======================================================  ==============================================================
`find(**options) -> Search`                             the verb `search`: yields a `Result` for each improvement
`compare(**options) -> Result`                          designs of families for a number of nodes
`evaluate(design, **options) -> Result`                 metrics of a network, also one made in Python, or of several
`evaluate_batch(generators, ...) -> CubeMetrics`        metrics of many cubes as arrays
`verify(design, **options) -> tuple[Difference, ...]`   the numbers that differ from those of the reference
`simulate(design, **options) -> Result`                 latencies and accepted loads, simulated
`export(design, format, folder, **options)`             files of other tools
`reproduce(experiment, folder, **options) -> Result`    a figure of a paper, computed again
`load(path, **options) -> Result`                       a record, a saved result, the folder of a run, or a fabric
`list_networks()`, `list_objectives()`, `list_workloads()`  choices of a group, and what each is
`show(result)`                                          picture and numbers in a notebook, numbers elsewhere
======================================================  ==============================================================

Metrics have the names of records. Nothing is written unless a path is given. Bad input raises `InputError`.
"""

TYPE_CHECKING = False  # as of typing, which takes longer to import than this package

if TYPE_CHECKING:
    from isoplane.face.choices import list_networks, list_objectives, list_workloads
    from isoplane.face.comparisons import compare
    from isoplane.face.designs import evaluate, export, verify
    from isoplane.face.loading import load
    from isoplane.face.notebook import show
    from isoplane.face.reproduced import reproduce
    from isoplane.face.result import Result
    from isoplane.face.searches import Search, find
    from isoplane.face.simulated import simulate
    from isoplane.models import Design, InputError, Network
    from isoplane.models.installed.version import __version__
    from isoplane.objectives import CubeMetrics, evaluate_batch
    from isoplane.runs.records import Difference
else:

    def __getattr__(name):
        """Import a name at its first use, so that the package itself costs nothing."""
        from isoplane.models.lazy_names import handed_on

        globals()["__getattr__"] = handed_on(__name__, __file__)
        return globals()["__getattr__"](name)


__all__ = [
    "CubeMetrics",
    "Design",
    "Difference",
    "InputError",
    "Network",
    "Result",
    "Search",
    "__version__",
    "compare",
    "evaluate",
    "evaluate_batch",
    "export",
    "find",
    "list_networks",
    "list_objectives",
    "list_workloads",
    "load",
    "reproduce",
    "show",
    "simulate",
    "verify",
]


def __dir__() -> list[str]:
    return __all__
