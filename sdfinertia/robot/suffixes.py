"""The suffixes of robot descriptions."""

from __future__ import annotations

SDF_SUFFIXES = (".sdf", ".world")
URDF_SUFFIXES = (".urdf",)
# Many other files have this suffix: only those whose root element is <mujoco> count.
MJCF_SUFFIXES = (".xml",)
# Suffixes of the files that a walk finds.
SUFFIXES = (*SDF_SUFFIXES, *URDF_SUFFIXES)
# A program that the package xacro runs.
XACRO_SUFFIX = ".xacro"
# A URDF file with xacro in it has at least one of these.
XACRO_MARKS = (b"<xacro:", b"${", b"$(")
# Templates are programs that print SDF or URDF; they are neither.
TEMPLATE_SUFFIXES = (".erb", ".jinja", ".jinja2", ".em")
