"""`python -m equipoise`."""

from equipoise.start import main

main()
