"""Measurements of speed and size for `equipoise bench`, as plain tables that JSON can hold."""
