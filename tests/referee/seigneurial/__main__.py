"""Entry point of ``python -m tests.referee.seigneurial``."""

import sys

from . import main

sys.exit(main())
