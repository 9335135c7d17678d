"""Tests of all-to-all exchanges in phases."""
