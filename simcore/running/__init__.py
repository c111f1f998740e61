"""Playing batches of games on many threads, and computing their rows, logs and digests."""
