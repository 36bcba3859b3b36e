"""The commands: options in, exit status out; what is printed and written is decided here."""
