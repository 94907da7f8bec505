"""Meshes of Blender as a scene of Sherd: a YAML file, and a PLY file for each mesh beside it."""
import os
from array import array

import bpy
from mathutils import Matrix

from . import models, scene_file

SAMPLE_TOLERANCE = 1e-9  # of an obstacle's motion: below it does not move [m, rad]


class ExportError(Exception):
    """What keeps the scene from being written."""


def meters(scene):
    """Of one unit of Blender."""
    return scene.unit_settings.scale_length


def candidates(context):
    """Objects that the panel's settings choose."""
    chosen = context.selected_objects if context.scene.sherd.selected_only else context.visible_objects
    return [o for o in chosen if o.type in {"MESH", "CURVE", "SURFACE", "FONT", "META"} and o.sherd.role != "NONE" and
            "sherd_key" not in o]


def paths(scene):
    """(folder, scene file, folder of the run) as the panel says."""
    name = scene_file.name_of(scene.sherd.name, set())
    if scene.sherd.folder.startswith("//") and not bpy.data.filepath:
        raise ExportError("save the .blend file first, or give a folder that does not begin with //")
    folder = os.path.normpath(bpy.path.abspath(scene.sherd.folder))
    return folder, os.path.join(folder, f"{name}.yaml"), os.path.join(folder, name)


def _arrays(owner, graph, unit):
    """(vertices, triangles, texture, normal): modifiers applied, turned and scaled, from the origin [m]."""
    evaluated = owner.evaluated_get(graph)
    mesh = evaluated.to_mesh()
    try:
        turn = owner.matrix_world.to_3x3().to_4x4()
        mesh.transform(Matrix.Scale(unit, 4) @ turn)
        mirrored = turn.determinant() < 0.0
        mesh.calc_loop_triangles()
        count = len(mesh.loop_triangles)
        vertices, triangles = array("f", bytes(12 * len(mesh.vertices))), array("i", bytes(12 * count))
        mesh.vertices.foreach_get("co", vertices)
        mesh.loop_triangles.foreach_get("vertices", triangles)
        texture = _texture(mesh, count)
        normal = sum((p.normal * p.area for p in mesh.polygons), start=mesh.polygons[0].normal * 0.0) \
            if len(mesh.polygons) else None
    finally:
        evaluated.to_mesh_clear()
    if mirrored:
        triangles[1::3], triangles[2::3] = triangles[2::3], triangles[1::3]
        if texture is not None:
            for c in (0, 1):
                texture[2 + c::6], texture[4 + c::6] = texture[4 + c::6], texture[2 + c::6]
    return vertices, triangles, texture, normal


def _texture(mesh, count):
    if mesh.uv_layers.active is None:
        return None
    loops, all_uv = array("i", bytes(12 * count)), array("f", bytes(8 * len(mesh.loops)))
    mesh.loop_triangles.foreach_get("loops", loops)
    mesh.uv_layers.active.data.foreach_get("uv", all_uv)
    texture = array("f", bytes(24 * count))
    for c in (0, 1):
        column = all_uv[c::2]
        texture[c::2] = array("f", [column[k] for k in loops])
    return texture


def _color(owner):
    """sRGB of the first material's viewport or base colour."""
    material = next((s.material for s in owner.material_slots if s.material is not None), None)
    if material is None:
        return None
    linear = list(material.diffuse_color[:3])
    if material.use_nodes and material.node_tree is not None:
        shader = next((n for n in material.node_tree.nodes if n.type == "BSDF_PRINCIPLED"), None)
        if shader is not None and not shader.inputs["Base Color"].is_linked:
            linear = list(shader.inputs["Base Color"].default_value[:3])
    srgb = [12.92 * c if c <= 0.0031308 else 1.055 * c ** (1 / 2.4) - 0.055 for c in (min(max(c, 0), 1) for c in linear)]
    return [round(c, 4) for c in srgb]


def _material(owner):
    s = owner.sherd
    color = _color(owner)
    if s.packing == "points":
        return scene_file.Material(density=s.density, model=s.model,
                                   friction=s.friction if s.model != "fluid" else None,
                                   color=tuple(color) if color else None, **models.values(s))
    if s.packing == "fem":
        strength = None if s.unbreakable else s.tensile_strength * 1e6
        return scene_file.Material(
            density=s.density, youngs_modulus=s.youngs_modulus * 1e9, poissons_ratio=s.poissons_ratio,
            tensile_strength=strength, shear_strength=strength, unbreakable=True if s.unbreakable else None,
            friction=s.friction, color=tuple(color) if color else None)
    strong = None if s.unbreakable or s.loose else 1e6
    return scene_file.Material(
        density=s.density, youngs_modulus=s.youngs_modulus * 1e9,
        stiffness_scale=s.stiffness_scale if s.stiffness_scale < 1.0 else None,
        poissons_ratio=s.poissons_ratio, tensile_strength=strong and s.tensile_strength * strong,
        shear_strength=strong and s.shear_strength * strong, unbreakable=None if strong else True,
        weibull_modulus=s.weibull_modulus if strong else None, calibrate=True if s.calibrate and strong else None,
        friction=s.friction, color=tuple(color) if color else None)


def _packing(settings, unit):
    size = scene_file.short(settings.size * unit)
    if settings.packing == "fem":
        return f"{{tetra: {{size: {size}, model: fem}}}}"
    key = {"tetra": "size", "points": "spacing"}.get(settings.packing, "radius")
    return f"{{{settings.packing}: {{{key}: {size}}}}}"


class Export:
    """A scene on its way into files."""

    def __init__(self, context):
        self.context, self.unit = context, meters(context.scene)
        self.folder, self.path, self.out = paths(context.scene)
        settings = context.scene.sherd
        gravity = [self.unit * g for g in context.scene.gravity] if context.scene.use_gravity else (0.0, 0.0, 0.0)
        self.scene = scene_file.Scene(scene_file.name_of(settings.name, set()), settings.duration, settings.frame_rate,
                                      gravity)

    def write(self):
        """-> path of the scene file"""
        owners = candidates(self.context)
        if not any(o.sherd.role == "BODY" for o in owners):
            what = "selected" if self.context.scene.sherd.selected_only else "visible"
            raise ExportError(f"no {what} mesh is a body: choose the role Body in the panel")
        stem = os.path.splitext(os.path.basename(self.path))[0]
        os.makedirs(os.path.join(self.folder, f"{stem}-meshes"), exist_ok=True)
        graph = self.context.evaluated_depsgraph_get()
        for owner in sorted(owners, key=lambda o: o.name):
            self._add(owner, graph, stem)
        self.scene.write(self.path)
        return self.path

    def _add(self, owner, graph, stem):
        name = scene_file.name_of(owner.name, self.scene.names)
        vertices, triangles, texture, normal = _arrays(owner, graph, self.unit)
        if len(triangles) == 0:
            raise ExportError(f"{owner.name} has no faces")
        position = [self.unit * c for c in owner.matrix_world.translation]
        mesh = f"{stem}-meshes/{name}.ply"
        if owner.sherd.role == "OBSTACLE":
            plane = scene_file.plane_of(vertices, normal)
            if plane is not None:
                point = [p + c for p, c in zip(position, plane[0])]
                self.scene.add_plane(name, point, plane[1], owner.sherd.friction, _color(owner))
                return
        scene_file.write_ply(os.path.join(self.folder, mesh), vertices, triangles, texture)
        if owner.sherd.role == "OBSTACLE":
            self._add_obstacle(owner, name, mesh, position)
            return
        s = owner.sherd
        self.scene.add_body(name, mesh, _packing(s, self.unit), self.scene.material(_material(owner), name), position,
                            s.velocity, s.angular_velocity, s.loose and s.packing != "points")

    def _add_obstacle(self, owner, name, mesh, position):
        free, motion, s = None, None, owner.sherd
        if s.motion == "FREE":
            free = [("density", scene_file.short(s.density)), ("velocity", scene_file.vector(s.velocity)),
                    ("angular_velocity", scene_file.vector(s.angular_velocity))]
        if s.motion == "ANIMATED":
            motion = self._motion(owner)
        self.scene.add_obstacle(name, mesh, position, s.friction, _color(owner), free, motion)

    def _motion(self, owner):
        """Where the object is in each frame of the run, from where it is at the first. Rows (time, shift, turn)."""
        scene = self.context.scene
        now, rows, first = scene.frame_current, [], None
        frames = int(round(scene.sherd.duration * scene.sherd.frame_rate)) + 1
        turned = None
        try:
            for k in range(frames):
                scene.frame_set(scene.frame_start + k)
                place, turn, _ = owner.matrix_world.decompose()
                if first is None:
                    first = (place.copy(), turn.copy())
                shift, turn = (place - first[0]) * self.unit, turn @ first[1].inverted()
                vector = _rotation_vector(turn, turned)
                turned = vector
                rows.append((k / scene.sherd.frame_rate, tuple(shift), tuple(vector)))
        finally:
            scene.frame_set(now)
        still = all(max(map(abs, x + r)) <= SAMPLE_TOLERANCE for _, x, r in rows)
        return None if still else _sparse(rows)


def _rotation_vector(turn, before):
    """Axis times angle [rad], of all that mean the same the one nearest to `before`."""
    from math import pi, tau
    axis, angle = turn.to_axis_angle()
    if angle > pi:
        angle -= tau
    if before is None:
        return axis * angle
    if abs(angle) < 1e-9 and before.length > 1e-9:
        axis, angle = before.normalized(), 0.0
    return min((axis * (angle + k * tau) for k in range(-64, 65)), key=lambda v: (v - before).length)


def _sparse(rows):
    """Without rows that lie on the straight line between their neighbours."""
    def straight(a, b, c):
        share = (b[0] - a[0]) / (c[0] - a[0])
        return all(abs(y - (x + share * (z - x))) <= SAMPLE_TOLERANCE
                   for part in (1, 2) for x, y, z in zip(a[part], b[part], c[part]))
    kept = [rows[0]]
    for k in range(1, len(rows) - 1):
        if not straight(kept[-1], rows[k], rows[k + 1]):
            kept.append(rows[k])
    return kept + [rows[-1]]
