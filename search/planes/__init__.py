"""Relabelled planes."""
