"""Which strategies are strong, and who beats whom."""
