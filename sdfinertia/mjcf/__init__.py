"""MJCF, the format of MuJoCo; semantics are those of its compiler (3.3)."""
