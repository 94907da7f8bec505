"""A run as objects of Blender: made, or brought up to date.

All objects are children of an empty that says where the run is. What Sherd gives (meshes, keyframes, caches) is written
anew each time; names, materials in slots, modifiers, parents' transforms and whatever else was changed stays.
"""
import os
import time
from array import array

import bpy

from . import animation, colors, frame_values, granules, meshes, piece_file

ROUGHNESS_OUTER, ROUGHNESS_INNER, ROUGHNESS_GLASS, ROUGHNESS_GLASS_BROKEN = 0.35, 0.9, 0.05, 0.4
CACHE = "Sherd"  # the modifier's name


class Import:
    """One run on its way into a scene."""

    def __init__(self, context, path, folder, root=None, start=1, step=1.0, tolerance=0.5):
        self.context, self.folder, self.path = context, folder, path
        self.file = piece_file.PieceFile(path)
        self.root = root
        self.fresh = root is None
        if root is not None:
            start, step, tolerance = root["sherd_start"], root["sherd_step"], root["sherd_tolerance"]
        self.start, self.step, self.tolerance = start, step, tolerance
        self.seen = set()

    # ------------------------------------------------------------ all of it

    def make(self):
        """-> (seconds, objects)"""
        begun = time.monotonic()
        self._begin()
        for piece in self.file.pieces:
            self._piece(piece)
        for points in self.file.points:
            self._points(points)
        for obstacle in self.file.obstacles:
            if obstacle.visible:
                self._obstacle(obstacle)
        self._remove_others()
        self._scene()
        frame_values.update_root(self.root, self.context.scene.frame_current)
        return time.monotonic() - begun, len(self.seen)

    def _begin(self):
        if self.root is None:
            self.collection = bpy.data.collections.new(self.file.title)
            self.context.scene.collection.children.link(self.collection)
            self.root = bpy.data.objects.new(f"{self.file.title} run", None)
            self.root.empty_display_size = max(10.0 * self.file.radius_m, 1e-6)
            self.collection.objects.link(self.root)
            scale = 1.0 / self.context.scene.unit_settings.scale_length
            self.root.scale = (scale, scale, scale)
            self.root["sherd_values"] = 1
        else:
            self.collection = next(iter(self.root.users_collection), self.context.scene.collection)
        self.root["sherd_folder"], self.root["sherd_file"] = self.folder, self.path
        self.root["sherd_start"], self.root["sherd_step"] = self.start, self.step
        self.root["sherd_tolerance"] = self.tolerance
        self.root["sherd_frames"] = self.file.frame_count
        self.root["sherd_planned"] = max(self.file.frames_planned, self.file.frame_count)
        self.root["sherd_stress_unit"] = self.file.stress_unit
        self.known = {o["sherd_key"]: o for o in self.root.children if "sherd_key" in o}
        self.group = self._color_group()
        self.materials = {}

    def _color_group(self):
        """The run's colours; the range follows the run until somebody sets it."""
        tree = bpy.data.node_groups.get(self.root.get("sherd_group", ""))
        if tree is None:
            tree = colors.make_group(f"{self.file.title} colors")
            self.root["sherd_group"] = tree.name
        self.root.sherd_run.top_speed_found = self.file.top_speed
        self.root.sherd_run.top_stress_found = self.file.top_stress
        self.root.sherd_run.apply(tree)
        return tree

    def _remove_others(self):
        for key, owner in self.known.items():
            if key not in self.seen:
                data = owner.data
                bpy.data.objects.remove(owner)
                if data is not None and data.users == 0:
                    bpy.data.meshes.remove(data)

    def _scene(self):
        scene = self.context.scene
        last = self.start + (self.file.frame_count - 1) * self.step
        if self.fresh:
            scene.frame_start = min(scene.frame_start, self.start) if len(frame_values.roots()) > 1 else self.start
            scene.frame_end = max(1, int(last)) if len(frame_values.roots()) <= 1 else max(scene.frame_end, int(last))
        else:
            scene.frame_end = max(scene.frame_end, int(last))

    # ------------------------------------------------------------ materials

    def _material(self, key, name, color, roughness, transmission=0.0):
        """One that was made before, by its key, else a new one; those of bodies show what `color by` says."""
        found = self.materials.get(key)
        if found is None:
            mark = f"{self.root['sherd_group']}|{key}"
            found = next((m for m in bpy.data.materials if m.get("sherd_key") == mark), None)
            if found is None:
                found = colors.make_material(name, mark, color, roughness, transmission,
                                             None if key.startswith("obstacle:") else self.group)
            self.materials[key] = found
        return found

    def _body_materials(self, body):
        """Outer and inner. Of new pieces those that older pieces of the body have, which may be the artist's."""
        told = self.file.bodies[body]
        older = next((o for o in self.known.values() if o.get("sherd_body") == told["name"] and o.type == "MESH" and
                      len(o.data.materials) >= 2), None)
        if older is not None:
            return [older.material_slots[0].material, older.material_slots[1].material]
        glass = told["opacity"] < 1.0
        outer = self._material(f"{told['name']}:outer", told["name"], told["outer"],
                               ROUGHNESS_GLASS if glass else ROUGHNESS_OUTER, 1.0 - told["opacity"])
        inner = self._material(f"{told['name']}:inner", f"{told['name']} broken", told["inner"],
                               ROUGHNESS_GLASS_BROKEN if glass else ROUGHNESS_INNER, 1.0 - told["opacity"])
        return [outer, inner]

    # ------------------------------------------------------------ objects

    def _object(self, key, name, body=None):
        """-> (object, whether it is new)"""
        self.seen.add(key)
        owner = self.known.get(key)
        if owner is not None:
            if owner.data.users > 1:  # another object shows this mesh, too
                owner.data = owner.data.copy()
            return owner, False
        owner = bpy.data.objects.new(name, bpy.data.meshes.new(name))
        owner["sherd_key"] = key
        if body is not None:
            owner["sherd_body"] = body
        owner.parent = self.root
        self.collection.objects.link(owner)
        return owner, True

    def _piece(self, piece):
        body = self.file.bodies[piece.body]["name"]
        owner, new = self._object(f"piece:{piece.id}", f"{body} {piece.id}", body)
        bends = piece.bends and piece.deviation_m > self.tolerance * self.file.radius_m
        vertices = self.file.bent(piece, 0) if bends else self.file.vertices(piece)
        meshes.fill(owner.data, vertices, self.file.triangles(piece), self.file.kinds(piece), self.file.texture(piece))
        if new:
            for material in self._body_materials(piece.body):
                owner.data.materials.append(material)
        owner["fragment"], owner["elements"], owner["mass_kg"] = piece.id, piece.elements, piece.mass_kg
        owner["sherd_bends"] = int(bends)
        owner.rotation_mode = "QUATERNION"
        if bends:
            self._still(owner)
            owner["speed"] = owner["stress"] = 0.0
            self._cache(owner, f"piece_{piece.id}", piece.vertices,
                        lambda frame: self.file.bent(piece, frame))
        else:
            self._no_cache(owner)
            animation.animate(owner, lambda column: self.file.track(piece, column), self.start, self.step,
                              [("speed", piece_file.SPEED), ("stress", piece_file.STRESS)])

    def _points(self, points):
        body = self.file.bodies[points.body]["name"]
        owner, new = self._object(f"points:{body}", body, body)
        meshes.fill(owner.data, self.file.placed(points, 0), ())
        meshes.set_values(owner.data, "radius", self.file.radii(points))
        meshes.set_values(owner.data, "fragment", self.file.labels(points), "INT")
        self._cache(owner, f"points_{points.body}", points.count, lambda frame: self.file.placed(points, frame))
        if new:
            outer = self._body_materials(points.body)[0]
            owner.data.materials.append(outer)
            granules.show(owner, outer)

    def _obstacle(self, obstacle):
        if not obstacle.plane and obstacle.triangles == 0:
            return
        owner, new = self._object(f"obstacle:{obstacle.name}", obstacle.name)
        if obstacle.plane:
            half = 20.0 * self._extent()
            corners = array("f", [-half, -half, 0, half, -half, 0, half, half, 0, -half, half, 0])
            meshes.fill(owner.data, corners, array("i", [0, 1, 2, 0, 2, 3]))
        else:
            meshes.fill(owner.data, *self.file.shape(obstacle))
        if new:
            owner.data.materials.append(self._material(f"obstacle:{obstacle.name}", obstacle.name, obstacle.color,
                                                       ROUGHNESS_OUTER))
        owner.rotation_mode = "QUATERNION"
        animation.animate(owner, lambda column: self.file.obstacle_track(obstacle, column), self.start, self.step)

    def _extent(self):
        """Of all pieces and points in the first frame, roughly [m]."""
        reach = [abs(self.file.track(piece, c)[0]) for piece in self.file.pieces for c in range(3)]
        reach += [abs(v) for points in self.file.points for v in self.file.placed(points, 0)[:300]]
        return max(reach, default=0.0) or 10.0 * self.file.radius_m or 1.0

    # ------------------------------------------------------------ caches

    def _cache(self, owner, name, count, frame_of):
        """Vertices in every frame, in a file that Blender's own modifier reads."""
        path = os.path.join(os.path.dirname(self.path), f"{name}.pc2")
        piece_file.write_point_cache(path, count, self.file.frame_count, frame_of)
        modifier = owner.modifiers.get(CACHE)
        if modifier is None:
            modifier = owner.modifiers.new(CACHE, "MESH_CACHE")
            while owner.modifiers.find(CACHE) > 0:  # before what the artist has added
                owner.modifiers.move(owner.modifiers.find(CACHE), owner.modifiers.find(CACHE) - 1)
        modifier.cache_format, modifier.filepath = "PC2", path
        modifier.frame_start, modifier.frame_scale = float(self.start), 1.0 / self.step
        modifier.interpolation, modifier.play_mode = "LINEAR", "SCENE"

    def _no_cache(self, owner):
        modifier = owner.modifiers.get(CACHE)
        if modifier is not None:
            owner.modifiers.remove(modifier)

    def _still(self, owner):
        """Of a piece that was rigid before: no keyframes, at the origin, where its vertices say."""
        for path, index, _ in animation.LOCATION + animation.ROTATION + [('["speed"]', 0, 7), ('["stress"]', 0, 8)]:
            animation.clear(owner, path, index)
        owner.location, owner.rotation_quaternion = (0, 0, 0), (1, 0, 0, 0)
