"""Entry point of ``python -m tests.referee.middle_ages``."""

import sys

from . import main

sys.exit(main())
