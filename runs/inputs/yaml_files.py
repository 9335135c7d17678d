"""YAML files: the project's own configs, and untrusted ones, of runs and of a user's config folder."""

from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from hydra._internal.core_plugins import file_config_source
from hydra._internal.sources_registry import SourcesRegistry
from hydra.plugins.config_source import ConfigResult
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from isoplane.models import InputError
from isoplane.models.files.bounded_file import read_input
from isoplane.models.installed.entry_points import CHOICE_POINTS, points_of

MAX_BYTES = 1 << 18
MAX_VALUES = 20_000  # including those repeated by aliases
MAX_LEVELS = 50
# Tags of plain values; any other tag could construct objects.
TAGS = (None, "!", *(f"tag:yaml.org,2002:{name}" for name in ("bool", "float", "int", "map", "null", "seq", "str")))
NULLS = ("", "~", "null", "Null", "NULL")  # of a file without a value


def read_yaml(path: Path) -> Any:
    """Return the plain data of a file, with interpolations unresolved.

    Raises
    ------
    OSError
        If it cannot be read or is too large.
    InputError
        If it is not YAML, or has values that are not plain; one line that names file, line and column.
    """
    text = _checked_text(path)
    try:
        return OmegaConf.to_container(OmegaConf.create(text), resolve=False)
    except (yaml.YAMLError, OmegaConfBaseException, ValueError) as error:
        raise _yaml_error(path, error) from error


def packaged_yaml(file: Traversable) -> dict[str, Any]:
    """Return the data of one of the project's own configs, with interpolations unresolved."""
    data = OmegaConf.to_container(OmegaConf.create(file.read_text(encoding="utf-8")), resolve=False)
    return {str(key): value for key, value in data.items()} if isinstance(data, dict) else {}


def watch_sources() -> None:
    """Make Hydra check files before it reads them."""
    SourcesRegistry.instance().types["file"] = FileConfigSource


class FileConfigSource(file_config_source.FileConfigSource):  # Hydra requires the same name
    """A user's config folder (`--config-dir`, `hydra.searchpath`); each file is checked before it is loaded."""

    def __init__(self, provider: str, path: str) -> None:
        super().__init__(provider, path)
        _require_own_names(Path(self.path))

    def load_config(self, config_path: str) -> ConfigResult:
        """Return a config."""
        path = Path(self.path, self._normalize_file_name(config_path))
        if path.exists():
            try:
                _checked_text(path)
            except OSError as error:
                raise InputError(f"{path}: {error.strerror}; expected a config") from error
        try:
            return super().load_config(config_path)
        except (yaml.YAMLError, OmegaConfBaseException, ValueError) as error:
            raise _yaml_error(path, error) from error


def _require_own_names(folder: Path) -> None:
    """Require that no file has the name of a choice of isoplane or of a package.

    Hydra would take that of isoplane in its place, and merge the keys of that of a package with those of the file.
    """
    conf = Path(str(resources.files("isoplane.conf")))
    for group in () if folder.resolve() == conf.resolve() else _groups(conf):
        points = points_of(CHOICE_POINTS[group], ()) if group in CHOICE_POINTS else {}
        for path in sorted((folder / group).glob("*.yaml")):
            if (conf / group / path.name).is_file():
                clash = "also a choice of isoplane itself; expected a file of another name"
            elif path.stem in points:
                point = f"an entry point {CHOICE_POINTS[group]} of a package, {points[path.stem]}"
                clash = f"also {point}; expected the file or the package, not both"
            else:
                continue
            raise InputError(f"{path}: {group}={path.stem}: {clash}")


@cache
def _groups(conf: Path) -> tuple[str, ...]:
    """Return the folders of choices, each by its path in `conf`."""
    folders = {path.parent.relative_to(conf).as_posix() for path in conf.glob("*/**/*.yaml")}
    return tuple(sorted(folders))


def _checked_text(path: Path) -> str:
    """Return the text of a file after checking its parser events; no objects are constructed."""
    try:
        text = read_input(path, MAX_BYTES).decode("utf-8")
        _require_plain(path, text)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise _yaml_error(path, error) from error
    return text


def _require_plain(path: Path, text: str) -> None:
    """Require values without tags, limited in number and depth with all aliases expanded."""
    sizes: dict[str, int] = {}
    levels: list[tuple[str | None, int]] = [(None, 0)]  # anchor, and values so far
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        if isinstance(event, (yaml.ScalarEvent, yaml.CollectionStartEvent)) and event.tag not in TAGS:
            raise _error_at(path, event.start_mark, f"tag {event.tag}; expected plain values")
        if isinstance(event, yaml.CollectionStartEvent):
            levels.append((event.anchor, 0))
            _require_room(path, event, 0, len(levels))  # before the parser continues, which is slow at deep levels
            continue
        if isinstance(event, yaml.AliasEvent):
            if event.anchor not in sizes:
                raise _error_at(
                    path, event.start_mark, f"alias {event.anchor}; expected an alias of a complete earlier value"
                )
            anchor, size = None, sizes[event.anchor]
        elif isinstance(event, yaml.ScalarEvent):
            if len(levels) == 1 and event.value not in NULLS:
                raise _error_at(path, event.start_mark, f"{event.value[:40]!r}; expected keys with values")
            anchor, size = event.anchor, 1
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size = levels.pop()
        else:
            continue
        if anchor is not None:
            sizes[anchor] = size
        levels[-1] = levels[-1][0], levels[-1][1] + size
        _require_room(path, event, max(levels[-1][1], size), len(levels))


def _require_room(path: Path, event: yaml.Event, values: int, levels: int) -> None:
    if values > MAX_VALUES or levels > MAX_LEVELS:
        allowed = f"at most {MAX_VALUES}, with aliases expanded, in {MAX_LEVELS} levels"
        raise _error_at(path, event.start_mark, f"too many values; expected {allowed}")


def _error_at(path: Path, mark: yaml.Mark, what: str) -> InputError:
    return InputError(f"{path}, line {mark.line + 1}, column {mark.column + 1}: {what}")


def _yaml_error(path: Path, error: Exception) -> InputError:
    """Return the error for a file, in one line."""
    if isinstance(error, InputError):
        return error
    if isinstance(error, yaml.MarkedYAMLError) and error.problem_mark is not None:
        return _error_at(path, error.problem_mark, f"{error.problem or error.context}; expected YAML")
    return InputError(f"{path}: {' '.join(str(error).split())}; expected YAML")
