"""Runs that end when the requested quantities are known precisely enough."""
