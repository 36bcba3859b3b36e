"""The page of a document on a local server, where it can be changed: asks and answers, and who may ask."""
