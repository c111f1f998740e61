"""The elements of kernels: compilation and its cache, random streams, records, decisions and traces."""
