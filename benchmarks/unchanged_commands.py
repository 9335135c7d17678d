"""Commands whose results a change of the structure must leave as they are, for `unchanged.py`.

The list is fixed: results of two revisions can be compared only if both run the same commands. Each case begins in an
empty folder beside `inputs`, and its commands run one after the other; a word with `*` stands for the files that it
matches. No command is limited by seconds, and none takes more than some 20 s on one core.
"""

FABRIC = "network=fabric network.file=site/fabric.json"
SMALL_CUBE = "network=hypercube network.n=3 network.generators=[3,5,7]"
CUBE = "network=hypercube network.n=4 network.nodes_per_switch=2 network.generators=[3,5,9,14]"
HYBRID = "network=hybrid network.groups=4 network.nodes_per_group=4 network.up_gbps=10"
OVERLAY = (
    "network=optical_overlay network@network.packet=torus network.packet.shape=[4,4] network.packet.nodes_per_switch=2 "
    "network.packet.node_cable_m=2"
)
STENCIL = "workload=stencil workload.shape=[4,4] workload.message_bytes=1000000"
TORUS = "network=torus network.shape=[4,4]"
TORI = "network=torus network.shape=[2,4] network.cable_m=null layout=floor"
OUT = "hydra.run.dir=out"

COMPARE = {
    "three families": (
        f"compare nodes=32 ports=12 families=[hypercube,hyperx,full_mesh] throughput=0.9 workers=1 {OUT}",
    ),
    "all families": (f"compare nodes=24 ports=10 throughput=[0.9,0.25] workers=1 {OUT}",),
    "used ports": (
        "compare nodes=60 ports=16 families=[torus,slim_fly,dragonfly,leaf_spine,random_regular] planes=1 node_ports=1 "
        f"throughput=0.5 layout=paper prices=infiniband_edr prices.by=port failures=all seed=2 workers=1 {OUT}",
    ),
    "existing": (
        "import file=../inputs/pair.edges hydra.run.dir=built",
        "evaluate network=fabric network.file=built/fabric.json network.cable_m=null network.routing=balanced "
        "save=built.json",
        f"compare existing=built.json families=[hypercube,torus] planes=2 throughput=0.9 workers=1 {OUT}",
    ),
    "no design": (
        f"compare nodes=40 ports=12 families=[torus,fat_tree] budget_usd_per_node=10 throughput=0.9 workers=1 {OUT}",
    ),
}

EXPORT = {
    "graphs": (
        f"export {CUBE} format=[graphml,json,svg,dot,edges,evalnet,plane_rule,plane_table,source_routes] routes=true "
        f"{OUT}",
    ),
    "subnets": (f"export {CUBE} format=[opensm] {OUT}",),
    "simulators": (
        "export network=fat_tree network.switch_ports=4 network.cable_m=null layout=floor "
        f"format=[booksim,ns3,sst_merlin,evalnet,simgrid,slurm,opensm] {OUT}",
    ),
    "cabling": (
        f"export network=slim_fly network.q=3 network.cable_m=null layout=floor prices=ethernet_40g "
        f"format=[cabling,netbox,svg,graphml] spares=0.05 {OUT}",
    ),
    "moves": (
        "evaluate network=hypercube network.n=4 network.generators=identical save=built.json",
        "export network=hypercube network.n=4 network.generators=[3,5,7,9] rewired_from=built.json spares=0.05 "
        f"format=[cabling,netbox] {OUT}",
    ),
    "schedulers": (
        f"export network=folded_hypercube network.n=3 network.generators=[3,5,7] network.policy=spray "
        f"format=[simgrid,slurm,plane_table,booksim] slurm_tree=distance {OUT}",
    ),
    "collectives": (
        f"export network=full_mesh format=[phases,msccl] {OUT}",
        "export network=full_mesh format=[phases,msccl] collective=all_gather order=ring msccl=executor "
        "hydra.run.dir=gather",
        f"export {TORUS} format=[phases,json] order=searched evaluations=20000 hydra.run.dir=exchange",
        f"evaluate {TORUS} workload=all_to_all workload.processes=16 workload.order=exchange/phases/phases.csv",
    ),
    "traces": (
        f"export {TORUS} workload=npb workload.processes=16 workload.problem_class=S workload.iterations=1 "
        f"format=[tit,goal] {OUT}",
        f"evaluate {TORUS} workload=goal workload.file=out/goal/workload.goal",
        f"evaluate {TORUS} workload=trace workload.file=out/tit/traces.txt",
    ),
    "circuits": (
        f"export {HYBRID} network.circuits=[[0,4],[1,9],[2,15]] network.placement=by_switch {STENCIL} "
        f"format=[optical_switch,graphml,json] {OUT}",
        f"evaluate {HYBRID} network.circuits=out/optical_switch/cross_connects.csv {STENCIL}",
    ),
    "program": (
        f"export {TORUS} network.cable_m=0 format=program {OUT}",
        "evaluate program=out/program/network.ndl save=torus.json",
        "verify program=out/program/network.ndl",
    ),
    "refused": (f"export {TORUS} format=[edges,opensm] {OUT}",),
}

IMPORT = {
    "edges": (
        "import file=../inputs/site.edges hydra.run.dir=site",
        f"evaluate {FABRIC} save=site.json",
        f"evaluate {FABRIC} network.routing=up_down network.policy=spray",
        "verify record=site.json",
        "report record=site.json",
        "export record=site.json format=[opensm,cabling,graphml,slurm,edges] hydra.run.dir=exported",
        "import file=exported/graphml/network.graphml hydra.run.dir=again",
        "import file=exported/opensm/plane0/fabric.ibsim tables=exported/opensm/plane0/tables.lfts "
        "hydra.run.dir=tables",
        "evaluate network=fabric network.file=tables/fabric.json save=tables.json",
    ),
    "names": ("import file=../inputs/site.edges names=../inputs/names.csv link_gbps=200 hydra.run.dir=site",),
    "planes": (
        f"export {CUBE} format=[edges,opensm,graphml,evalnet] hydra.run.dir=exported",
        "import file=[exported/edges/plane0.edges,exported/edges/plane1.edges] nodes_per_switch=2 hydra.run.dir=edges",
        "import file=[exported/opensm/plane0/fabric.ibsim,exported/opensm/plane1/fabric.ibsim] hydra.run.dir=subnets",
        "import file=exported/graphml/network.graphml hydra.run.dir=graph",
        "import file=exported/evalnet/plane1.adj nodes_per_switch=3 hydra.run.dir=evalnet",
        "check-cables network=fabric network.file=graph/fabric.json found=[exported/opensm/plane0/fabric.ibsim,"
        "exported/opensm/plane1/fabric.ibsim]",
    ),
    "rates": (
        "import file=../inputs/astra.yml kind=astra_sim hydra.run.dir=site",
        f"evaluate {FABRIC} save=site.json",
        f"simulate {FABRIC} hardware.speedup=6 loads=[0.1,0.3] saturation=false measurement=rough {OUT}",
    ),
    "listing": ("import file=../inputs/listing.txt hydra.run.dir=site", f"report {FABRIC}"),
}

CHECK_CABLES = {
    "swapped": (
        "check-cables network=torus network.shape=[3] found=../inputs/listing.txt save=out.csv",
        "check-cables network=torus network.shape=[3] found=../inputs/listing.txt ports=ignore save=out.json",
        "check-cables network=torus network.shape=[3] found=../inputs/listing.txt identify=cables",
    ),
    "record": (
        f"evaluate {CUBE} save=design.json",
        f"export {CUBE} format=opensm {OUT}",
        "check-cables design=design.json found=[out/opensm/plane0/fabric.ibsim,out/opensm/plane1/fabric.ibsim]",
        "check-cables design=design.json found=[out/opensm/plane1/fabric.ibsim,out/opensm/plane1/fabric.ibsim]",
        "check-cables network=hypercube network.n=4 network.nodes_per_switch=2 network.generators=[3,5,9,7] "
        "found=[out/opensm/plane0/fabric.ibsim,out/opensm/plane1/fabric.ibsim] save=differences.json",
        "check-cables design=design.json racks=[R1-1,R1-2] found=out/opensm/plane0/fabric.ibsim",
    ),
}

SIMULATE = {
    "cube": (
        f"simulate {SMALL_CUBE} loads=[0.2,0.9,1.6] measurement=rough pairs=[[0,31]] interval_ns=5000 {OUT}",
        "report run=out",
    ),
    "adaptive planes": (
        f"simulate {SMALL_CUBE} network.policy=adaptive traffic=complement traffic.injection=periodic "
        f"traffic.message_bytes=[8,4096] loads=[0.2,0.6] saturation=false measurement=rough seed=3 {OUT}",
    ),
    "torus": (f"simulate {TORUS} traffic=tornado measurement=rough {OUT}",),
    "detours": (
        f"simulate network=dragonfly traffic=group_shift hardware.path_selection=ugal loads=[0.1,0.4] saturation=false "
        f"measurement=rough {OUT}",
    ),
    "wormhole": (
        "simulate network=mesh network.shape=[3,3] hardware.flow_control=wormhole hardware.virtual_channels=2 "
        f"traffic=hot_spot loads=[0.1,0.2] saturation=false measurement=rough {OUT}",
    ),
    "listed messages": (f"simulate {SMALL_CUBE} messages=../inputs/messages.cpf {OUT}",),
    "program": (f"simulate program=../inputs/torus.ndl {OUT}",),
    "workload": (
        "simulate network=full_mesh workload=all_to_all workload.processes=32 workload.message_bytes=10000 "
        f"workload.synchronised=true {OUT}",
    ),
    "placed workload": (
        f"simulate {TORUS} workload=npb workload.benchmark=mg workload.problem_class=S workload.processes=16 "
        f"workload.iterations=1 placement=by_cut {OUT}",
    ),
    "circuits": (f"simulate {HYBRID} network.circuits=[[0,4],[1,9]] {STENCIL} shorten=10 {OUT}", "report run=out"),
    "overlay": (
        f"simulate {OVERLAY} network.circuits=[[0,9],[3,20]] workload=sparse workload.processes=32 "
        f"workload.message_bytes=100000 {OUT}",
    ),
    "deadlock": (f"simulate {TORUS} network.datelines=false {OUT}",),
}

HOSOMI = f"sizes=[4,5] stop.evaluations=20000 exact_up_to=4 {OUT}"
REPRODUCE = {
    **{
        f"hosomi/{figure}": (f"reproduce experiment=hosomi/{figure} {HOSOMI}",)
        for figure in ("fig3", "fig5", "fig6", "fig7")
    },
    "hosomi/fig8": (f"reproduce experiment=hosomi/fig8 sizes=[8] stop.evaluations=20000 {OUT}",),
    "hosomi/fig9": (
        "reproduce experiment=hosomi/fig9 sizes=[3] measurement=rough measurement.max_latencies=4 "
        f"measurement.max_packets=1000 {OUT}",
    ),
    "shibamura/fig4": (f"reproduce experiment=shibamura/fig4 sizes=[64] replications=2 {OUT}",),
    "shibamura/fig9": (f"reproduce experiment=shibamura/fig9 sizes=[64] replications=2 {OUT}",),
    "shimizu/fig7": (f"reproduce experiment=shimizu/fig7 sizes=[3,7,8] {OUT}",),
    "shimizu/fig10": (f"reproduce experiment=shimizu/fig10 sizes=[8,16] {OUT}",),
    "shimizu/fig13": (f"reproduce experiment=shimizu/fig13 sizes=[8,16] {OUT}",),
    "shimizu/fig14": (f"reproduce experiment=shimizu/fig14 sizes=[8,16] {OUT}",),
    "shimizu/fig15": (f"reproduce experiment=shimizu/fig15 sizes=[8] {OUT}",),
    "takizawa/fig2": (f"reproduce experiment=takizawa/fig2 sizes=[4] stop.evaluations=1 {OUT}",),
    "takizawa/fig2_torus": (f"reproduce experiment=takizawa/fig2_torus sizes=[4] stop.evaluations=1 {OUT}",),
}

FAMILIES = (
    "direct_hypercube network.n=4 network.generators=[3,5,9,14]",
    "dragonfly network.arrangement=circulant network.groups=5",
    "fat_tree network.switch_ports=4 network.routing=random",
    "full_mesh",
    "graph network.file=../inputs/graph.edges network.routing=balanced",
    "hyperx network.shape=[3,4] network.cables_per_pair=[1,2] network.nodes_per_switch=2",
    "leaf_spine",
    "megafly network.groups=5",
    "mesh network.shape=[3,4] network.routing=up_down",
    "multi_plane network@network.plane=polar_fly network.plane.q=3 network.policy=[2,1]",
    "oft",
    "polar_fly network.q=3 network.routing=balanced network.cable_m=null layout=floor",
    "random_regular network.switches=24 network.degree=4",
    "rdt network.side=4",
    "slim_fly network.q=4",
    "torus network.shape=[4,6] network.ties=parity",
    "xgft network.children=[2,3,4] network.parents=[1,2,2]",
    "xpander network.degree=4 network.lift=4 network.cable_m=null layout=floor layout.assignment=metis",
)
WORKLOADS = (
    "dense workload.processes=16 workload.most_bytes=40000",
    "doubling_all_gather workload.processes=16",
    "expert_parallel workload.processes=16 workload.tokens=64 workload.skew=0.5",
    "halving_doubling workload.processes=16 placement=random",
    "halving_reduce_scatter workload.processes=8 placement=[0,4,8,12,1,5,9,13]",
    "matrix workload.file=../inputs/matrix.csv placement=searched placement_evaluations=2000",
    "mix workload.parts=[{kind:npb,benchmark:ft,problem_class:S,processes:16,weight:2},"
    "{kind:ring_all_reduce,processes:16}]",
    "npb workload.benchmark=lu workload.problem_class=S workload.processes=16 workload.iterations=1 placement=searched",
    "pipeline workload.micro_batches=4",
    "recursive_doubling workload.processes=16",
    "ring_all_gather workload.processes=16",
    "ring_reduce_scatter workload.processes=16",
    "stencil workload.shape=[4,4] workload.iterations=1 any_routing=true",
    "tree_all_reduce workload.processes=15 workload.chunks=4",
)
EVALUATE = {
    "cubes": (
        "evaluate network.n=3 network.generators=[3,5,7] switch.delay_ns=200 layout.slack_m=0.5 save=cube.json",
        "evaluate network=folded_hypercube network.n=4 network.planes=3 "
        "network.generators=[[3,5,9,14],[1,2,4,8]] network.policy=spray save=planes.json",
        "evaluate network.n=13 layout=none network.generators=identical",
        "evaluate record=cube.json",
        "verify record=cube.json",
    ),
    **{
        f"network={words.split()[0]}": (f"evaluate network={words} save=record.json", "verify record=record.json")
        for words in FAMILIES
    },
    **{f"workload={words.split()[0]}": (f"evaluate {TORUS} workload={words}",) for words in WORKLOADS},
    "no basis": ("evaluate network.n=3 network.generators=[3,5,6]",),
}

REPORT = {
    "cube": (f"report {SMALL_CUBE}",),
    "floor": ("evaluate network=slim_fly network.q=4 network.cable_m=null layout=floor save=fly.json",
              "report record=fly.json"),
    "circuits": (f"report {HYBRID} network.circuits=[[0,4],[1,9]] {STENCIL}",),
    "program": ("report program=../inputs/torus.ndl",),
    "sweep": (
        "search --multirun network=hypercube,folded_hypercube network.n=3 layout=none objective=aspl "
        "stop.evaluations=20000 hydra.sweep.dir=sweep",
        "report sweep=sweep",
    ),
}  # fmt: skip

VERIFY = {
    "altered": ("verify record=../inputs/altered.json",),
    "cubes": (f"verify {SMALL_CUBE}", "verify network=folded_hypercube network.n=4 network.generators=[3,5,9,14]"),
    "families": (f"verify {TORI}", "verify program=../inputs/torus.ndl", f"verify {TORUS} {STENCIL}"),
    "circuits": (f"verify {HYBRID} network.circuits=[[0,4],[1,9]] {STENCIL}",),
}

BEST = {
    "all": ("best",),
    "objectives": tuple(f"best objective={name}" for name in ("aspl", "front", "delay_paper_and_traffic", "cost")),
    "dimension": ("best n=8", "best n=12 family=folded_hypercube objective=front"),
}

VERBS: dict[str, dict[str, tuple[str, ...]]] = {
    "compare": COMPARE,
    "export": EXPORT,
    "import": IMPORT,
    "check-cables": CHECK_CABLES,
    "simulate": SIMULATE,
    "reproduce": REPRODUCE,
    "evaluate": EVALUATE,
    "report": REPORT,
    "verify": VERIFY,
    "best": BEST,
}
