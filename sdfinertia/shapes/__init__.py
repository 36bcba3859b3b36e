"""The shapes that descriptions of robots name: what each is, how heavy, how large, and its surface. Knows no format."""
