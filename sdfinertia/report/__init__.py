"""Results to text: for a terminal, as JSON, as a unified diff."""
