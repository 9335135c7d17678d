"""Completion of verbs, keys and choices: static scripts for shells, made from the files in `conf` as the help is."""

import re
from collections.abc import Mapping

from isoplane.runs.config.installed_choices import shown_choices, shown_keys, shown_option
from isoplane.runs.config.option_files import Option, option_name, options_of

from .help_text import FLAGS, all_groups_of
from .typed_words import POSITIONAL
from .usage import VERBS

PATHS = ("FILE", "FOLDER")  # values that the shell completes
WORD = re.compile(r"[a-zA-Z0-9_]+")
FILE_VERBS = [verb for verb, key in POSITIONAL.items() if key != "experiment"]  # take files without a key
PLACEHOLDERS = ("INTEGER", "NUMBER", "LIST", "TEXT", *PATHS)
HEAD = "# Completion of isoplane, made by isoplane --completion {shell}; {use}\n"
# For bash and zsh: the keys of a verb, and what may follow a key; both are plain words.
TABLES = """_isoplane_keys() {{
    case $1 in
{keys}
    esac
}}
_isoplane_values() {{
    case $1:$2 in
{values}
    esac
}}
"""
BASH = """_isoplane() {
    local line=${COMP_LINE:0:COMP_POINT} verb=${COMP_WORDS[1]}
    local word=${line##* } values value last list key keys="--help --multirun --cfg"
    # Of a word in quotes, such as 'format=[graphml,e, all of it is completed; otherwise what follows the key.
    case $word in [\\'\\"]*=*) word=${word:1} list=${word%%=*}= ;; esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "VERBS --help --version --completion" -- "$word"))
        return
    fi
    case $word in
        *=*)
            values=$(_isoplane_values "$verb" "${word%%=*}") value=${word#*=}
            # Of a list, such as [graphml,e, the last word is completed.
            last=${value##*[[,]} list+=${value%"$last"}
            case $value in *[[,]*) compopt -o nospace 2>/dev/null ;; esac
            if [ "$values" = PATH ]; then
                [ "$list" ] || compopt -o filenames 2>/dev/null
                COMPREPLY=($(compgen -P "$list" -f -- "$last"))
            else
                COMPREPLY=($(compgen -P "$list" -W "$values" -- "$last"))
            fi
            ;;
        *)
            for key in $(_isoplane_keys "$verb"); do
                [[ $key == *.* && $word != *.* ]] || keys+=" $key"
            done
            COMPREPLY=($(compgen -W "$keys" -- "$word"))
            case ${COMPREPLY[0]} in *=) compopt -o nospace 2>/dev/null ;; esac
            case ${#COMPREPLY[@]}:$verb in
                0:FILE_VERBS)
                    compopt -o filenames 2>/dev/null
                    COMPREPLY=($(compgen -f -- "$word"))
                    ;;
            esac
            ;;
    esac
}
complete -F _isoplane isoplane
"""
ZSH = """_isoplane() {
    local verb=$words[2] word=$PREFIX values key
    if (( CURRENT == 2 )); then
        compadd -- VERBS --help --version --completion
    elif [[ $word == *=* ]]; then
        values=$(_isoplane_values $verb ${word%%=*})
        compset -P '*='
        compset -P '*[[,]'  # of a list, such as [graphml,e, the last word is completed
        if [[ $values == PATH ]]; then _files; else compadd -- ${=values}; fi
    else
        for key in ${=$(_isoplane_keys $verb)}; do
            [[ $key == *.* && $word != *.* ]] || compadd -S '' -- $key
        done
        compadd -- --help --multirun --cfg
        case $verb in FILE_VERBS) _files ;; esac
    fi
}
if [[ $funcstack[1] == _isoplane ]]; then  # loaded from $fpath by the first completion, which it is to answer
    _isoplane "$@"
else
    compdef _isoplane isoplane
fi
"""


# Of a list, such as [graphml,e, the last word is completed as the only value of its key would be.
FISH_LISTS = r"""function __isoplane_lists
    set -l parts (string match -r '^[\'"]?([^=]+=)(.*[[,])([^[,]*)$' -- (commandline -ct))
    or return
    set -l words (commandline -opc)
    for word in (complete -C "$words[1..2] $parts[2]$parts[4]")
        echo $parts[2]$parts[3](string split -m 1 = -- $word)[2]
    end
end
complete -c isoplane -n "string match -qr '=.*[[,]' -- (commandline -ct)" -a '(__isoplane_lists)'
"""


def completion(shell: str) -> str:
    """Return the script of a shell.

    Parameters
    ----------
    shell
        ``bash``, ``zsh`` or ``fish``.
    """
    return SHELLS[shell]()


def _bash() -> str:
    head = HEAD.format(shell="bash", use="put it into ~/.local/share/bash-completion/completions/isoplane")
    return head + _tables() + BASH.replace("FILE_VERBS", "|0:".join(FILE_VERBS)).replace("VERBS", " ".join(VERBS))


def _zsh() -> str:
    head = "#compdef isoplane\n" + HEAD.format(shell="zsh", use="put it as _isoplane into a folder of $fpath")
    return head + _tables() + ZSH.replace("FILE_VERBS", "|".join(FILE_VERBS)).replace("VERBS", " ".join(VERBS))


def _fish() -> str:
    lines = [HEAD.format(shell="fish", use="put it into ~/.config/fish/completions/isoplane.fish").rstrip()]
    lines += [f"complete -c isoplane -f -n __fish_use_subcommand -a {verb} -d {_quoted(VERBS[verb])}" for verb in VERBS]
    flags = {flag.split()[0]: what for flag, what in FLAGS.items()} | {"--help": "what a verb or an option does"}
    lines += [f"complete -c isoplane -l {flag[2:]} -d {_quoted(what)}" for flag, what in flags.items()]
    verbs_by_words: dict[tuple[str, str], list[str]] = {}
    for verb in VERBS:
        groups = all_groups_of(verb)
        for key, (values, meaning) in _words(verb).items():
            if key in groups:
                for choice, title in shown_choices(key).items():
                    verbs_by_words.setdefault((f"{key}={choice}", title or meaning), []).append(verb)
                continue
            words = [f"{key}={value}" for value in values] if values and values != ["PATH"] else [f"{key}="]
            verbs_by_words.setdefault((" ".join(words), meaning), []).append(verb)
    for (texts, meaning), verbs in verbs_by_words.items():
        seen = f"complete -c isoplane -n '__fish_seen_subcommand_from {' '.join(verbs)}'"
        lines.append(f"{seen} -a {_quoted(texts)} -d {_quoted(meaning)}")
    return "\n".join([*lines, FISH_LISTS])


SHELLS = {"bash": _bash, "zsh": _zsh, "fish": _fish}


def _tables() -> str:
    """Return the functions that bash and zsh share."""
    words = {verb: _words(verb) for verb in VERBS}
    keys = [f"        {verb}) echo '{' '.join(f'{key}=' for key in words[verb])}' ;;" for verb in VERBS]
    verbs_by_values: dict[tuple[str, str], list[str]] = {}
    for verb in VERBS:
        for key, (values, _) in words[verb].items():
            if values:
                verbs_by_values.setdefault((key, " ".join(values)), []).append(verb)
    values = [
        f"        {' | '.join(f'{verb}:{key}' for verb in verbs)}) echo '{words}' ;;"
        for (key, words), verbs in sorted(verbs_by_values.items())
    ]
    return TABLES.format(keys="\n".join(keys), values="\n".join(values))


def _words(verb: str) -> dict[str, tuple[list[str], str]]:
    """Return the keys and groups of a verb, each with the values that can be completed and its meaning."""
    own = {key: shown_option(key, option) for key, option in options_of(verb).items()}
    words = {key: (_values(option), option["meaning"]) for key, option in own.items()}
    for key, names in _formats(verb).items():
        words[key] = list(names), words[key][1]
    for group, (_, meaning) in all_groups_of(verb).items():
        words[group] = list(shown_choices(group)), meaning
        for key, options in _group_options(group).items():
            values = dict.fromkeys(value for option in options for value in _values(option))
            words.setdefault(option_name(group, key), (list(values), options[0]["meaning"]))
    return words


def _formats(verb: str) -> Mapping[str, tuple[str, ...]]:
    """Return the names of formats, which no file in `conf` lists, by the key that takes them."""
    if verb == "export":
        from isoplane.runs.exports.exporters import exporter_names

        return {"format": exporter_names()}
    if verb == "import":
        from isoplane.runs.imports.importers import importer_names

        return {"kind": importer_names()}
    return {}


def _group_options(group: str) -> Mapping[str, list[Option]]:
    """Return the options of all choices of a group by key."""
    options: dict[str, list[Option]] = {}
    for choice in shown_choices(group):
        for key, option in shown_keys(group, choice).items():
            options.setdefault(key, []).append(option)
    return options


def _values(option: Option) -> list[str]:
    """Return the values of an option that can be completed; PATH for those that the shell knows, if they come first."""
    choices = option["choices"].split(", ")
    if choices[0] in PATHS:
        return ["PATH"]
    return [choice for choice in choices if WORD.fullmatch(choice) and choice not in PLACEHOLDERS]


def _quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
