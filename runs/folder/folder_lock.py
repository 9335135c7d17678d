"""Locks of folders: one program writes at a time, and holds the lock before its first write."""

import fcntl
import os
import shlex
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from pathlib import Path

from hydra.core.hydra_config import HydraConfig

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.files.output_file import remove_temporary
from isoplane.runs.config.config_values import config_folders, given_words, key_of
from isoplane.runs.config.option_files import choices_of
from isoplane.runs.terminal.log import log_words

from .job_list import job_list_of, saved_sweep, sweep_folders

LOCK = ".lock"
ATTEMPTS, RETRY_S = 500, 0.002  # to take a lock that others share
# Files of a run, simulation, sweep, export or import in its folder; a reproduced figure adds to its own `records`.
RESULTS = (
    "config.yaml",
    "curve.csv",
    "design.json",
    "fabric.json",
    "history.csv",
    "checkpoint",
    "manifest.json",
    "multirun.yaml",
    "proof.json",
    "report.html",
    "report.json",
    "summary.json",
)
JOURNAL = "calls.jsonl"  # of a comparison, until it is complete
# What a run is, by the first of these files in its folder.
RUN_KINDS: Mapping[str, str] = {
    "history.csv": "search",
    "comparison.json": "comparison",
    JOURNAL: "comparison",
    "curve.csv": "simulation",
    "design.json": "simulation",
    "fabric.json": "import",
    "manifest.json": "export",
}
RESUMABLE = {"history.csv": "search", JOURNAL: "compare"}  # verbs that continue a run, by a file in its folder
RECORDS = "records"
OF_FIGURES = ("fig*", "throughput*", RECORDS, "programs")  # patterns of what a reproduced figure may find in its folder


def kind_of_folder(folder: Path) -> str | None:
    """Return what a folder is of: ``sweep``, one of `RUN_KINDS`, or None."""
    if (folder / "multirun.yaml").exists():
        return "sweep"
    kind = next((kind for name, kind in RUN_KINDS.items() if (folder / name).exists()), None)
    # That of a search of all sizes has no job list.
    return "sweep" if kind is None and any(folder.glob("*/summary.json")) else kind


def is_of_job(place: Path) -> bool:
    """Whether a folder is of a job: has files of a run, or the number of one, or is empty where these have names."""
    if (place / "config.yaml").exists() or kind_of_folder(place) is not None:
        return True
    if not (path := job_list_of(place.parent)).exists():
        return False
    try:
        *_, is_numbered = saved_sweep(read_input(path))
    except ValueError:  # damaged, which whoever reads it next will say
        return True
    return place.name.isdecimal() if is_numbered else all(file.name.startswith(".") for file in place.iterdir())


def verb_to_resume(folder: Path) -> str:
    """Return the verb that continues what a folder holds; empty if none does."""
    if (path := job_list_of(folder)).exists():
        with suppress(OSError, ValueError):  # a damaged job list continues nothing
            verb, *_ = saved_sweep(read_input(path))
            return verb if verb in RESUMABLE.values() else ""
    names = RESUMABLE if (folder / "config.yaml").exists() else ()
    return next((RESUMABLE[name] for name in names if (folder / name).exists()), "")


def resume_command(verb: str, folder: Path) -> str:
    """Return the command that continues a run or a sweep.

    It has the folders of choices of the current command or, where that has none, those of the command that began the
    sweep; what chooses a strategy of the user's own, which no file may name; and the log, which is in no file either.

    Examples
    --------
    >>> resume_command("search", Path("a run"))
    "isoplane search 'resume=a run'"
    """
    folders = config_folders() or sweep_folders(folder)
    return shlex.join(["isoplane", verb, *folders, *_own_strategy(verb), f"resume={folder}", *log_words()])


def _own_strategy(verb: str) -> list[str]:
    """Return the words that give the current search a strategy of the user's own; none of other verbs."""
    choice = HydraConfig.get().runtime.choices.get("strategy") if HydraConfig.initialized() else None
    words = [word for word in given_words() if key_of(word).partition(".")[0] == "strategy"]
    if verb != "search" or choice is None or (choice in choices_of("strategy") and "_target_" not in " ".join(words)):
        return []
    return words or [f"strategy={choice}"]  # as where a sweep is resumed


@contextmanager
def locked(folder: Path, option: str, foreign: tuple[str, ...] = (), reused: tuple[str, ...] = ()) -> Iterator[None]:
    """Lock a folder, which is created if missing, until the end of the block; no other program can lock it.

    The lock is a file that is open and locked (flock), so it ends with its program, however that ends. It is removed
    when it is released; a file left by a killed program locks nothing. A lock on the folder itself would leave no
    file, but NFS locks only files that are open for writing. Folders that were created are removed if they end empty.

    Parameters
    ----------
    folder
        The folder to lock.
    option
        The option of the command line that named it.
    foreign
        Names whose presence shows that the folder holds another run; none for a folder that is continued. A new run
        needs a folder that is empty but for hidden files.
    reused
        Patterns of names that may be there all the same.

    Raises
    ------
    InputError
        If another program has locked it, it holds a run or anything else, or its file system has no locks.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as made, locked(Path(made), "resume"):
    ...     (Path(made) / LOCK).exists()
    True
    """
    require_free(folder, option, foreign, reused)
    created = missing_folders(folder)
    descriptor = _lock(folder, option, foreign)
    try:
        require_free(folder, option, foreign, reused)  # another program may have completed a run in it in the meantime
        remove_temporary(folder)
        yield
    finally:
        # Removed before it is closed: after that, another program may hold a lock on the same file.
        if _is_in(folder, descriptor):
            (folder / LOCK).unlink()
        os.close(descriptor)
        with suppress(OSError):  # a folder with files stays, and so do those that contain it
            for place in created:
                place.rmdir()


def missing_folders(folder: Path) -> list[Path]:
    """Return a folder and those above it as far as they do not exist, innermost first."""
    folder = folder.absolute()
    return [place for place in (folder, *folder.parents) if not place.exists()]


@contextmanager
def figure_folder(given: Path | None = None) -> Iterator[Path]:
    """Lock a folder for a recomputed figure, by default that of this command; records already there are reused.

    Raises
    ------
    InputError
        If another program has locked it, or it holds another run.
    """
    folder = Path(HydraConfig.get().runtime.output_dir) if given is None else given
    with locked(folder, "hydra.run.dir" if given is None else "folder", RESULTS, OF_FIGURES):
        yield folder


def require_free(folder: Path, option: str, foreign: tuple[str, ...], reused: tuple[str, ...] = ()) -> None:
    """Require that a folder holds no other run; see `locked`."""
    if not foreign:
        return
    try:
        names = sorted(path.name for path in folder.iterdir())  # once: another program may begin a run at any moment
    except (FileNotFoundError, NotADirectoryError):
        return
    if not set(foreign).isdisjoint(names):
        verb = verb_to_resume(folder)
        continued = f", or {resume_command(verb, folder)} to continue it" if verb else ""
        raise InputError(f"{option}={folder}: holds a run already; expected a new or empty folder{continued}")
    for name in names:
        if not name.startswith(".") and not any(fnmatchcase(name, pattern) for pattern in reused):
            raise InputError(f"{option}={folder}: holds {name}; expected a new or empty folder")


def _lock(folder: Path, option: str, foreign: tuple[str, ...]) -> int:
    """Return the open file that locks a folder."""
    while True:
        folder.mkdir(parents=True, exist_ok=True)
        try:
            # O_NOFOLLOW: a link must not lead the lock out of the folder. O_CLOEXEC: a program that is started must not
            # keep it.
            descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o666)
        except FileNotFoundError:
            continue  # a program that wrote nothing removes the empty folder that it created
        try:
            _take(descriptor)
        except BlockingIOError as error:
            os.close(descriptor)
            allowed = "a new or empty folder" if foreign else "a run that has ended"
            raise InputError(f"{option}={folder}: in use by another program; expected {allowed}") from error
        except OSError as error:
            os.close(descriptor)
            allowed = "a folder on a file system with locks"
            raise InputError(f"{option}={folder}: cannot be locked ({error.strerror}); expected {allowed}") from error
        if _is_in(folder, descriptor):
            os.utime(descriptor)  # later than what the folder has so far, also if a killed program has left the file
            return descriptor
        os.close(descriptor)  # another program released and removed it between the two calls


def _take(descriptor: int) -> None:
    """Take the lock of an open file, which `is_locked` in another program may share for an instant.

    Raises
    ------
    BlockingIOError
        If a program holds it.
    """
    for _ in range(ATTEMPTS):
        try:
            return fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)  # raises the same if it is not shared
            fcntl.flock(descriptor, fcntl.LOCK_UN)
            time.sleep(RETRY_S)
    raise BlockingIOError


def is_locked(folder: Path) -> bool:
    """Whether a program holds the lock of a folder; no file is written to find out."""
    try:
        descriptor = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError:  # there is none, or it is that of another user, whose sweep this one does not continue
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def _is_in(folder: Path, descriptor: int) -> bool:
    """Whether the lock file of a folder is the one that is open."""
    try:
        return os.path.samestat((folder / LOCK).lstat(), os.fstat(descriptor))
    except FileNotFoundError:
        return False
