"""Statistics that the analyses share; docs/reference/methods.md explains each and names its source."""
