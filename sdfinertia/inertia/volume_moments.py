"""The moments of a solid without a density: its volume, centroid and second moments."""

from __future__ import annotations

from dataclasses import dataclass

from sdfinertia.inertia.rigid_transform import Vector3, number, vector
from sdfinertia.inertia.spatial_inertia import InertiaTensor, SpatialInertia, join_centres

# Integrals of (x x, y y, z z, x y, x z, y z) over the volume.
SecondMoments = tuple[float, float, float, float, float, float]


@dataclass(frozen=True, slots=True)
class VolumeMoments:
    """The moments of a solid up to the second order.

    Args:
        volume: signed (m³); negative for a cavity, or a surface that is inside out.
        centroid: position from the origin (m).
        second: integrals of (x x, y y, z z, x y, x z, y z) dV about the centroid (m⁵), of the volume's sign.
    """

    volume: float
    centroid: Vector3
    second: SecondMoments

    def __add__(self, other: VolumeMoments) -> VolumeMoments:
        """The moments of two solids that share no volume; a + b and b + a are the same to the bit.

        A volume of the other sign is cut away. If the two cancel, the middle is given for the centroid.
        """
        if not isinstance(other, VolumeMoments):
            return NotImplemented
        if other.volume == 0.0 != self.volume:
            return self
        if self.volume == 0.0 != other.volume:
            return other
        centroid, (x, y, z), reduced = join_centres(self.volume, self.centroid, other.volume, other.centroid)
        a, b = self.second, other.second
        second = (
            a[0] + b[0] + reduced * (x * x),
            a[1] + b[1] + reduced * (y * y),
            a[2] + b[2] + reduced * (z * z),
            a[3] + b[3] + reduced * (x * y),
            a[4] + b[4] + reduced * (x * z),
            a[5] + b[5] + reduced * (y * z),
        )
        return VolumeMoments(self.volume + other.volume, centroid, second)

    def scaled(self, factors: Vector3) -> VolumeMoments:
        """The moments of the solid stretched along the axes from the origin; mirrored where a factor is negative.

        A mirror image keeps the sign of the volume.
        """
        sx, sy, sz = vector(factors, "scale factors")
        x, y, z = self.centroid
        xx, yy, zz, xy, xz, yz = self.second
        j = abs(sx * sy * sz)
        second = (
            xx * (j * sx * sx),
            yy * (j * sy * sy),
            zz * (j * sz * sz),
            xy * (j * sx * sy),
            xz * (j * sx * sz),
            yz * (j * sy * sz),
        )
        return VolumeMoments(self.volume * j, (x * sx, y * sy, z * sz), second)

    def spatial_inertia(self, density: float) -> SpatialInertia:
        """The body that fills this volume at a density (kg/m³)."""
        density = number(density, "a density")
        xx, yy, zz, xy, xz, yz = self.second
        # 0.0 - v, not -v: a product that is zero stays a plain zero.
        tensor = InertiaTensor(
            density * (yy + zz),
            density * (xx + zz),
            density * (xx + yy),
            0.0 - density * xy,
            0.0 - density * xz,
            0.0 - density * yz,
        )
        return SpatialInertia(density * self.volume, self.centroid, tensor)
