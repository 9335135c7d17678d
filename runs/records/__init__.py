"""Records: designs on disk, content-hashed, written once, validated when read, and verified by the reference.

`content` has the network and design of a record with their ids, and the type `Record`; `record` adds the score, what is
proven and the provenance, `files` writes and reads the result, and `verification` recomputes it.
"""

from typing import TYPE_CHECKING

from isoplane.models.lazy_names import handed_on

if TYPE_CHECKING:
    from .bound_origin import bound_words
    from .content import (
        Record,
        class_id_of,
        design_content,
        design_of_record,
        id_of,
        names_content,
        network_of,
    )
    from .files import (
        bare_name,
        best_folder,
        copy_tables,
        file_name,
        read_record,
        shipped_record,
        size_of,
        text_of,
        write_record,
    )
    from .origin import provenance
    from .proof_scope import (
        PROOF,
        better_outside,
        component_statuses,
        component_words,
        gap_numbers,
        gaps_of,
        gaps_text,
        missed_limits,
        misses_limits,
        nearest_text,
        proof_fields,
        proof_status,
        proven_variables,
        scope_of,
        stop_text,
    )
    from .record import COMPLETE, GIVEN_BY, record_of, record_of_given, values_in
    from .schemas import check_schema, schema
    from .site import layout_from, layout_json, prices_from, prices_json, switch_from, switch_json
    from .verification import Difference, verified_bounds, verify, verify_metrics
    from .workloads import require_fit, workload_from, workload_json
else:
    __getattr__ = handed_on(__name__, __file__)

__all__ = [
    "COMPLETE",
    "GIVEN_BY",
    "PROOF",
    "Difference",
    "Record",
    "bare_name",
    "best_folder",
    "better_outside",
    "bound_words",
    "check_schema",
    "class_id_of",
    "component_statuses",
    "component_words",
    "copy_tables",
    "design_content",
    "design_of_record",
    "file_name",
    "gap_numbers",
    "gaps_of",
    "gaps_text",
    "id_of",
    "layout_from",
    "layout_json",
    "missed_limits",
    "misses_limits",
    "names_content",
    "nearest_text",
    "network_of",
    "prices_from",
    "prices_json",
    "proof_fields",
    "proof_status",
    "proven_variables",
    "provenance",
    "read_record",
    "record_of",
    "record_of_given",
    "require_fit",
    "schema",
    "scope_of",
    "shipped_record",
    "size_of",
    "stop_text",
    "switch_from",
    "switch_json",
    "text_of",
    "values_in",
    "verified_bounds",
    "verify",
    "verify_metrics",
    "workload_from",
    "workload_json",
    "write_record",
]
