"""The strengths of strategies, and who beats whom."""
