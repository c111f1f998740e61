"""Tables from elsewhere: results that people or other programs have written down, as runs that can be analysed."""

from pathlib import Path

from simcore.errors import UsageError

ENDINGS = (".csv", ".tsv", ".txt", ".parquet", ".json")
"""How files end that are tables of results, also where there are none."""

START = 1 << 16
"""Number of bytes that say what kind of file a table is."""


def start_of(path: Path, most: int = 0) -> bytes:
    """Return the first bytes of a table; this imports nothing that reads the rest.

    most: Largest size in bytes.  If 0, any size.
    Raises UsageError if there is no such file, or it cannot be read twice.
    """
    try:
        if most and path.stat().st_size > most:
            raise UsageError(f"{path}: larger than {most // 1_000_000} MB; give the games of one table or club")
        if path.is_fifo():
            raise UsageError(f"{path}: a pipe; name a CSV, Parquet or JSON file")
        with path.open("rb") as file:
            return file.read(START)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise UsageError(f"{path}: {reason}; name a CSV, Parquet or JSON file") from None
