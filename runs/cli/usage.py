"""The verbs, and what `isoplane` prints without one."""

VERBS = {
    "search": "find the best network and write records and a report",
    "evaluate": "print the metrics of one network",
    "simulate": "simulate one network flit by flit, with circuits packet by packet",
    "verify": "recompute a record with the independent reference",
    "report": "write the page of a run, record or network, or the table of a sweep",
    "reproduce": "recompute a published figure and compare",
    "compare": "size families for a number of nodes and measure them alike",
    "export": "write a design in formats of other tools",
    "import": "read an existing fabric from files of other tools",
    "check-cables": "compare the cables of a fabric with those of a design",
    "serve": "show runs in a browser as they go",
    "best": "print the best known designs",
}
FIRST = {
    "isoplane compare nodes=200 ports=24": "networks for 200 nodes, with prices",
    "isoplane search network.n=6": "the best second plane of 64 switches",
    "isoplane evaluate network=torus": "hops, loads and cost of a torus",
}


def usage(*, first: bool) -> str:
    """Return the usage; with three things to try for those who type the name of the program only."""
    width = max(map(len, VERBS))
    verbs = "\n".join(f"  {verb:<{width}}  {what}" for verb, what in VERBS.items())
    parts = ["usage: isoplane VERB [key=value ...]", verbs]
    if first:
        width = max(map(len, FIRST))
        parts.append(
            "\n".join(["Three things to try:", *(f"  {words:<{width}}  {what}" for words, what in FIRST.items())])
        )
    parts.append(
        "isoplane VERB --help shows what a verb does and its options, --help KEY an option\n"
        "or a group of options; isoplane --version shows the version, isoplane\n"
        "--completion bash (or zsh, fish) prints completion for your shell."
    )
    return "\n\n".join(parts)
