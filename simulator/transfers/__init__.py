"""Packets of networks with an optical switch."""
