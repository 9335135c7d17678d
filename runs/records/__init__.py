"""Records: designs on disk, content-hashed, written once, read with suspicion and verified by the reference."""

from .content import Record, class_id_of, content_of, id_of, network_of
from .files import file_name, read_record, text_of, write_atomically, write_record
from .origin import provenance
from .record import record_of
from .schema import check_schema, schema
from .surroundings import layout_from, layout_json, prices_from, prices_json, switch_from, switch_json
from .verification import Difference, verify

__all__ = [
    "Difference",
    "Record",
    "check_schema",
    "class_id_of",
    "content_of",
    "file_name",
    "id_of",
    "layout_from",
    "layout_json",
    "network_of",
    "prices_from",
    "prices_json",
    "provenance",
    "read_record",
    "record_of",
    "schema",
    "switch_from",
    "switch_json",
    "text_of",
    "verify",
    "write_atomically",
    "write_record",
]
