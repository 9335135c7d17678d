"""The page of all options, made from `conf/` when the site is built: a hook of MkDocs."""

import runpy
from collections.abc import Mapping
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[1]
# What `--help` reads too. By its path, because the site is built without the program.
READER = runpy.run_path(str(ROOT / "runs" / "config" / "option_files.py"))
SITE = "network_and_site"  # the groups that most verbs share
HEAD = """# Options

All options with their defaults, from the configs in `conf/`, as `isoplane VERB --help` shows them. `isoplane VERB
key=value` sets an option of a verb, `group=choice` takes another file of a group, and `group.key=value` sets an option
of that file.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those of the site."""
    files.append(File.generated(config, "options.md", content=page()))
    return files


def page() -> str:
    """Return the page."""
    verbs = [path.stem for path in sorted((ROOT / "conf").glob("*.yaml")) if path.stem != SITE]
    return "\n".join([HEAD, *map(_verb, verbs), *map(_group, [*READER["group_names"](), READER["LAUNCHER"]])])


def _verb(name: str) -> str:
    what, examples = READER["head_of"](name)
    groups = READER["groups_of"](name).items()
    links = ", ".join(f"[`{group}={choice}`](#{group}): {meaning}" for group, (choice, meaning) in groups)
    parts = [f"## {name}\n", *what, "\n```", *examples, "```\n", f"Groups: {links or 'none'}.\n"]
    return "\n".join([*parts, *_table(READER["options_of"](name))])


def _group(name: str) -> str:
    parts = [f"## {name}\n"]
    prefix = READER["option_name"](name, "")
    for choice, title in READER["choices_of"](name).items():
        parts += [f"### {name}={choice}\n", f"{title}\n", *_table(READER["keys_of"](name, choice), prefix)]
    return "\n".join(parts)


def _table(options: Mapping[str, Mapping[str, str]], prefix: str = "") -> list[str]:
    rows = [
        f"| `{prefix}{key}` | {option['meaning']} | {option['choices']} | {option['unit']} | `{option['default']}` |"
        for key, option in options.items()
    ]
    return ["| option | meaning | choices | unit | default |", "|---|---|---|---|---|", *rows, ""] if rows else []
