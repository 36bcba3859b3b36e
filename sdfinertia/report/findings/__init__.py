"""What `check` found, in every format."""
