"""`python -m sdfinertia`."""

import sys

# Python puts the current directory first; from there on a tree that is looked at could bring in its own numpy.
if not getattr(sys.flags, "safe_path", False):
    del sys.path[0]

from sdfinertia.cli import main

main()
