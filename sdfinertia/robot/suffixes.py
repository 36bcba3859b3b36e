"""Which files describe robots, by how their names end."""

from __future__ import annotations

SDF_SUFFIXES = (".sdf", ".world")
URDF_SUFFIXES = (".urdf",)
# Many other files end so: only those whose root element is <mujoco> count.
MJCF_SUFFIXES = (".xml",)
# Of the files that a walk looks for.
SUFFIXES = (*SDF_SUFFIXES, *URDF_SUFFIXES)
# A program that the package xacro runs.
XACRO_SUFFIX = ".xacro"
# What a URDF file with xacro in it has at least one of.
XACRO_MARKS = (b"<xacro:", b"${", b"$(")
# Templates are programs that print SDF or URDF; they are neither.
TEMPLATE_SUFFIXES = (".erb", ".jinja", ".jinja2", ".em")
