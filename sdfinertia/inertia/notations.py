"""An inertia as other programs take it: the `<inertial>` of SDF, of URDF and of MJCF, and Drake's own value.

Texts of SDF and URDF hold what `fill` would write: rounded, free of noise, and so that libsdformat accepts it. Numbers
that no body has, which `fill` never writes, are rounded and no more, for whoever looks for the mistake in them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sdfinertia.errors import ConfigurationError, InertiaError
from sdfinertia.inertia.inertial_text import InertialText, inertial_text

if TYPE_CHECKING:
    from sdfinertia.inertia.spatial_inertia import SpatialInertia

# Each with the texts of an `InertialText`, in its order.
_SDF = """\
<inertial>
  <pose>{} {} {} {} {} {}</pose>
  <mass>{}</mass>
  <inertia>
    <ixx>{}</ixx>
    <ixy>{}</ixy>
    <ixz>{}</ixz>
    <iyy>{}</iyy>
    <iyz>{}</iyz>
    <izz>{}</izz>
  </inertia>
</inertial>"""
_URDF = (
    '<inertial><origin xyz="{} {} {}" rpy="{} {} {}"/><mass value="{}"/>'
    '<inertia ixx="{}" ixy="{}" ixz="{}" iyy="{}" iyz="{}" izz="{}"/></inertial>'
)


def sdf_text(inertia: SpatialInertia, digits: int) -> str:
    """The `<inertial>` of a link of SDF, on lines of its own.

    Args:
        inertia: in the frame of the link.
        digits: significant digits kept.
    """
    return _filled_in(_SDF, _texts_of(inertia, digits))


def urdf_text(inertia: SpatialInertia, digits: int) -> str:
    """The `<inertial>` of a link of URDF, on one line.

    Args:
        inertia: in the frame of the link.
        digits: significant digits kept.
    """
    return _filled_in(_URDF, _texts_of(inertia, digits))


def mjcf_text(inertia: SpatialInertia, digits: int) -> str:
    """The `<inertial>` of a body of MuJoCo, on one line.

    Its `fullinertia` is M(1,1) M(2,2) M(3,3) M(1,2) M(1,3) M(2,3) (MuJoCo, XML reference, body/inertial).

    Args:
        inertia: in the frame of the body.
        digits: significant digits kept.
    """
    position, tensor = _row(inertia.p_BoBcm_B, digits), _row(inertia.I_BBcm_B, digits)
    return f'<inertial pos="{position}" mass="{_row((inertia.mass,), digits)}" fullinertia="{tensor}"/>'


def drake_inertia(inertia: SpatialInertia) -> Any:
    """A `pydrake.multibody.tree.SpatialInertia` about the origin of the frame.

    Args:
        inertia: in the frame of the body.

    Raises:
        ConfigurationError: pydrake is not installed, or does not load.
        InertiaError: no body has these numbers, so that Drake refuses them.
    """
    try:
        from pydrake.multibody.tree import RotationalInertia, SpatialInertia
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").split(".")[0] == "pydrake"
        raise ConfigurationError(
            "as_drake needs the library pydrake" + ("" if missing else f", which fails: {error}"),
            remedy="install it with `pip install drake`",
        ) from None
    try:
        tensor = RotationalInertia(*inertia.I_BBcm_B)
        return SpatialInertia.MakeFromCentralInertia(inertia.mass, inertia.p_BoBcm_B, tensor)
    except RuntimeError as error:
        raise InertiaError(f"Drake takes no such inertia: {error}") from None


def _filled_in(form: str, texts: InertialText) -> str:
    return form.format(*texts.pose.split(), texts.mass, *texts.tensor)


def _texts_of(inertia: SpatialInertia, digits: int) -> InertialText:
    try:
        return inertial_text(inertia, digits=digits)
    except InertiaError:
        ixx, iyy, izz, ixy, ixz, iyz = (_row((value,), digits) for value in inertia.I_BBcm_B)
        pose = f"{_row(inertia.p_BoBcm_B, digits)} 0 0 0"
        return InertialText(pose, _row((inertia.mass,), digits), (ixx, ixy, ixz, iyy, iyz, izz))


def _row(values: tuple[float, ...], digits: int) -> str:
    return " ".join(f"{value:.{digits}g}" for value in values)
