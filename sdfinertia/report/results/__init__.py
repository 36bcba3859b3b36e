"""What `fill` did, in every format."""
