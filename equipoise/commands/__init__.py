"""The sub-commands of `equipoise`, one module each."""
