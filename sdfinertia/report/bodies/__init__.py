"""Mass properties of bodies, as tables and in other notations."""
