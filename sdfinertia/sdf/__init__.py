"""SDFormat: its text, its elements, its frames, and the files it names."""
