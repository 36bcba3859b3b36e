"""Any bytes end in a result or in one clear error: what must hold of them, and a search for those that break it."""
