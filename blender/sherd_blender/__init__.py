"""Sherd's runs in Blender: import, scenes from meshes, simulation in the background. See docs/guide/blender.md."""
bl_info = {
    "name": "Sherd",
    "description": "Runs of the fracture simulator Sherd: import, export of scenes, simulation in the background",
    "author": "The Sherd developers",
    "version": (0, 2, 0),
    "blender": (3, 4, 0),
    "location": "View3D > Sidebar > Sherd, File > Import > Sherd run",
    "category": "Import-Export",
}

from . import frame_values, operators, panel, preferences, properties, simulate  # noqa: E402

PARTS = (preferences, properties, operators, simulate, panel, frame_values)


def register():
    for part in PARTS:
        part.register()


def unregister():
    for part in reversed(PARTS):
        part.unregister()
