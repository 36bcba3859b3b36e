"""Suffixes of file names that tell what a file is."""

SUFFIXES = (".sdf", ".world")
# Templates are programs that print SDF; they are not SDF.
TEMPLATE_SUFFIXES = (".erb", ".xacro", ".jinja", ".jinja2", ".em")
