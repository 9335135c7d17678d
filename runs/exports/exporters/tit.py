"""The operations of a workload as time-independent traces, which SimGrid replays, and how to replay them."""

from isoplane.models.workloads import ProgramWorkload
from isoplane.models.workloads.message_starts import operations_of
from isoplane.runs.inputs.process_traces import trace_files

from ..exporter import HOSTS, PACKETS, Exported, Exporter, Files, as_bytes

README = """# {name}: {processes} processes

`traces.txt` names the time-independent trace of each process, and `hosts` the host on which it runs, by the names of
`platform.xml` of `format=simgrid`. With both formats exported to one folder, SimGrid 3.32 replays them from here:

```sh
smpirun -np {processes} -hostfile hosts -platform ../simgrid/platform.xml -replay traces.txt \\
  --cfg=network/model:CM02 --cfg=network/crosstraffic:0 --cfg=network/loopback-lat:0 --cfg=network/loopback-bw:1e15 \\
  --cfg=smpi/async-small-thresh:0 --cfg=smpi/send-is-detached-thresh:{detached} --cfg=surf/precision:1e-12 \\
  --cfg=network/optim:Full --cfg=smpi/host-speed:1Gf --cfg=smpi/display-timing:1
```

and prints `Simulated time`. No other deployment is needed: `smpirun` makes one of `hosts`. Processes that share a host
share its core, too, unless `platform.xml` gives it more (`core="4"`).

| option | why |
|---|---|
| `network/model:CM02` | a message takes the latency of its route, then shares links max-min fairly by 1 / latency |
| `network/crosstraffic:0` | no acknowledgements on the way back |
| `network/loopback-lat`, `-bw` | messages of a process to itself take no time |
| `smpi/async-small-thresh:0` | a message begins once its sender is ready and its receiver has posted the receive |
| `smpi/send-is-detached-thresh:{detached}` | senders do not wait for the arrival of messages of up to {eager} bytes |
| `surf/precision` | events less than a nanosecond apart stay apart |
| `network/optim:Full` | all rates follow from all flows; `Lazy`, the default, may leave a link with 0.1 % too much |
| `smpi/host-speed:1Gf` | the speed of all hosts, for which the traces compute |

`isoplane evaluate` prints the time by the same rules with `messages_start=both sharing=cm02`. What remains are 16 bytes
that SimGrid adds to each message, and its limit of `network/TCP-gamma` / (2 latency) for a rate: 4194304 bytes allow
2 TB/s at a latency of 1 us.
"""
WITHOUT_PLATFORM = """# {name}: {processes} processes

`traces.txt` names the time-independent trace of each process, and `hosts` the host on which it runs. SimGrid replays
them with `smpirun -hostfile hosts -replay traces.txt` on a platform that has these hosts; `format=simgrid` writes none
of a network with circuits of an optical switch.
"""


def files(exported: Exported) -> Files:
    """Yield a file with the names of the traces, one for each process, the hosts, and how to replay them."""
    job, hosts = exported.job("tit")
    for name, lines in trace_files(job.processes, operations_of(job)):
        yield name, as_bytes(lines)
    yield HOSTS, as_bytes(hosts)
    eager = job.eager_bytes if isinstance(job, ProgramWorkload) else 0
    has_platform = exported.network.family.kind in PACKETS
    text = (README if has_platform else WITHOUT_PLATFORM).format(
        name=job.name, processes=job.processes, detached=eager + 1, eager=eager
    )
    yield "README.md", as_bytes(text.splitlines())


EXPORTER = Exporter("operations of a workload as time-independent traces", "SimGrid", files)
