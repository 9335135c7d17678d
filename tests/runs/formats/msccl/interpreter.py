"""An interpreter of MSCCL XML, which shares no code with the writer: buffers of names, connections with finite slots.

It follows the runtime: a thread block takes its steps in turn; a step waits until the thread block named by `depid` has
passed step `deps`, which must be one that tells others (`hasdep`); a send waits for a free slot of its connection, a
receive for a message. A step that does nothing (`nop`) only waits, and must precede one of the same thread block that
waits as well, since the runtime attaches it to that.
"""

import random
from collections import defaultdict, deque
from dataclasses import dataclass
from xml.etree import ElementTree

KINDS = ("s", "r", "cpy", "nop")
LIMITS = {"steps": 256, "count": 72, "blocks": 216, "channel": 32, "channels": 32, "awaited": 128}


class BadFileError(Exception):
    """The file breaks a rule of the format."""


class WrongRunError(Exception):
    """The file runs into a deadlock, reads what is not there, or leaves a chunk elsewhere."""


@dataclass
class Step:
    kind: str
    source: tuple
    destination: tuple
    count: int
    awaits: tuple
    tells: bool


@dataclass
class Block:
    send: int
    receive: int
    channel: int
    steps: list


@dataclass
class Program:
    collective: str
    sizes: list  # of each rank: chunks of the buffers i, o and s
    blocks: list  # of each rank


def require(condition, message):
    if not condition:
        raise BadFileError(message)


def read(text, limits=None):
    """Return the program in a text, if it is within the limits and its connections match."""
    limits = LIMITS | (limits or {})
    algo = ElementTree.fromstring(text)
    require(algo.tag == "algo" and algo.get("proto") in ("Simple", "LL", "LL128"), "no algorithm of a known protocol")
    gpus = algo.findall("gpu")
    require([int(gpu.get("id")) for gpu in gpus] == list(range(int(algo.get("ngpus")))), "ranks not in order")
    sizes = [{name: int(gpu.get(f"{name}_chunks")) for name in "ios"} for gpu in gpus]
    inputs = {"alltoall": 1, "allgather": len(gpus)}[algo.get("coll")]
    for size in sizes:
        require(inputs * size["i"] == size["o"] == int(algo.get("nchunksperloop")), "chunks of buffers differ")
    blocks = [[read_block(node) for node in gpu.findall("tb")] for gpu in gpus]
    for gpu, rank in zip(gpus, blocks, strict=True):
        require([int(node.get("id")) for node in gpu.findall("tb")] == list(range(len(rank))), "blocks not in order")
    program = Program(algo.get("coll"), sizes, blocks)
    check_limits(program, limits, int(algo.get("nchannels")))
    check_connections(program)
    check_waits(program)
    return program


def read_block(node):
    steps = []
    for number, step in enumerate(node.findall("step")):
        require(int(step.get("s")) == number, "steps not in order")
        require(step.get("type") in KINDS, "step of another kind")
        places = [(step.get(f"{end}buf"), int(step.get(f"{end}off"))) for end in ("src", "dst")]
        awaits = int(step.get("depid")), int(step.get("deps"))
        steps.append(Step(step.get("type"), *places, int(step.get("cnt")), awaits, step.get("hasdep") == "1"))
    return Block(*(int(node.get(key)) for key in ("send", "recv", "chan")), steps)


def check_limits(program, limits, channels):
    used = {block.channel for rank in program.blocks for block in rank}
    require(used == set(range(channels)) and channels <= limits["channels"], "channels")
    for rank in program.blocks:
        require(len(rank) <= limits["blocks"], "thread blocks")
        for end in ("send", "receive"):
            peers = [block.channel for block in rank if getattr(block, end) >= 0]
            require(all(peers.count(channel) <= limits["channel"] for channel in used), "thread blocks of a channel")
        for block in rank:
            require(len(block.steps) <= limits["steps"], "steps")
            for step in block.steps:
                require((step.count == 0) == (step.kind == "nop") and step.count < limits["count"], "chunks of a step")
                require(step.awaits[0] < limits["awaited"], "number of a thread block that is awaited")


def check_connections(program):
    """Require one thread block at either end of each connection, and steps for which it has a peer."""
    for end, kind in (("send", "s"), ("receive", "r")):
        for number, rank in enumerate(program.blocks):
            pairs = [(getattr(block, end), block.channel) for block in rank if getattr(block, end) >= 0]
            require(len(set(pairs)) == len(pairs), "two thread blocks of a channel with the same pair")
            require(all(peer != number and peer < len(program.blocks) for peer, _ in pairs), "peer")
            for block in rank:
                require(getattr(block, end) >= 0 or all(step.kind != kind for step in block.steps), "no peer")
    ends = [
        {(*((number, peer) if end == "send" else (peer, number)), block.channel)
         for number, rank in enumerate(program.blocks)
         for block in rank
         if (peer := getattr(block, end)) >= 0}
        for end in ("send", "receive")
    ]  # fmt: skip
    require(ends[0] == ends[1], "connection with one end")


def check_waits(program):
    for rank in program.blocks:
        for number, block in enumerate(rank):
            for position, step in enumerate(block.steps):
                other, last = step.awaits
                require((other < 0) == (last < 0), "half of a wait")
                require(other != number, "wait for the own thread block")
                if other >= 0:
                    require(other < len(rank) and last < len(rank[other].steps), "wait for no step")
                    awaited = rank[other].steps[last]
                    require(awaited.tells and awaited.kind != "nop", "wait for a step that tells nobody")
                if step.kind == "nop":
                    after = block.steps[position + 1 : position + 2]
                    require(other >= 0 and after and after[0].awaits[0] >= 0, "nop that precedes no waiting step")


SENDS_FIRST = (("s", "nop"), ("cpy",), ("r",))  # reveals sends of chunks that are not there yet
COPIES_LAST = (("s", "nop"), ("r",), ("cpy",))


def run(program, slots=1, policy=SENDS_FIRST, seed=None):
    """Return the ranks' outputs, and the steps taken, in order, as rank, thread block, number.

    Of the steps that may be taken, those of the first kinds in a policy are; with a seed, steps at random.
    """
    machine, chosen, taken = Machine(program, slots), random.Random(seed), []
    waiting, ready = defaultdict(list), []
    candidates = [(rank, block) for rank, blocks in enumerate(program.blocks) for block in range(len(blocks))]
    while True:
        for key in candidates:
            if not machine.finished(*key):
                obstacle = machine.obstacle(*key)
                (ready if obstacle is None else waiting[obstacle]).append(key)
        if not ready:
            break
        if seed is None:
            kinds = {key: machine.step_of(*key).kind for key in ready}
            now = next(found for each in policy if (found := [key for key in ready if kinds[key] in each]))
        else:
            now = chosen.sample(ready, 1 + len(ready) // 2)
        candidates, taken_now = list(now), set(now)
        ready = [key for key in ready if key not in taken_now]
        for key in now:
            taken.append((*key, machine.position[key[0]][key[1]]))
            for change in machine.take(*key):
                candidates += waiting.pop(change, ())
    if any(waiting.values()):
        left = [key for keys in waiting.values() for key in keys]
        raise WrongRunError(f"deadlock: {len(left)} thread blocks wait, such as {left[0]}")
    if any(machine.connections.values()):
        raise WrongRunError("a message that nobody receives")
    return machine.outputs(), taken


class Machine:
    """Ranks with their buffers, connections by source, destination and channel, and the position of each block."""

    def __init__(self, program, slots):
        self.program, self.slots = program, slots
        self.buffers = [{name: [None] * size[name] for name in "ios"} for size in program.sizes]
        for rank, buffers in enumerate(self.buffers):
            buffers["i"] = [(rank, chunk) for chunk in range(len(buffers["i"]))]
        self.position = [[0] * len(rank) for rank in program.blocks]
        self.told = [[-1] * len(rank) for rank in program.blocks]
        self.connections = {}

    def finished(self, rank, block):
        return self.position[rank][block] == len(self.program.blocks[rank][block].steps)

    def step_of(self, rank, block):
        return self.program.blocks[rank][block].steps[self.position[rank][block]]

    def connection(self, rank, block, kind):
        own = self.program.blocks[rank][block]
        return (*((rank, own.send) if kind == "s" else (own.receive, rank)), own.channel)

    def queue(self, rank, block, kind):
        return self.connections.setdefault(self.connection(rank, block, kind), deque())

    def obstacle(self, rank, block):
        """What must change before the next step may be taken; None if it may."""
        step = self.step_of(rank, block)
        if step.awaits[0] >= 0 and self.told[rank][step.awaits[0]] < step.awaits[1]:
            return rank, step.awaits[0]
        if step.kind == "s" and len(self.queue(rank, block, "s")) >= self.slots:
            return self.connection(rank, block, "s")
        if step.kind == "r" and not self.queue(rank, block, "r"):
            return self.connection(rank, block, "r")
        return None

    def take(self, rank, block):
        """Take the next step; return what has changed."""
        step, position = self.step_of(rank, block), self.position[rank][block]
        if step.kind in ("s", "cpy"):
            chunks = self.part(rank, step.source, step.count)
            if None in chunks:
                raise WrongRunError(f"rank {rank} reads {step.source} before it is written")
        if step.kind == "s":
            self.queue(rank, block, "s").append((step.source, step.destination, chunks))
        elif step.kind == "r":
            source, destination, chunks = self.queue(rank, block, "r").popleft()
            if (source, destination, len(chunks)) != (step.source, step.destination, step.count):
                raise WrongRunError(f"rank {rank} receives {source} to {destination}, not {step.source}")
        if step.kind in ("r", "cpy"):
            if any(each is not None for each in self.part(rank, step.destination, step.count)):
                raise WrongRunError(f"rank {rank} writes {step.destination} again")
            name, first = step.destination
            self.buffers[rank][name][first : first + step.count] = chunks
        self.position[rank][block] += 1
        if step.tells:
            self.told[rank][block] = position
        return [(rank, block), *([self.connection(rank, block, step.kind)] if step.kind in ("s", "r") else [])]

    def part(self, rank, place, count):
        name, first = place
        if first < 0 or first + count > len(self.buffers[rank][name]):
            raise WrongRunError(f"rank {rank} has no chunks {place}")
        return self.buffers[rank][name][first : first + count]

    def outputs(self):
        return [buffers["o"] for buffers in self.buffers]


def require_result(program, outputs):
    """Require that every chunk is where the collective puts it."""
    ranks = len(outputs)
    for rank, found in enumerate(outputs):
        expected = [(other, rank if program.collective == "alltoall" else 0) for other in range(ranks)]
        if found != expected:
            wrong = next(each for each in range(ranks) if found[each] != expected[each])
            raise WrongRunError(f"rank {rank} has {found[wrong]} at {wrong}, not {expected[wrong]}")
