"""`python -m corpusgate`."""

import sys

from corpusgate.cli import main

if __name__ == "__main__":
    sys.exit(main())
