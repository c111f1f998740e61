"""The course of games, and how they end."""
