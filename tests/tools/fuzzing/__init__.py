"""Any bytes end in a result or in one clear error: contracts, and a search for inputs that break them."""
