"""The folder of a search: consistent at any time, even if the program is killed."""

import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from omegaconf import OmegaConf

from isoplane.models import Design
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import append_line, write_atomically
from isoplane.objectives import Lexicographic
from isoplane.runs.drawing.objective_text import printed_bound, printed_title
from isoplane.runs.records import read_record, text_of, write_record
from isoplane.search import Candidate, Solution

from .checkpoint import SHARE, FolderCheckpoint
from .folder_lock import RECORDS, RESULTS, locked
from .solution_record import proven_fields, record_of_solution

START = "start"  # page of the checkpoint: the candidate of a warm start
HEADER = "seconds,evaluations,score,bound"
NOTED_S = 2.0  # between two notes of the progress


class RunFolder:
    """Writes config, records, history, summary and checkpoint of a search; before the first solution, only its lock.

    Records, summary and checkpoint are replaced atomically; a line of the history is one write. A dominated
    record is removed only after the summary no longer names it. In a resumed folder nothing is written while
    replayed solutions are already in its history. As a context manager, it locks the folder before reading it, and
    until the end of the block.

    Parameters
    ----------
    start
        The warm start, saved in the checkpoint.
    resumed
        Whether the folder holds a run to resume.

    Raises
    ------
    InputError
        On entering, if a new run is to be written into a folder that holds one, another program has locked it, or it
        cannot be written.
    """

    def __init__(
        self,
        path: Path,
        objective: Lexicographic,
        provenance: Mapping[str, Any],
        config: Mapping[str, Any],
        start: Candidate | None = None,
        *,
        resumed: bool = False,
    ) -> None:
        self.path = path
        self.checkpoint = FolderCheckpoint(path / "checkpoint", self._begin)
        self._start = start
        self._objective = objective
        self.provenance = provenance
        self._config = config
        self._resumed = resumed
        self._solutions: dict[Design, Solution] = {}
        self._names: dict[Design, str] = {}  # of records already written
        self._history: list[str] = []
        self._replayed = 0  # lines of the history replayed so far
        self._truncated = not resumed
        self._more: Mapping[str, object] = {}  # of the last note
        self._note_at = 0.0  # when the next note is due, by the monotonic clock
        self._lock = ExitStack()

    def __enter__(self) -> Self:
        option, foreign = ("resume", ()) if self._resumed else ("hydra.run.dir", (*RESULTS, RECORDS))
        with ExitStack() as lock:
            lock.enter_context(locked(self.path, option, foreign))
            if self._resumed:
                self._history = _whole_lines(self.path / "history.csv")
            # Kept beyond this block only if the history could be read; an error releases the lock at once.
            self._lock = lock.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._lock.close()

    @property
    def records(self) -> list[str]:
        """File names of the records, best score first."""
        return [self._names[design] for design in self._rank()]

    @property
    def solutions(self) -> list[Solution]:
        """The solutions of `records`, in their order."""
        return [self._solutions[design] for design in self._rank()]

    @property
    def is_replaying(self) -> bool:
        """Whether the history has lines not yet replayed."""
        return self._replayed < len(self._history)

    def add(self, solution: Solution) -> None:
        """Write an improvement, and remove the records of designs that it dominates.

        A design that is found again, by another solver, is not an improvement: only its record changes.
        """
        old = self._solutions.get(solution.design)
        self._solutions[solution.design] = solution
        self._names.pop(solution.design, None)
        self._solutions = {design: kept for design, kept in self._solutions.items() if design in solution.kept}
        evaluation = solution.evaluation
        if old is not None and old.evaluation == evaluation:
            if not self.is_replaying:
                self.summarise(solution.evaluations, solution.seconds, None, **self._more)
            return
        bounded = any(part is not None for part in evaluation.bound)
        bound = " ".join("-" if part is None else str(part) for part in evaluation.bound) if bounded else ""
        line = f"{solution.evaluations},{' '.join(map(str, evaluation.score))},{bound}"
        # Compared without the seconds, which differ from run to run.
        if self.is_replaying and self._history[self._replayed].partition(",")[2] == line:  # replayed
            self._replayed += 1
            return
        self._begin()
        self._write_records()
        self._truncate_history()
        append_line(self.path / "history.csv", f"{solution.seconds:.3f},{line}")
        self.summarise(solution.evaluations, solution.seconds, None, **self._more)

    def note(self, evaluations: int, seconds: float, **more: object) -> None:
        """Note the progress of the search in its summary, every few seconds, for those who watch its folder."""
        began = time.monotonic()
        self._more = more
        if self.is_replaying or not self.solutions or began < self._note_at:
            return
        self.summarise(evaluations, seconds, None, **more)
        ended = time.monotonic()
        self._note_at = ended + max(NOTED_S, (ended - began) / SHARE)

    def summarise(self, evaluations: int, seconds: float, stopped_by: str | None, **more: object) -> None:
        """Replace summary.json, and remove the records that it no longer names."""
        self._write_records()
        self._truncate_history()
        best = self.solutions[0]
        summary = {
            "best": self.records[0],
            "records": self.records,
            "objective": self._objective.name,
            "score": list(best.evaluation.score),
            "score_names": list(best.evaluation.score_names),
            "bound": list(best.evaluation.bound),
            "printed": self._objective.printed(best.evaluation.score, best.design.network),
            "printed_bound": printed_bound(self._objective, best.evaluation.bound, best.design.network),
            "printed_title": " ".join(printed_title(self._objective).split()).removeprefix("best "),
            **proven_fields(best, self._objective),
            **({} if best.proof.solver is None else {"solver": best.proof.solver}),
            "stopped_by": stopped_by,
            "evaluations": evaluations,
            "seconds": round(seconds, 3),
            "seed": self.provenance["seed"],
            **more,
        }
        write_atomically(self.path / "summary.json", text_of(summary))
        # Last: until the new summary is there, a killed run must find the records that the old one names.
        for file in (self.path / "records").iterdir():
            if file.name not in summary["records"]:
                file.unlink()

    def write_proof(self, proof: Mapping[str, Any]) -> None:
        """Write the counts of an exact search, and its revision, to proof.json."""
        origin = {name: self.provenance[name] for name in ("revision", "uncommitted_changes", "versions")}
        write_atomically(self.path / "proof.json", text_of({**origin, **proof}))

    def _rank(self) -> list[Design]:
        """Return the designs, best score first."""
        return sorted(
            self._solutions, key=lambda design: (self._solutions[design].evaluation.score, self._names.get(design, ""))
        )

    def _write_records(self) -> None:
        for design, solution in self._solutions.items():
            if design in self._names:
                continue
            record = record_of_solution(solution, self._objective, self.provenance)
            path = write_record(self.path / "records", record)
            # The run may have started with another stopping criterion, which is part of its provenance.
            if self._resumed and read_record(path) | {"provenance": record["provenance"]} == record:
                write_atomically(path, text_of(record))
            self._names[design] = path.name

    def _begin(self) -> None:
        if (self.path / "history.csv").exists():
            return
        if not (self.path / "config.yaml").exists():
            write_atomically(self.path / "config.yaml", OmegaConf.to_yaml(OmegaConf.create(dict(self._config))))
        # After the config: a folder with a history can be resumed.
        write_atomically(self.path / "history.csv", f"{HEADER}\n")
        if self._start is not None:
            # Saving calls this method again, which by now finds the history and returns.
            self.checkpoint.save(START, list(self._start))

    def _truncate_history(self) -> None:
        """Drop the lines of the history that were not replayed: a run with a larger limit may not reach them."""
        if not self._truncated:
            self._history = self._history[: self._replayed]
            text = "".join(f"{line}\n" for line in [HEADER, *self._history])
            write_atomically(self.path / "history.csv", text)
            self._truncated = True


def _whole_lines(path: Path) -> list[str]:
    """Return the lines of a history after the first, without an incomplete last line."""
    text = read_input(path, 1 << 30).decode("utf-8") if path.exists() else ""
    return text[: text.rfind("\n") + 1].splitlines()[1:]
