"""Simulations of designs: flit by flit or packet by packet, their folders, tables, figures and texts."""
