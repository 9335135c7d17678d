"""From the words of a command line to one run of a verb, or to its Hydra application."""

import io
import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, redirect_stderr
from pathlib import Path

from omegaconf import DictConfig, open_dict, read_write

from isoplane.runs.terminal.codes import BAD_INPUT, Ending
from isoplane.runs.terminal.log import logged
from isoplane.runs.terminal.messages import print_message

from .hydra_folders import check_folders
from .job import QUIET, composition_errors, errors_in_one_line, run_job
from .typed_words import asks_for_sizes, typed_words

LOG = "log="  # of a file, see `conf/common.yaml`
GROUPS_OF_HYDRA = ("hydra.launcher=", "hydra.sweeper=")  # whose choices are given with a slash
# Options of Hydra with which a single run stays one; any other may make it a sweep.
PLAIN = ("hydra.run.", "hydra.sweep.", "hydra.output_subdir=", "hydra/job_logging=", "hydra/hydra_logging=")


def run_verb(verb: str, words: list[str]) -> int:
    """Run a verb with the rest of its command line, logged if it asks for that, and return the exit code."""
    given = [word.removeprefix(LOG) for word in words if word.startswith(LOG)]
    rest = [word for word in words if not word.startswith(LOG)]
    if not given or given == ["null"]:
        return _run(verb, rest)
    path = Path(given[-1])
    with ExitStack() as log:
        try:
            log.enter_context(logged(path, shlex.join(["isoplane", verb, *words])))
        except OSError as error:
            print_message(f"isoplane {verb}: {LOG}{path}: {error.strerror}; expected a file that can be written")
            return BAD_INPUT
        return _run(verb, rest)


def _run(verb: str, words: list[str]) -> int:
    """Run a verb with the rest of its command line, and return the exit code.

    A single run composes its config and is a call; flags, such as ``--multirun``, need Hydra's own application.
    """
    from isoplane.runs.inputs.yaml_files import watch_sources

    try:
        flags, overrides = _split_words(words)
    except ValueError as problem:
        print_message(f"isoplane {verb}: {problem}; isoplane {verb} --help shows the options")
        return BAD_INPUT
    of_hydra = [word for word in (each.lstrip("+") for each in overrides) if word.startswith("hydra")]
    dotted = next((word for word in of_hydra if word.startswith(GROUPS_OF_HYDRA)), None)
    if dotted is not None:  # Hydra would fail with the name of a class
        print_message(f"isoplane {verb}: {dotted}: has keys of its own; expected {dotted.replace('.', '/', 1)}")
        return BAD_INPUT
    may_sweep = bool(flags) or not all(word.startswith(PLAIN) for word in of_hydra)
    try:
        overrides = typed_words(verb, overrides, sweep=may_sweep)
    except ValueError as problem:
        print_message(f"isoplane {verb}: {problem}")
        return BAD_INPUT
    watch_sources()
    code = _code_of_resumed_sweep(verb, flags, overrides)
    if code is not None:
        return code
    if may_sweep:
        from .applications import run_application

        return run_application(verb, flags, overrides)
    if not asks_for_sizes(verb, overrides):
        return _run_once(verb, overrides)
    with errors_in_one_line(verb, overrides, Ending()) as ending:
        from .sized_search import search_sizes  # heavy: reads all families

        ending.code = search_sizes(overrides, lambda words: _run_once(verb, words))
    return ending.code


def _code_of_resumed_sweep(verb: str, flags: list[str], overrides: list[str]) -> int | None:
    """Return the exit code of a sweep that these words continue; None if they do not."""
    if not any(word.startswith("resume=") for word in overrides):
        return None
    from .resumed_sweep import sweep_to_resume  # heavy: records

    with errors_in_one_line(verb, overrides, Ending()) as ending:
        sweep = sweep_to_resume(verb, overrides)
    if ending.code or sweep is None:
        return ending.code or None
    from .applications import run_application

    return run_application(verb, [*flags, "--multirun"], *sweep)


def _run_once(verb: str, overrides: list[str]) -> int:
    with errors_in_one_line(verb, overrides, Ending()) as ending, configured(verb, overrides) as config:
        ending.code = run_job(verb, config)
    return ending.code


@contextmanager
def configured(verb: str, overrides: Sequence[str]) -> Iterator[DictConfig]:
    """Compose the config of a single run, which `HydraConfig` describes inside the block."""
    from hydra.core.hydra_config import HydraConfig

    config = _composed(verb, overrides)
    check_folders(config, multirun=False)
    described = HydraConfig.instance().cfg
    with read_write(config), open_dict(config):
        config.hydra.runtime.output_dir = str(Path(config.hydra.run.dir).absolute())
        HydraConfig.instance().set_config(config)
        del config["hydra"]
    try:
        yield config
    finally:
        # The next run in this process finds it as this one did.
        HydraConfig.instance().cfg = described


def _composed(verb: str, overrides: Sequence[str]) -> DictConfig:
    """Return the config of a verb, Hydra's part included."""
    from hydra import compose, initialize_config_module

    from isoplane.runs.config.installed_choices import add_installed_choices

    with composition_errors(verb, overrides), initialize_config_module("isoplane.conf", version_base="1.3"):
        add_installed_choices()
        return compose(verb, [*QUIET, *overrides], return_hydra_config=True)


def _split_words(words: list[str]) -> tuple[list[str], list[str]]:
    """Return flags and overrides separately, because Hydra accepts overrides only on one side of a flag.

    Raises
    ------
    ValueError
        If a flag is wrong; Hydra itself would print a page of usage.
    """
    from hydra._internal.utils import get_args_parser

    usage = io.StringIO()
    try:
        with redirect_stderr(usage):
            known, unknown = get_args_parser().parse_known_intermixed_args(words)
    except SystemExit as end:
        if not end.code:
            raise
        raise ValueError(usage.getvalue().strip().rpartition("error: ")[2]) from end
    if unknown:
        raise ValueError(f"{unknown[0]}: unknown flag")
    if known.experimental_rerun is not None:
        raise ValueError("--experimental-rerun: it would run code from a file; expected isoplane search resume=FOLDER")
    for flag in ("--config-name", "--config-path"):
        if getattr(known, flag.removeprefix("--").replace("-", "_")) is not None:
            raise ValueError(f"{flag}: not supported, as a verb has its own config; expected options, or --config-dir")
    # The parser does not tell where overrides stood: each is taken off the words once, and what remains is flags.
    rest = Counter(known.overrides)
    flags = []
    for word in words:
        if rest[word]:
            rest[word] -= 1
        else:
            flags.append(word)
    return flags, known.overrides
