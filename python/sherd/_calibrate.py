"""Bonds that give a solid its modulus and strengths (include/sherd/calibrate.h)."""
import ctypes

from . import _c
from ._fields import Definition, documented
from ._library import check, lib
from ._results import Calibration, struct
from ._shapes import PACKING

CALIBRATION = Definition("sherd_calibration_def")


@documented(CALIBRATION)
def calibrate(packing: "Mapping[str, Any] | None" = None, **options) -> Calibration:
    """Finds bonds that give a solid the requested stiffness and strengths; seconds, unless they are in the cache.

    packing: arguments of sherd.Packing as a dictionary, {"kind": "random", "bond_range": 1.2} (default: hcp)

    Arguments, by name:
    """
    keep, error, found = [], _c.sherd_error(), _c.sherd_calibration()
    definition = CALIBRATION.make(options, keep, ("packing",))
    if packing:
        PACKING.put(definition.packing, packing, keep)
    check(lib.sherd_calibrate(ctypes.byref(definition), ctypes.byref(found), ctypes.byref(error)), error)
    return struct(found)
