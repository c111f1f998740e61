"""What a seat is worth."""
