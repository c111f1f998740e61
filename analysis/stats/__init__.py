"""Statistics that the analyses share; docs/statistics.md explains each and names its source."""
