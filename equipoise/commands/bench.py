"""`equipoise bench`."""
EXAMPLES = ""
def bench() -> None:
    """Measure."""
