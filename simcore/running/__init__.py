"""Playing batches of games on many threads and writing their rows, logs and digests."""
