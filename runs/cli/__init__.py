"""The command line: `isoplane VERB [overrides]`, a module for each verb, whose options Hydra composes.

`usage` lists the verbs; the module of `check-cables` is `check_cables`. All other modules are helpers: `main`, `verbs`
and `job` lead from the words of a command line to the `run` of a verb, by way of `typed_words` and `applications`;
`keywords` does so from Python; `sized_search`, `sweep_jobs` and `resumed_sweep` run a verb several times; `help_text`,
`completion` and `errors` have what users read, and `hydra_folders` tidies up after Hydra.
"""
