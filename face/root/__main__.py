"""`python -m isoplane`: the command line."""

import sys

from isoplane.runs.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
