"""The elements of kernels: compilation and its cache, random streams, records, decisions and traces.

Numba takes its settings from the environment, which is part of the key of the cache, and from nowhere else.
"""

import os
import re
import warnings

from simcore.child_processes import overlooked
from simcore.errors import UsageError

_FEATURES = re.compile(r"([+-][\w.-]+(,[+-][\w.-]+)*)?")


def _refused(name: str, why: str) -> UsageError:
    value = os.environ.get(name, "")
    return UsageError(f"{name}={value!r} in the environment: {why}; give it another value, or unset it")


if not _FEATURES.fullmatch(os.environ.get("NUMBA_CPU_FEATURES", "")):  # the compiler would abort
    raise _refused("NUMBA_CPU_FEATURES", "write features such as +avx2,-avx512f")
with overlooked(".numba_config.yaml"), warnings.catch_warnings(record=True) as _warned:
    warnings.simplefilter("always")
    try:
        from numba.core import config
    except ValueError as error:
        if "NUMBA_NUM_THREADS" not in os.environ:
            raise
        raise _refused("NUMBA_NUM_THREADS", str(error).rstrip(".")) from None
for _one in _warned:
    if _named := re.search(r"Environment variable '(\w+)'", str(_one.message)):
        raise _refused(_named[1], "Numba cannot read this")

config._config_fname = os.devnull  # it would look again whenever it compiles
