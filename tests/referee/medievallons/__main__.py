"""Entry point of ``python -m tests.referee.medievallons``."""

import sys

from . import main

sys.exit(main())
