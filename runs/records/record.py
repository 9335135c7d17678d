"""Records: a design with its score and provenance, ready to be written."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from isoplane.models import Design
from isoplane.models.workloads import Workload
from isoplane.objectives import Evaluation, default_objective
from isoplane.objectives.bounds import BoundSource
from isoplane.objectives.evaluators import own_values_of
from isoplane.objectives.scoring.own_metrics import function_values

from .content import Record, class_id_of, design_content, id_of, names_content
from .origin import provenance
from .schemas import check_schema, version_of
from .workloads import workload_json

COMPLETE = "complete"  # a front found by an exhaustive search
GIVEN_BY = ("evaluate", "compare")  # verbs that stand for the strategy of designs that no search found


def record_of(
    design: Design,
    evaluation: Evaluation,
    *,
    objective: str,
    status: str,
    provenance: Mapping[str, Any],
    workload: Workload | None = None,
    bound_source: BoundSource | None = None,
    complete_front: bool = False,
    shorten: int | None = None,
) -> Record:
    """Return the record of a design.

    Parameters
    ----------
    design, evaluation
        The design, and its evaluation by the objective.
    objective
        Name of the objective.
    status
        ``optimal`` or ``feasible``.
    provenance
        Its provenance, as returned by `provenance`.
    workload
        The workload of the objective, if it has one.
    bound_source
        For a hybrid network, the source of its bound, and the designs for which it holds; for cubes, the enumeration
        that proves it.
    complete_front
        Whether it belongs to a front that is proven complete.
    shorten
        If a simulation judged the design: the factor by which messages were divided.

    Raises
    ------
    InputError
        If a value does not fit the schema.
    ValueError
        If it is called optimal without the bound that proves it.

    Examples
    --------
    >>> from isoplane.models import dual_cube
    >>> from isoplane.objectives import CUBES, Lexicographic
    >>> from isoplane.runs.records import provenance
    >>> design = Design(dual_cube(3, (3, 5, 7)))
    >>> found = Lexicographic("aspl", (("sum_of_distances",),), CUBES)(design)
    >>> record = record_of(design, found, objective="aspl", status="feasible", provenance=provenance(1, "exact", {}))
    >>> record["score"], record["bound"], record["metrics"]["aspl"]
    ([8], [None], 1.0)
    """
    score, bound = [int(part) for part in evaluation.score], list(evaluation.bound)
    if status == "optimal" and not proves(bound, score):
        raise ValueError(f"bound={bound} does not prove that score={score} is optimal")
    content = design_content(design)
    record = {
        "schema": version_of(design),
        "id": id_of(content),
        "class_id": class_id_of(design.network),
        **content,
        **names_content(design),
        **({} if workload is None else {"workload": workload_json(workload)}),
        **({} if shorten is None else {"judge": {"by": "simulator", "shorten": shorten}}),
        "metrics": dict(evaluation.metrics),
        **({"own_metrics": own} if (own := own_values_of(design, workload)) else {}),
        "objective": objective,
        "score": score,
        "score_names": list(evaluation.score_names),
        "bound": bound,
        **({} if bound_source is None else {"bound_source": bound_source.content}),
        "status": status,
        **({"front": COMPLETE} if complete_front else {}),
        "provenance": deepcopy(dict(provenance)),  # shared by many records
    }
    return check_schema(record)


def record_of_given(
    design: Design, config: Mapping[str, Any], workload: Workload | None = None, by: str = "evaluate", seed: int = 0
) -> Record:
    """Return the record of a design that no search found, with the score of its default objective.

    Parameters
    ----------
    design, workload
        The design, and the workload without which it has no metrics, if it is such a design.
    config
        What describes it, for the provenance.
    by, seed
        The verb that the design comes from, in place of a strategy, and its seed.
    """
    objective, origin = default_objective(design, workload), provenance(seed, by, config)
    return record_of(
        design, objective(design), objective=objective.name, status="feasible", provenance=origin, workload=workload
    )


def values_in(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return the metrics in a record, also those of packages, and what functions in its score return."""
    functions = function_values(record.get("score_names", ()), record.get("score", ()))
    return {**record.get("metrics", {}), **functions, **record.get("own_metrics", {})}


def proves(bound: list[int | None], score: list[int]) -> bool:
    """Whether bounds prove a score optimal: the first is reached, and so is every other one that is given.

    Examples
    --------
    >>> proves([8, None], [8, 90]), proves([None, None], [8, 90]), proves([8, 70], [8, 90])
    (True, False, False)
    """
    return bound[0] is not None and all(low in (None, part) for low, part in zip(bound, score, strict=True))
