"""Suffixes of file names that tell what a file is."""

SDF_SUFFIXES = (".sdf", ".world")
URDF_SUFFIXES = (".urdf",)
# Of the files that a walk looks for.
SUFFIXES = (*SDF_SUFFIXES, *URDF_SUFFIXES)
# Templates are programs that print SDF or URDF; they are neither.
TEMPLATE_SUFFIXES = (".erb", ".xacro", ".jinja", ".jinja2", ".em")
