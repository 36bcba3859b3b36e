"""The study of a link: what it is computed from, what comes out, and how that compares with what is written."""
