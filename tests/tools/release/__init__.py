"""What a release must pass."""
