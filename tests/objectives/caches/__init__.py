"""Tests of routing-table caches."""
