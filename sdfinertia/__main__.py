"""`python -m sdfinertia`."""

from sdfinertia.cli import main

main()
