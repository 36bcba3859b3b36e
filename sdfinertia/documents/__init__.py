"""Work on one document: bytes in, results out. Nothing here prints or writes."""
