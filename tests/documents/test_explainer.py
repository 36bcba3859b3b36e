from __future__ import annotations

import pytest
from builders.robots import Written, sdf

from sdfinertia.documents.explaining import Explainer
from sdfinertia.documents.filling import fill
from sdfinertia.documents.opened import open_document
from sdfinertia.options import Options

ARM = Written("arm", "1.5", ("0.01", "1e-4", "-2e-4", "0.012", "3e-4", "0.004"), None, "0.01 0.02 -0.1")


def test_what_we_filled_is_no_mistake_of_its_author() -> None:
    box = ARM._replace(shape=(0.01, 0.0, 0.0, 0.012, 0.0, 0.004))
    document = open_document(fill(sdf(box), Options(all=True)).content, Options())
    link = next(document.links())
    assert Explainer(document).case(link) is None
    assert Explainer(document).whys(link, frozenset({"SDI103"})) == {}


def test_what_the_geometry_gives_is_told_at_the_mass_that_is_written() -> None:
    document = open_document(sdf(ARM._replace(shape=(0.01, 0.0, 0.0, 0.012, 0.0, 0.004))), Options())
    why = Explainer(document).whys(next(document.links()), frozenset({"SDI103"}))["SDI103"]
    assert why.computed.mass == 1.5
    assert why.computed.I_BBcm_B[:3] == pytest.approx((0.01, 0.012, 0.004))
