"""Rules as data: files, what they extend, and their keys."""
