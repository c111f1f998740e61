"""What a kernel is made of: compilation and its cache, random streams, records, decisions and traces."""
