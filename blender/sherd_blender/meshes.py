"""Sherd's arrays as Blender's meshes."""
import math
from array import array

SHARP = math.radians(35)  # as Sherd's own exports: edges sharper than that stay sharp


def fill(mesh, vertices, triangles, kinds=None, texture=None):
    """The mesh anew from arrays; slots of materials and names stay."""
    mesh.clear_geometry()
    corner_count, count = len(triangles), len(triangles) // 3
    mesh.vertices.add(len(vertices) // 3)
    mesh.vertices.foreach_set("co", vertices)
    if count == 0:
        mesh.update()
        return
    mesh.loops.add(corner_count)
    mesh.loops.foreach_set("vertex_index", triangles)
    mesh.polygons.add(count)
    mesh.polygons.foreach_set("loop_start", array("i", range(0, corner_count, 3)))
    try:
        mesh.polygons.foreach_set("loop_total", array("i", [3]) * count)
    except (AttributeError, TypeError, RuntimeError):
        pass  # follows from loop_start in later versions
    mesh.polygons.foreach_set("use_smooth", array("b", [1]) * count)
    if kinds is not None:
        mesh.polygons.foreach_set("material_index", array("i", kinds))
    if texture is not None:
        (mesh.uv_layers.get("UVMap") or mesh.uv_layers.new(name="UVMap")).data.foreach_set("uv", texture)
    mesh.update(calc_edges=True)
    soften(mesh)


def soften(mesh):
    """Smooth but at sharp edges."""
    if hasattr(mesh, "use_auto_smooth"):  # until 4.0
        mesh.use_auto_smooth, mesh.auto_smooth_angle = True, SHARP
    elif hasattr(mesh, "set_sharp_from_angle"):
        mesh.set_sharp_from_angle(angle=SHARP)


def attribute(mesh, name, kind, domain="POINT"):
    """The attribute of a name, made where it is missing or another."""
    found = mesh.attributes.get(name)
    if found is not None and (found.data_type != kind or found.domain != domain):
        mesh.attributes.remove(found)
        found = None
    return found if found is not None else mesh.attributes.new(name, kind, domain)


def set_values(mesh, name, values, kind="FLOAT"):
    attribute(mesh, name, kind).data.foreach_set("value", values)


