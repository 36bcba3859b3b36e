"""What is done with one document: bytes in, results out. Knows no terminal, and writes nothing by itself."""
