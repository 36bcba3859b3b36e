"""Arrays of rows: which are equal, by tables of hashes."""
