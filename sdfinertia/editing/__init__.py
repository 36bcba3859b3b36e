"""Changing the inertials and simple shapes of a document by hand: values that can be undone, and no server or page."""
