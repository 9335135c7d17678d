"""Reference transfers of a workload, independent of the native code."""
