"""Entry point of ``python -m tests.referee.fief_2``."""

import sys

from . import main

sys.exit(main())
