"""The value of a seat: shares of the wins by seat, role and camp."""
