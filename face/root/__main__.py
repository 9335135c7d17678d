"""`python -m isoplane`: the command line."""

import sys

from isoplane.runs.cli.main import main

sys.exit(main())
