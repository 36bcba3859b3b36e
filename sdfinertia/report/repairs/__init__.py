"""What `repair` did: a bug report to send to whom the file is from, and the same as JSON."""
