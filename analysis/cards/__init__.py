"""What the cards of chance do."""
