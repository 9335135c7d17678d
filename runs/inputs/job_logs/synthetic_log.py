"""A synthetic log of jobs by the model of Lublin and Feitelson: sizes, run times and a daily cycle of arrivals."""

from math import exp, lgamma, log

import numpy as np

from isoplane.models import InputError
from isoplane.models.arrays import Floats, Ints
from isoplane.models.checks import check_int

from .job_log import MODEL, JobLog

# The constants of the C program that the authors publish with their paper, for all jobs together: it has others for
# batch and for interactive jobs alone. They were fitted to logs of the 1990s.
PARAMETERS = {
    # Sizes: a job is serial, or else has 2^u processors, u uniform from `ulow` to `umed` or from `umed` to `uhi`; u is
    # rounded for jobs whose size is a power of 2.
    "serial": 0.244,  # share of serial jobs
    "power_of_2": 0.576,  # share of jobs that are parallel and whose u is rounded
    "ulow": 0.8,
    "uhi_less_umed": 2.5,  # `uhi` is log2 of the machine; the program advises 1.5 to 3.5, and has 7 and 4.5
    "uprob": 0.86,  # probability of the lower range
    # Run times: the logarithm of the seconds has a gamma distribution, shape a1 and scale b1 with the probability
    # p = pa * processors + pb, limited to [0, 1], and else a2 and b2.
    "a1": 4.2,
    "b1": 0.94,
    "a2": 312.0,
    "b2": 0.03,
    "pa": -0.0054,
    "pb": 0.78,
    "log_longest_run": 12.0,  # longer ones are drawn again, gamma distribution included
    # Arrivals: the logarithm of the seconds between two of them has a gamma distribution, of a time that passes in each
    # half-hour of the day in proportion to another gamma distribution.
    "aarr": 10.2303,  # shape in the rush hours
    "arar": 1.0225,  # by which it is multiplied for the whole day
    "barr": 0.4871,  # scale
    "anum": 8.1737,  # shape of the daily cycle, over half-hours
    "bnum": 3.9631,  # its scale
    "log_longest_gap": 13.0,  # longer ones are drawn again
}
HALF_HOUR_S = 1800
HALF_HOURS = 48
DAY_START = 11  # the half-hour of the day, from 1, at which the gamma distribution of the daily cycle begins to count
JOBS = 50_000  # as many as the program writes
PROCESSORS = 8192  # as many as RICC, and enough that some jobs need more entries than a cache has
MIN_PROCESSORS, MAX_PROCESSORS = 16, 1 << 20


def synthetic_log(
    seed: int, jobs: int = JOBS, processors: int = PROCESSORS, node_processors: int | None = None
) -> JobLog:
    """Return a log by the model of Lublin and Feitelson; it depends only on these arguments.

    Parameters
    ----------
    seed
        Seed of the random numbers.
    jobs
        Number of jobs.
    processors
        Processors of the machine, a power of 2.
    node_processors
        As in `JobLog`.

    Notes
    -----
    The constants and rules are those of the authors' program. The fits behind them, in the tables of the paper, were
    not available for comparison. Times of arrival are rounded down once; the program does so at every arrival.

    References
    ----------
    Lublin and Feitelson, The Workload on Parallel Supercomputers: Modeling the Characteristics of Rigid Jobs, Journal
    of Parallel and Distributed Computing 63 (11), 2003.

    Examples
    --------
    >>> log = synthetic_log(1, jobs=1000)
    >>> int(log.allocated.min()), bool((log.allocated <= 8192).all())
    (1, True)
    """
    check_int("jobs", jobs, 1)
    check_int("processors", processors, MIN_PROCESSORS, MAX_PROCESSORS)
    if processors.bit_count() > 1:  # else a rounded size could exceed the machine
        raise InputError(f"processors={processors}: expected a power of 2")
    random = np.random.default_rng(seed)
    sizes = _sizes(random, jobs, processors)
    run_s = np.exp(_log_run_times(random, sizes)).astype(np.int64)
    header = {
        "Version": "2.2",
        "Computer": f"{MODEL} (Lublin and Feitelson 2003, seed {seed})",
        "MaxJobs": str(jobs),
        "MaxProcs": str(processors),
    }
    unknown, completed = np.full(jobs, -1), np.ones(jobs, dtype=np.int64)
    submit_s = _arrivals_s(random, jobs)
    return JobLog(MODEL, submit_s, run_s, sizes, unknown, completed, header, node_processors)


def _sizes(random: np.random.Generator, jobs: int, processors: int) -> Ints:
    """Return the processors of each job."""
    kind = random.random(jobs)
    uhi = log(processors, 2)
    umed = uhi - PARAMETERS["uhi_less_umed"]
    lower = random.random(jobs) <= PARAMETERS["uprob"]
    place = random.random(jobs)
    u = np.where(lower, PARAMETERS["ulow"], umed) + place * np.where(lower, umed - PARAMETERS["ulow"], uhi - umed)
    serial = kind <= PARAMETERS["serial"]
    power_of_2 = ~serial & (kind <= PARAMETERS["serial"] + PARAMETERS["power_of_2"])
    u = np.where(power_of_2, np.floor(u + 0.5), u)
    sizes: Ints = np.where(serial, 1, np.floor(2**u + 0.5)).astype(np.int64)
    return sizes


def _log_run_times(random: np.random.Generator, sizes: Ints) -> Floats:
    """Return logarithms of run times in seconds."""
    first = np.clip(PARAMETERS["pa"] * sizes + PARAMETERS["pb"], 0, 1)
    times = np.full(len(sizes), np.inf)
    while len(left := np.flatnonzero(times > PARAMETERS["log_longest_run"])):
        chosen = random.random(len(left)) <= first[left]
        shape = np.where(chosen, PARAMETERS["a1"], PARAMETERS["a2"])
        times[left] = random.gamma(shape, np.where(chosen, PARAMETERS["b1"], PARAMETERS["b2"]))
    return times


def _arrivals_s(random: np.random.Generator, jobs: int) -> Ints:
    """Return times of arrival in seconds after midnight."""
    gaps = np.full(jobs, np.inf)
    while len(left := np.flatnonzero(gaps > PARAMETERS["log_longest_gap"])):
        gaps[left] = random.gamma(PARAMETERS["aarr"] * PARAMETERS["arar"], PARAMETERS["barr"], len(left))
    # A day has 48 units of a time that passes fast where many jobs arrive.
    days, rest = np.divmod(np.cumsum(np.exp(gaps)) / HALF_HOUR_S, HALF_HOURS)
    passed = np.concatenate([[0.0], np.cumsum(daily_cycle())])
    clock = np.interp(rest, passed, np.arange(HALF_HOURS + 1.0))
    arrivals_s: Ints = ((days * HALF_HOURS + clock) * HALF_HOUR_S).astype(np.int64)
    return arrivals_s


def daily_cycle() -> Floats:
    """Return how many jobs arrive in each half-hour of the day, from midnight, relative to the mean of the day.

    Examples
    --------
    >>> cycle = daily_cycle()
    >>> int(cycle.argmax()) / 2, int(cycle.argmin()) / 2, round(float(cycle.mean()), 12)
    (13.5, 5.0, 1.0)
    """
    weights = np.empty(HALF_HOURS)
    for half_hour in range(DAY_START, DAY_START + HALF_HOURS):
        low, high = (_gamma_share(half_hour + side, PARAMETERS["anum"], PARAMETERS["bnum"]) for side in (-0.5, 0.5))
        weights[(half_hour - 1) % HALF_HOURS] = high - low
    cycle: Floats = weights / weights.mean()
    return cycle


def _gamma_share(value: float, shape: float, scale: float) -> float:
    """Return the probability that a gamma distribution is below a value: the series of the incomplete function.

    Examples
    --------
    >>> round(_gamma_share(3.0, 1, 2.0), 12) == round(1 - exp(-1.5), 12)
    True
    """
    x = value / scale
    term = total = 1 / shape
    power = shape
    while term > total * 1e-16:
        power += 1
        term *= x / power
        total += term
    return total * exp(shape * log(x) - x - lgamma(shape))
