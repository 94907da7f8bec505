"""Well-known solids by name (include/sherd/material_library.h, docs/reference/materials.md)."""
import ctypes

from . import _c
from ._library import check, encoded, lib, text
from ._results import MaterialFigures, struct
from ._world import MATERIAL


def materials() -> "list[MaterialFigures]":
    """The solids that material() and `like:` of scenes know, with typical figures, ranges and sources."""
    return [struct(lib.sherd_material_library_at(k).contents) for k in range(lib.sherd_material_library_count())]


def material(name: str) -> "dict[str, Any]":
    """Arguments of World.add_material for a well-known solid: world.add_material(**sherd.material("glass")).

    What differs from add_material's own defaults. Change the dictionary as you like; shear_modulus_pa does not follow
    youngs_modulus_pa. InputError names the nearest when there is none of this name.
    """
    definition, error = _c.sherd_material_def(), _c.sherd_error()
    check(lib.sherd_material_named(encoded(name), ctypes.byref(definition), ctypes.byref(error)), error)
    found = MATERIAL.differing(definition)
    found["name"] = text(definition.name)
    return found
