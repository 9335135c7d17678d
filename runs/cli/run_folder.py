"""The folder of a search: always whole, whenever the program dies."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from omegaconf import OmegaConf

from isoplane.models import Design, InputError
from isoplane.objectives import Objective
from isoplane.runs.records import record_of, text_of, write_atomically, write_record
from isoplane.search import Solution

FILES = ("config.yaml", "history.csv", "records", "report.html", "summary.json")


class RunFolder:
    """Writes config, records, history and summary of one search; nothing before the first solution.

    Records and summary are replaced atomically; a line of the history is one write. A record that is beaten is
    removed only after the summary no longer names it.

    Raises
    ------
    InputError
        If the folder already holds a run or cannot be written.
    """

    def __init__(
        self, path: Path, objective: Objective, provenance: Mapping[str, Any], config: Mapping[str, Any]
    ) -> None:
        self.path = path
        self._objective = objective
        self._provenance = provenance
        self._config = config
        self._records: dict[str, tuple[Design, Solution]] = {}
        if any((path / name).exists() for name in FILES):
            raise InputError(f"hydra.run.dir={path}: holds a run already; allowed is a new or empty folder")

    @property
    def records(self) -> list[str]:
        """File names of the records, best score first."""
        return sorted(self._records, key=lambda name: (self._records[name][1].evaluation.score, name))

    @property
    def solutions(self) -> list[Solution]:
        """The solutions of `records`, in their order."""
        return [self._records[name][1] for name in self.records]

    def add(self, solution: Solution) -> None:
        """Write an improvement down, and remove the records of designs that it beats."""
        if not self._records:
            self._begin()
        evaluation = solution.evaluation
        record = record_of(
            solution.design,
            evaluation,
            objective=self._objective.name,
            status=solution.status,
            provenance=self._provenance,
        )
        name = write_record(self.path / "records", record).name
        self._records[name] = (solution.design, solution)
        beaten = [name for name, (design, _) in self._records.items() if design not in solution.kept]
        for old in beaten:
            del self._records[old]
        bound = " ".join(str(part) for part in evaluation.bound) if None not in evaluation.bound else ""
        score = " ".join(map(str, evaluation.score))
        self._append(f"{solution.seconds:.3f},{solution.evaluations},{score},{bound}")
        self.summarise(solution.evaluations, solution.seconds, None)
        for old in beaten:
            (self.path / "records" / old).unlink()

    def summarise(self, evaluations: int, seconds: float, stopped_by: str | None, **more: object) -> None:
        """Replace summary.json."""
        best = self.records[0]
        _, solution = self._records[best]
        summary = {
            "best": best,
            "records": self.records,
            "objective": self._objective.name,
            "score": list(solution.evaluation.score),
            "score_names": list(solution.evaluation.score_names),
            "printed": self._objective.printed(solution.evaluation.score, solution.design.network),
            "status": solution.status,
            "stopped_by": stopped_by,
            "evaluations": evaluations,
            "seconds": round(seconds, 3),
            "seed": self._provenance["seed"],
            **more,
        }
        write_atomically(self.path / "summary.json", text_of(summary))

    def _begin(self) -> None:
        self.path.mkdir(parents=True, exist_ok=True)
        write_atomically(self.path / "config.yaml", OmegaConf.to_yaml(OmegaConf.create(dict(self._config))))
        self._append("seconds,evaluations,score,bound")

    def _append(self, line: str) -> None:
        descriptor = os.open(self.path / "history.csv", os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(descriptor, f"{line}\n".encode())
        finally:
            os.close(descriptor)
