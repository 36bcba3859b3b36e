"""The commands: options in, exit status out; here is decided which results are printed and written."""
