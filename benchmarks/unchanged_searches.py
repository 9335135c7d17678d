"""Searches whose results a change of the structure must leave as they are, for `unchanged.py`.

Like `unchanged_commands.py`, a fixed list. Each ends after a number of evaluations or with a proof, never by the clock.
"""

from unchanged_commands import HYBRID, OUT, OVERLAY, STENCIL

CUBE_OBJECTIVES = (
    *("aspl", "aspl_and_traffic", "cable_length", "cost", "delay", "delay_and_traffic", "delay_paper"),
    *("delay_paper_and_traffic", "max_traffic", "front"),
)
TIMES = ("completion", "throughput", "bottleneck")
BOUNDED = f"stop.evaluations=20000 {OUT}"
CUBE_STRATEGIES = ("anneal", "temper", "neighbourhood", "portfolio", "auto")
EXCHANGE = "workload=all_to_all workload.processes=16 workload.message_bytes=100000"
CIRCUITS = f"{HYBRID} network.circuits=6 {STENCIL}"
WALKS = f"stop.evaluations=300 {OUT}"
SEARCH: dict[str, tuple[str, ...]] = {
    **{
        f"cubes, {objective}": (
            f"search network={family} network.n=9 objective={objective} seed={number} {BOUNDED}",
            *(("verify record=out/records/*.json",) if objective != "front" else ()),
        )
        for number, objective in enumerate(CUBE_OBJECTIVES)
        for family in (("hypercube", "folded_hypercube")[number % 2],)
    },
    **{
        f"cubes, strategy={strategy}": (
            f"search network.n=8 objective=delay_and_traffic strategy={strategy} {BOUNDED}",
        )
        for strategy in CUBE_STRATEGIES
    },
    "cubes, strategy=exact": (
        f"search network=folded_hypercube network.n=5 strategy=exact stop.seconds=null {OUT}",
        "search network.n=4 strategy=exact strategy.everything=true objective=delay stop.seconds=null "
        "hydra.run.dir=everything",
    ),
    "cubes, strategy=pareto": (f"search network.n=8 objective=front strategy=pareto {BOUNDED}", "report run=out"),
    "cubes, front of other metrics": (
        f"search network.n=5 objective=front objective.metrics=[aspl,cable_length] stop.seconds=null {OUT}",
    ),
    "cubes, resumed": (
        f"search network.n=10 objective=aspl layout=none stop.evaluations=100000 {OUT}",
        "search resume=out stop.evaluations=150000 workers=2",
        "search resume=out",
    ),
    "cubes, warm start": (
        f"search network=folded_hypercube network.n=6 objective=delay strategy=anneal {BOUNDED}",
        "search network=folded_hypercube network.n=6 objective=aspl strategy=anneal stop.evaluations=1000 "
        "warm_start=out/records/*.json hydra.run.dir=warm",
    ),
    "cubes, target": ("search network.n=4 objective=aspl layout=none stop.target=1.25 stop.seconds=null "
                      "hydra.run.dir=missed",),
    "cubes, simulated": (f"search network.n=3 judge=simulator stop.evaluations=1000 {OUT}",),
    **{
        f"workload, {objective}": (
            f"search network=hypercube network.n=4 network.nodes_per_switch=1 objective={objective} strategy=anneal "
            f"{EXCHANGE} stop.evaluations=2000 {OUT}",
            "verify record=out/records/*.json",
        )
        for objective in TIMES
    },
    "workload, simulated": (
        "search network=hypercube network.n=3 network.nodes_per_switch=1 workload=stencil workload.shape=[2,4] "
        f"workload.message_bytes=1000000 judge=simulator strategy=anneal {WALKS}",
    ),
    "workload, enumerated": (
        "search network=hypercube network.n=3 network.nodes_per_switch=2 workload=ring_all_reduce "
        f"workload.processes=16 stop.seconds=null {OUT}",
    ),
    **{
        f"circuits, {objective}": (
            f"search {CIRCUITS} objective={objective} {WALKS}",
            "verify record=out/records/*.json",
        )
        for objective in (*TIMES, "completion_by_packets")
    },
    **{
        f"circuits, strategy={strategy}": (f"search {CIRCUITS} strategy={strategy} {WALKS}",)
        for strategy in ("round_robin", "matching", "greedy", "balanced", "anneal")
    },
    "circuits, strategy=enumerate": (
        "search network=hybrid network.groups=2 network.nodes_per_group=3 network.circuits=2 workload=stencil "
        f"workload.shape=[2,3] strategy=enumerate stop.seconds=null {OUT}",
    ),
    "circuits, strategy=program": (
        f"search {CIRCUITS} objective=bottleneck network.placement=by_switch strategy=program {OUT}",
    ),
    "circuits, placed": (f"search {CIRCUITS} network.placement=by_communication {WALKS}",),
    "circuits, simulated": (f"search {CIRCUITS} judge=simulator shorten=100 strategy=matching {OUT}",),
    "overlay": (
        f"search {OVERLAY} network.circuits=8 workload=sparse workload.processes=32 workload.message_bytes=1000000 "
        f"strategy=anneal {WALKS}",
        "verify record=out/records/*.json",
        "export record=out/records/*.json format=[optical_switch,graphml] hydra.run.dir=exported",
    ),
}  # fmt: skip
