"""Runs that end once what was asked for is known precisely enough."""
