"""Statistics that the analyses share; docs/statistics.md says what each means and where it comes from."""
