"""The command line: `isoplane VERB [overrides]`, each verb a Hydra application."""
