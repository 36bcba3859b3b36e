"""Editing the inertials and primitive shapes of a document, with undo; no server and no page."""
