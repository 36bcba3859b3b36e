"""The computation of a link: what it was computed from, with which options, and what came out."""

from __future__ import annotations

from sdfinertia.declaration import OptionValue
from sdfinertia.inertia.inertial_text import InertialText, format_number, inertial_text
from sdfinertia.links.inertia import LinkInertia
from sdfinertia.links.inputs import DensitySource, LinkInputs
from sdfinertia.links.provenance import Provenance, recorded_options, texts_digest
from sdfinertia.mesh.treatment import Method
from sdfinertia.named_tuple import NamedTuple
from sdfinertia.options import Options
from sdfinertia.shapes.shape import MeshShape

# What sums over many faces leave of a product that is zero, as a part of the trace; processors differ in it.
_ROUNDING_OF_MESHES = 1e-13


class Computation(NamedTuple):
    """A link that was computed, with the options that hold for it."""

    options: Options
    inputs: LinkInputs
    inertia: LinkInertia

    @property
    def volume(self) -> float:
        """The volume of the solids that have mass (m³), each for itself."""
        volume = 0.0
        for part in self.inertia.collisions:
            volume += part.volume
        return volume

    def text(self) -> InertialText:
        """The numbers as they are written.

        Raises:
            InertiaError: they cannot be written so that libsdformat takes them.
        """
        inertia = self.inertia.inertia
        has_mesh = any(part.faces for part in self.inertia.collisions)
        return inertial_text(
            inertia,
            digits=self.options.digits,
            principal_axes=self.options.axes == "principal",
            mass_text=self.inputs.mass_text,
            rounding=_ROUNDING_OF_MESHES * inertia.I_BBcm_B.trace if has_mesh else 0.0,
            axes=self.inertia.principal_axes,
        )

    def scaled_to(self, mass: float) -> Computation:
        """The same link with another mass, which then counts as given."""
        text = format_number(mass, self.options.digits)
        return self._replace(
            inputs=self.inputs._replace(mass=float(text), mass_text=text),
            inertia=self.inertia.scaled_to_mass(float(text)),
        )

    def with_written_mass(self) -> Computation:
        """The same link with its mass rounded as it is written, and the tensor in proportion.

        For a block without provenance, whose mass counts as given from then on: computed again, it gives these numbers.
        """
        if self.inputs.mass is not None:
            return self
        mass = float(format_number(self.inertia.inertia.mass, self.options.digits))
        return self._replace(inertia=self.inertia.scaled_to_mass(mass))

    def provenance(self, text: InertialText) -> Provenance:
        """What the block will say of itself."""
        recorded = self._recorded_options()
        methods = sorted({part.method for part in self.inertia.collisions} - {Method.EXACT})
        values = texts_digest((*text.pose.split(), text.mass, *text.tensor))
        return Provenance(self.inputs.mass is not None, recorded, tuple(methods), self.inputs.digest(recorded), values)

    def _recorded_options(self) -> dict[str, str]:
        """The options that shaped the numbers, by long name: what a recomputation must be told beyond the file."""
        inputs, options = self.inputs, self.options
        used: dict[str, OptionValue] = {}
        methods = {part.name: part.method for part in self.inertia.collisions}
        for solid in inputs.counting():
            parameters, method = solid.parameters, methods.get(solid.name, Method.EXACT)
            if solid.density_source is DensitySource.OPTION:
                used["density"] = options.density
            if method not in (solid.treatment.method, Method.EXACT) and parameters.open_mesh is None:
                used["open_mesh"] = options.open_mesh
            if method is Method.VOXEL and parameters.voxel_size is None:
                used["voxel_size"] = options.voxel_size
            if method is Method.SHELL and parameters.thickness is None:
                used["thickness"] = options.thickness
            if isinstance(solid.shape, MeshShape) and parameters.overlaps is None:
                used["overlaps"] = options.overlaps
        if inputs.overlaps_by_option:
            used["overlaps"] = options.overlaps
        used["skip_unsupported"] = any(solid.is_skipped for solid in inputs.collisions)
        used["geometry"] = "visual" if inputs.uses_visuals else "collision"
        used["axes"], used["digits"] = options.axes, options.digits
        return recorded_options(used)
