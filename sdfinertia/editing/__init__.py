"""Editing the inertials and primitive shapes of a document, with undo; and the page on a local server for it."""
