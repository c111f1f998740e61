"""The elements of kernels: compilation and its cache, random streams, records, decisions and traces.

Numba takes its settings from the environment, which is part of the key of the cache, and from nowhere else.
"""

import os

from simcore.child_processes import overlooked

with overlooked(".numba_config.yaml"):
    from numba.core import config

config._config_fname = os.devnull  # it would look again whenever it compiles
