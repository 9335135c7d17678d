"""What each verb refuses, in one line that names key, value and what is allowed: a row for each check of the code.

The rows share the composed config of their choices of groups; `test_bad_words` has the errors of whole command lines.
"""

import shlex

import pytest

from isoplane.models import Network, family_names
from isoplane.models.families.torus import Torus
from tests.runs.cable_check.samples import cables_by_plane
from tests.runs.formats.fabrics import discovery_text

from .conftest import files

FAMILIES = ", ".join(family_names())
CABLES = cables_by_plane(Network(Torus(shape=(3,), node_cable_m=1.0)))[0]
HEADER = "phase,source,destination\n"
FILES = {
    "found.txt": discovery_text(CABLES),
    "there.csv": "",
    "there.json": "",
    "other.csv": "guid,device\n",
    "device.csv": "name,device\nleft,S0\n",
    "twice.csv": "name,device\nleft,N0\nleft,N1\n",
    "quote.csv": 'name,device\n"left,N0\n',
    "x.edges": "0 1\n1\n",
    "y.edges": "0 1\n",
    "z.edges": "0 1\n0 N0\n1 N1\n",
    "answer.cpf": "CommunicationPattern 1\n4 0 31 256\n",
    "empty.csv": HEADER,
    "short.csv": f"{HEADER}0,0\n",
    "again.csv": f"{HEADER}0,0,1\n0,0,2\n",
    "two.csv": f"{HEADER}0,0,1\n0,1,0\n",
}

CUBE = "network.n=3 network.generators=[3,5,7]"
TORUS = "network=torus network.shape=[4,4]"
RING = "network=torus network.shape=[3]"
HYBRID = "network=hybrid network.groups=2 network.nodes_per_group=4 network.up_gbps=10"
SPARSE = "workload=sparse workload.processes=8 workload.partners=2"
OVERLAY = "network=optical_overlay network@network.packet=torus network.packet.shape=[8]"
ALL_TO_ALL = "workload=all_to_all workload.processes=16 workload.message_bytes=1000"
MESH = "network=full_mesh workload=all_to_all workload.processes=8"
STENCIL = "workload=stencil workload.shape=[3,4]"
TIMED = "network.n=3 network.nodes_per_switch=1 workload=all_to_all workload.processes=8"
FREE = "network=free_graph network.switches=6 network.degree=3"
REFUSED = {
    "search": [
        ("network=torus", "network=torus: has no search variables; expected folded_hypercube, free_graph, host_graph"),
        ("~network", "network=null: expected one of the choices of the group"),
        ("network.n=4 seed=-1", "seed=-1: expected an integer from 0 to 18446744073709551615"),
        ("network.n=4 workers=0", "workers=0: expected an integer from 1 to 1024"),
        ("network.n=4 fleet.name=slurm", "fleet.name='slurm': expected local, ray"),
        ("network.n=4 fleet.address=here:1", "fleet.address='here:1': allowed with fleet=ray only"),
        ("network.n=4 fleet.name=ray fleet.address=3", "fleet.address=3: expected HOST:PORT"),
        ("network.n=4 warm_start=[1]", "warm_start=[1]: expected the path of a file"),
        ("network.n=4 warm_start={a:[1]}", "warm_start={'a': [1]}: expected the path of a file"),
        ("network.n=4 objective=aspl objective.metrics=[delay,beauty]", ", not 'beauty'"),
        ("network.n=4 objective=aspl objective.metrics=[delay,[aspl]]", ", not ['aspl']"),
        ("network.n=4 objective=aspl objective.components=[3]", "objective.components=[3]: expected a list of lists"),
        ("network.n=4 objective=aspl objective.name=null", "objective.name=null: expected text"),
        ("network.n=4 objective.components=[[aspl]]", "with objective=auto; expected objective=aspl_and_traffic"),
        ("network.n=4 objective.metrics=[aspl,delay]", "has no effect with objective=auto; expected objective=front"),
        (f"{FREE} objective.components=[[aspl],[delay]]", "with objective=auto; expected objective=aspl"),
        ("network.n=4 objective=throughput", ", or workload=NAME for times, not 'synchronised'"),
        ("network.n=4 strategy=anneal strategy.fall=-1", "strategy.fall=-1: expected a number of at least 1"),
        ("network.n=4 strategy=anneal strategy._target_=null", "strategy._target_=None: expected a class"),
        ("network.n=4 strategy=anneal strategy._target_=a..b", "strategy._target_=a..b: expected a class"),
        ("network.n=4 +strategy._target_=isoplane.search.Limits", "=isoplane.search.Limits: expected a"),
        (f"{TIMED} objective=aspl", "objective=aspl: a network of switches expects components of completion"),
        (f"{TIMED} objective=front", "objective=front: a network of switches expects components of completion"),
        (f"{HYBRID} {SPARSE} workload.kind=tea", "workload.kind='tea': expected all_to_all"),
        (f"{HYBRID} {SPARSE} judge=simulator shorten=0", "shorten=0"),
        ("network.n=3 workload=mix workload.parts=3", "workload.parts=3: expected a list of workloads"),
        ("network.n=3 workload=mix 'workload.parts=[{kind: mix}]'", "workload.parts.kind='mix': expected all_to_all"),
        ("network.n=3 workload=mix 'workload.parts=[{kind: all_to_all, size: 8}]'", "workload.parts.size=8: expected"),
    ],
    "evaluate": [
        (f"{CUBE} columns=[asplh] save=new.json", "columns=asplh: no such column; expected aspl, "),
        ("network.generators=null network.n=3", "network.generators=null: expected a list such as [3,5,7], identical"),
        (f"{TORUS} any_routing=true", "any_routing=true: no workload; expected a workload on a network"),
        ("network=hybrid workload=stencil any_routing=true", "any_routing=true: a network with circuits; expected a"),
        (f"{TORUS} failed_cables=[P0-S0:1-S9:1]", "failed_cables=P0-S0:1-S9:1: no cable joins P0-S0 and P0-S9"),
        (f"{TORUS} failed_cables=3", "failed_cables=3: expected cables as format=cabling labels"),
        (f"{TORUS} failed_cables=[]", "failed_cables=[]: expected cables as format=cabling"),
        (f"{TORUS} failed_switches=[P0-S99]", "failed_switches=P0-S99: expected switches, as exports or the site name"),
        (f"{TORUS} failed_switches=[N0]", "failed_switches=N0: expected switches, as exports or the site name them"),
        (f"{HYBRID} {SPARSE} failed_switches=[P0-S0]", "failed_switches: a network with circuits; expected one of"),
        (f"{HYBRID} {SPARSE} failed_cables=[P0-S0:1-S1:2]", "failed_cables: a network with circuits; expected one of"),
        (f"{TORUS} {STENCIL} save=new.json", "save=new.json: without circuits only a search records times"),
        (f"{TORUS} {STENCIL} switch.link_gbps=0", "switch.link_gbps=0: expected a number above 0 and at most 1000000"),
        (f"{TORUS} save=there.json", "save=there.json: exists; expected a new file"),
        (f"{TORUS} save=new.pdf", "save=new.pdf: writes a record; expected a name that ends with .json"),
        (f"{HYBRID} {SPARSE} network.circuits=3", "expected a list of pairs"),
        (f"{OVERLAY} {SPARSE} +network.up_gbps=3", "network.up_gbps"),
        (f"{OVERLAY} {SPARSE} +network.packet.sides=3", "network.packet.sides"),
        (OVERLAY, "workload=null: a network with circuits needs a workload; expected all_to_all"),
        (f"{TORUS} {ALL_TO_ALL} workload.order=tree", "workload.order='tree': expected contention_free, ring, shift,"),
        (f"{TORUS} {ALL_TO_ALL} workload.order=no.csv", "workload.order=no.csv: No such file or directory; expected a"),
        ("network=full_mesh workload=all_to_all workload.order=contention_free", "=contention_free: an order of 32 "),
        (f"{TORUS} {ALL_TO_ALL} workload.order=other.csv", "another first line; expected phase,source,destination"),
        (f"{TORUS} {ALL_TO_ALL} workload.order=empty.csv", "no messages; expected a line per message"),
        (f"{TORUS} {ALL_TO_ALL} workload.order=short.csv", "line 2 is 0,0; expected a phase below 65536 and two"),
        (f"{TORUS} {ALL_TO_ALL} workload.order=again.csv", "line 3 sends from 0 again; expected once in a phase"),
        (f"{TORUS} {ALL_TO_ALL} workload.order=two.csv", "an order of 2 processes; expected 16"),
    ],
    "simulate": [
        ("+network.n=3 network.family=star", f"network.family='star': expected one of {FAMILIES}"),
        ("+network.n=3 network.family=[a]", f"network.family=['a']: expected one of {FAMILIES}"),
        (f"{CUBE} +hardware.colour=red", "hardware.colour: unknown; expected name, flow_control"),
        (f"{CUBE} loads=[1e-12]", "loads=1e-12: expected at least 1e-06 and at most 16"),
        (f"{CUBE} loads=[x]", "loads='x': expected a number above 0"),
        (f"{CUBE} loads=[]", "loads=[]: expected auto or a list such as [0.1,0.5]"),
        (f"{CUBE} traffic.max_created=100", "saturation=true, traffic.max_created=100: a limited number of messages"),
        (f"{CUBE} pairs=[[0,32]]", "pairs=32: expected an integer from 0 to 31"),
        (f"{CUBE} pairs=[[3,3]]", "pairs: [3, 3]; expected pairs of two nodes such as [0,5]"),
        (f"{CUBE} pairs=3", "pairs=3: expected a list of pairs"),
        (f"{CUBE} interval_ns=0", "interval_ns=0: expected a number above 0"),
        (f"{CUBE} traffic=tornado", "traffic.pattern=tornado: hypercube n=3 has no switches with coordinates"),
        (f"{CUBE} traffic.pattern=table", "traffic.pattern='table': expected uniform, complement, "),
        (f"{CUBE} measurement.tolerance=0", "measurement.tolerance=0: expected a number above 0 and at most 1"),
        (f"{CUBE} saturation=3", "saturation=3: expected true or false"),
        (f"{CUBE} messages=none.cpf", "messages=none.cpf: No such file or directory; expected the file of a"),
        (f"{CUBE} messages=[1]", "messages=[1]: expected the path of a file or folder"),
        (f"{CUBE} messages=answer.cpf network.nodes_per_switch=1", "answer.cpf:2:5: destination 31: expected an integ"),
        ("program=none.ndl", "program=none.ndl: No such file or directory; expected the file of a program"),
        ("program=none.ndl record=x.json", "program=none.ndl, record=x.json: expected one of them"),
        ("network=torus network.datelines=false", "channels form a dependency cycle: P0-S0:1 class 0, P0-S1"),
        ("network=torus network.datelines=false", "datelines with at least 2 virtual channels, or hardware.deadlock"),
        ("network=torus hardware.virtual_channels=1", "hardware.virtual_channels=1: too few for"),
        ("network=mesh +network.generators=[1]", "network.generators: unknown; expected assumed_cable_m, family"),
        (f"{MESH} placement=[1,2,3,4,5,6,7,32]", "placement=32: expected an integer from 0 to 31"),
        (f"{MESH} placement=random placement_seed=-1", "placement_seed=-1: expected an integer"),
        (f"{MESH} shorten=0", "shorten=0: expected an integer"),
        (f"{HYBRID} {SPARSE} shorten=0", "shorten=0"),
    ],
    "compare": [
        ("", "nodes=null: expected a number, such as nodes=1024"),
        ("nodes=32 ports=12 columns=[design,longest_cabel_m]", "=longest_cabel_m: no such column; expected longest"),
        ("nodes=32 ports=12 diameter=2.5", "diameter=2.5: expected an integer of at least 1"),
        ("nodes=32 ports=12 prices.multiples={cable:2}", "expected multiples of switch, nic, copper, optics"),
        ("nodes=32 ports=12 prices.multiples={nic:-1}", "prices.multiples.nic=-1: expected a number of at least 0"),
        ("nodes=32 ports=12 page=interactive page.nodes=[1]", "page.nodes=[1]: expected integers from 2 to 131072"),
        ("nodes=32 ports=12 page=interactive page.cable_m=[-1]", "page.cable_m=-1: expected a number of at least 0"),
        (
            "nodes=32 ports=12 page=interactive prices.multiples={nic:2}",
            "prices.multiples={'nic': 2}: has no effect on the sliders of page=interactive; expected null",
        ),
        ("nodes=32 ports=12 planes=[3]", "planes=[3]: expected divisors of node_ports=2, such as [1, 2]"),
        ("nodes=32 ports=12 planes=[]", "planes=[]: expected at least one of [1, 2]"),
        ("nodes=32 ports=12 throughput=1.5", "throughput=1.5: expected a number above 0 and at most 1"),
        ("nodes=32 ports=12 throughput=[]", "throughput=[]: expected at least one fraction"),
        ("nodes=32 ports=12 families=[graph]", "families=['graph']: no family 'graph' that can be sized"),
        ("nodes=32 ports=12 families=[]", "families=[]: expected null for all, or some of"),
        ("nodes=32 ports=12 taper=0.37", "expected a ratio such as 1/3 = 0.3333 or 3/8 = 0.375"),
        ("nodes=32 ports=12 layout=none", "layout=none: expected a layout"),
        ("nodes=32 ports=12 +network=torus", "expected"),
        ("nodes=32 ports=12 prices.switch_ports=8", "prices.switch_ports=8: expected an integer of at least 12"),
        ("nodes=32 ports=12 budget_usd_per_node=-1", "budget_usd_per_node=-1: expected a number of at least 0"),
        ("existing=none", "existing=none: No such file or directory; expected a record, or fabric.json of isoplane"),
        ("existing=[true]", "existing=True: expected the path of a file"),
    ],
    "export": [
        ("", "format=null: expected a list of formats, some of "),
        ("format=[edges,edges]", "format=edges,edges: edges twice; expected each format once"),
        (f"{TORUS} routes=3 format=json", "routes=3: expected true or false"),
        (f"{CUBE} format=cabling spares=-1", "spares=-1: expected a number of at least 0 and at most 1"),
        (f"{CUBE} format=opensm guids=none.csv", "guids=none.csv: No such file or directory; expected "),
        (f"{TORUS} format=graphml nodes=3", "nodes=3: torus 4x4 has a node in each switch; expected 16, all of them"),
        (f"{TORUS} format=[edges,opensm,json]", "; no file is written, but format=[edges,json] can be"),
        (f"{CUBE} format=opensm guids=[]", "guids=[]: expected a file, or a list"),
        (f"{CUBE} format=opensm guids=other.csv", "line 1: 'guid,device'; expected name,device or output of ibnetdisc"),
        ("network=torus format=phases order=best", "order=best: expected contention_free, ring, searched, shift, xor"),
        ("network=torus format=phases order=searched evaluations=0", "evaluations=0: expected an integer of at least"),
        (f"{TORUS} format=msccl collective=all_gather order=tree", "order=tree: expected contention_free, recursive"),
        (f"{TORUS} format=msccl order=none.csv", "order=none.csv: No such file or directory; expected a file"),
        (f"{TORUS} format=msccl order=xor msccl.protocol=LL256", "msccl.protocol=LL256: expected Simple, LL, LL128"),
        (f"{TORUS} format=msccl order=xor msccl.max_steps=0", "msccl.max_steps=0: expected an integer from 1 to 32767"),
        (f"{TORUS} format=msccl order=xor msccl.ordered=1", "msccl.ordered=1: expected true or false"),
        (f"{TORUS} format=msccl +msccl.steps=1", "msccl.steps: unknown; expected max_awaited_block,"),
        (f"{TORUS} format=goal", "format=goal: workload=null; expected a workload"),
        (f"{TORUS} format=tit workload=tree_all_reduce workload.processes=4", "messages without an order of each"),
        (f"{TORUS} format=tit {ALL_TO_ALL} workload.synchronised=true", "=true: barriers without messages; expected"),
    ],
    "import": [
        ("", "file=null: expected a file, or a list with one for each plane"),
        ("file=[y.edges,./y.edges]", "file=y.edges: given twice; expected each file once"),
        ("file=x.edges kind=gif", "kind=gif: expected one of astra_sim, cable_list, edges, "),
        ("file=z.edges nodes_per_switch=2", "nodes_per_switch=2: has no effect; allowed with a file without"),
        ("file=x.edges nodes_per_switch=0", "nodes_per_switch=0: expected an integer from 1"),
        ("file=z.edges names=none.csv", "names=none.csv: No such file or directory; expected a CSV file"),
        ("file=z.edges names=y.edges", "names=y.edges: line 1: '0 1'; expected name,device"),
        ("file=y.edges tables=x.edges", "tables=x.edges: line 1: '0 1'; expected a dump of unicast"),
    ],
    "check-cables": [
        (RING, "found=null: expected a file, or a list with one for each plane"),
        (f"{RING} found=found.txt save=out.txt", "save=out.txt: expected a file that ends in .csv or .json"),
        (f"{RING} found=found.txt save=there.csv", "save=there.csv: exists; expected a new file"),
        (f"{RING} found=found.txt identify=cables names=x", "names=x: has no effect with identify=cables"),
        (f"{RING} found=found.txt names=device.csv", "line 2: 'left,S0'; expected a name and a device such as P0-S12,"),
        (f"{RING} found=found.txt names=twice.csv", "names=twice.csv: line 3: 'left' again; expected each name once"),
        (f"{RING} found=found.txt names=quote.csv", "expected a CSV file with columns name and device"),
        (f"{RING} found=found.txt +record=a.json", "record: unknown; expected design, found, identify, layout, names"),
    ],
    "report": [
        ("", "expected one of run=FOLDER, record=FILE, sweep=FOLDER, program=FILE, or a network: network.gen"),
        ("run=missing", "run=missing: no such folder"),
        ("sweep=missing", "sweep=missing: no such folder"),
        ("record=missing format=csv", "missing: no such file or folder; expected a record, or the folder"),
        (f"{HYBRID} {SPARSE} network.circuits=none.csv", "network.circuits=none.csv: No such file or directory; expec"),
    ],
    "best": [
        ("n=17", "n=17: expected an integer from 2 to 16"),
        ("family=relabelled n=5", "n=5, family=relabelled: no such record; expected n from 6 to 10 and the objecti"),
        ("objective=front n=7", "objective=front, n=7: no such record"),
        ("objective=aspl objective.components=[[cost]]", "=[[cost]]: has no effect, because records are selected by"),
    ],
    "reproduce": [
        ("", "figure=null: expected experiment=hosomi/fig3"),
        ("figure=fig4 sizes=[3]", "figure='fig4': expected fig3, fig5, fig6, fig7, fig8"),
        ("figure=fig3 sizes=x", "sizes='x': expected a list"),
        ("figure=fig3 sizes=[3] paper=nobody", "paper='nobody': expected hirasawa, hosomi, shibamura"),
        ("figure=fig3 sizes=[3] exact_up_to=9", "exact_up_to=9: expected an integer from 1 to 7"),
        ("figure=fig3 sizes=[3] stop.target=3", "stop.target=3: a figure has many designs, so no single target"),
        ("figure=fig3 sizes=[3] replications=3", "replications=3: this figure has no simulations; expected null"),
        ("figure=fig3 sizes=[3] +layout=none", "layout: unknown"),
        ("experiment=hirasawa/fig13 switch.routing_ns=20", "switch.routing_ns=20: has no effect here; expected switch"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("verb", REFUSED)
def test_each_check_of_a_verb_is_one_line_that_names_the_value_and_what_is_allowed(refuse, tmp_path, verb):
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    for words, message in REFUSED[verb]:
        result = refuse(verb, *shlex.split(words))
        assert (result.out, result.err.count("\n")) == ("", 1), words
        assert message in result.err, words
        assert len(result.err) < 600, words
        assert [name for name in files(tmp_path) if (tmp_path / name).is_file()] == sorted(FILES), words
