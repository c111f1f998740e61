"""The effects of chance cards."""
