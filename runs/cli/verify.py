"""`isoplane verify`: a record against the independent reference."""

from omegaconf import DictConfig

from isoplane.models import InputError
from isoplane.objectives import metrics_of
from isoplane.runs.config.config_values import Config, given_words, path_of, plain
from isoplane.runs.config.designs import LINK_RATE, loaded
from isoplane.runs.records import read_record, verified_bounds, verify_metrics
from isoplane.runs.terminal import codes
from isoplane.runs.terminal.table import Table
from isoplane.runs.terminal.table_output import format_of, print_table

COLUMNS = ("field", "recorded", "recomputed")


def run(config: DictConfig) -> int:
    """Recompute every number of a record, or the metrics of a configured design; print those that differ."""
    data = Config(plain(config))
    kind = format_of(data["format"])
    words = given_words()
    designed = any(word.lstrip("+").startswith(("network", "program=")) for word in words)
    if data["record"] is None and not designed:
        raise InputError("record=null: expected record=FILE, program=FILE, or a network, such as network=torus")
    if data["record"] is None:
        source = loaded(data.handing_on(LINK_RATE))
        name, design, workload = "network", source.design, source.workload(data)
        data.require_effects(words)
        differences, bound = verify_metrics(metrics_of(design, workload), design, workload), ""
    else:
        name = str(path_of("record", data["record"]))
        record = read_record(name, check_id=False)
        data.require_effects(words)
        differences, bound = verified_bounds(record)
    differ = "1 number differs" if len(differences) == 1 else f"{len(differences)} numbers differ"
    summary = f"{name}: {differ if differences else 'every number agrees with the reference'}"
    table = Table(COLUMNS, [[getattr(difference, name) for name in COLUMNS] for difference in differences], (1, 2))
    print_table(kind, table, table, *filter(None, (summary, bound)), text="\n".join(map(str, differences)))
    return codes.VERIFICATION_FAILED if differences else codes.DONE
