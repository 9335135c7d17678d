"""The command line: `isoplane VERB [overrides]`, a module for each verb, whose options Hydra composes."""
