"""The questions that make an experiment: one function for each, from which its command and its `eq` function come."""
