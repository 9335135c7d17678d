"""Logs of the jobs of a machine: the Standard Workload Format, and a synthetic log."""

from .job_log import JobLog
from .swf_reader import read_job_log
from .swf_writer import swf_lines
from .synthetic_log import synthetic_log

__all__ = ["JobLog", "read_job_log", "swf_lines", "synthetic_log"]
