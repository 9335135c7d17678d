"""The page of all options, made from `conf/` when the site is built: a hook of MkDocs."""

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

CONF = Path(__file__).parents[1] / "conf"
GROUPS = sorted({path.parent.name for path in CONF.glob("*/*.yaml")})
SITE = "network_and_site"  # the groups that most verbs share
OPTION = re.compile(r"^(\w+): (.*?)(?: # (.*))?$", re.MULTILINE)
CHOICE = re.compile(r"^  - (\w+)(?:: (\w+))?(?: #.*)?$", re.MULTILINE)
HEAD = """# Options

All options with their defaults, from the configs in `conf/`. `isoplane VERB key=value` sets an option of a verb,
`group=choice` takes another file of a group, and `group.key=value` sets an option of that file.
"""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the page to those of the site."""
    verbs = [path for path in sorted(CONF.glob("*.yaml")) if path.stem != SITE]
    page = "\n".join([HEAD, *map(_verb, verbs), *map(_group, GROUPS)])
    files.append(File.generated(config, "options.md", content=page))
    return files


def _verb(path: Path) -> str:
    text = _text(path).replace(f"  - {SITE}\n", _text(CONF / f"{SITE}.yaml"))
    groups = [f"[`{group}={choice or 'null'}`](#{group})" for group, choice in CHOICE.findall(text) if group in GROUPS]
    rows = [f"| `{key}` | `{value}` | {words.replace('|', '&#124;')} |" for key, value, words in OPTION.findall(text)]
    table = ["| option | default | |", "|---|---|---|", *rows, ""] if rows else []
    return "\n".join([f"## {path.stem}\n", f"Groups: {', '.join(groups) or 'none'}.\n", *table])


def _group(name: str) -> str:
    choices = sorted((CONF / name).glob("*.yaml"))
    return "\n".join([f"## {name}\n", *(f"### {name}={path.stem}\n\n```yaml\n{_text(path)}```\n" for path in choices)])


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")
