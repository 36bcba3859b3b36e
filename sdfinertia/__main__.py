"""The program: `python -m sdfinertia`, and the command `sdfinertia`."""

from sdfinertia.cli import main

if __name__ == "__main__":
    main()
