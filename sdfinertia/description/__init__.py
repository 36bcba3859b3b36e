"""What a robot description says of its links, whatever its format; each format is a package that implements this."""
