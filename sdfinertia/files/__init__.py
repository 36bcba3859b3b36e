"""Files of the operating system: read whole, replaced whole, and kept within a directory."""
