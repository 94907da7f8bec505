"""Reads run.pieces, which `sherd export RUN --to pieces` writes: docs/reference/exports.md.

Plain Python, without Blender and without numpy: Debian's Blender comes without it. Arrays are copied in one piece from
the file into array.array, which Blender's foreach_set takes as they are.
"""
import json
import mmap
import os
import struct
import sys
from array import array

MAGIC, VERSION, ALIGNMENT = b"SHERDPCS", 1, 8
TRACK_COLUMNS = 9  # x, y, z, qx, qy, qz, qw, speed, stress
OBSTACLE_COLUMNS = 7
SPEED, STRESS = 7, 8  # columns of tracks


class PieceFileError(Exception):
    """It is not such a file, or not a whole one."""


class Piece:
    """A fragment of the last frame with its mesh. `bends`: its vertices are in the frames."""

    def __init__(self, told, index, vertex, triangle, bend):
        self.id, self.body = int(told["id"]), int(told["body"])
        self.elements, self.mass_kg = int(told["elements"]), told["mass"]
        self.vertices, self.triangles = int(told["vertices"]), int(told["triangles"])
        self.bends, self.deviation_m = told["bends"], told["deviation"] or 0.0
        self.index, self.first_vertex, self.first_triangle, self.first_bend = index, vertex, triangle, bend


class Points:
    """The elements of a body that are drawn as balls."""

    def __init__(self, body, first, count):
        self.body, self.first, self.count = body, first, count


class Obstacle:
    """One that is seen has a mesh; a plane has none: its normal is z of its pose."""

    def __init__(self, told, index, offset):
        self.name, self.color, self.plane, self.visible = told["name"], told["color"], told["plane"], told["visible"]
        self.vertices, self.triangles = int(told.get("vertices", 0)), int(told.get("triangles", 0))
        self.index, self.offset = index, offset  # bytes in the section


class PieceFile:
    """An open run.pieces. Lengths in metres, quaternions x, y, z, w."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if sys.byteorder != "little":
            raise PieceFileError("this machine is big-endian; run.pieces is not")
        with open(path, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < 16:
                raise PieceFileError(f"{path}: not a file of pieces")
            self._bytes = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
        magic, version, length = struct.unpack_from("<8sii", self._bytes)
        if magic != MAGIC or length < 2 or 16 + length > size:
            raise PieceFileError(f"{path}: not a file of pieces")
        if version != VERSION:
            raise PieceFileError(f"{path}: pieces of format {version}, this add-on reads {VERSION}")
        try:
            self.about = json.loads(bytes(self._bytes[16:16 + length]))
            self._start = (16 + length + ALIGNMENT - 1) // ALIGNMENT * ALIGNMENT
            self._list()
        except (KeyError, TypeError, ValueError) as error:
            raise PieceFileError(f"{path}: damaged ({error})") from None
        if any(self._start + at + count > size for at, count in self.about["sections"].values()):
            raise PieceFileError(f"{path}: the end is missing")

    def _list(self):
        about = self.about
        self.title, self.scene_path, self.sherd_version = about["title"], about["scene"], about["sherd"]
        self.first_frame, self.times_s = int(about["first"]), about["times"]
        self.frame_count, self.frames_planned = len(self.times_s), int(about["planned"])
        self.radius_m = about["radius"]
        self.top_speed, self.top_stress, self.stress_unit = about["topSpeed"], about["topStress"], about["stressUnit"]
        self.bodies = about["bodies"]
        self.pieces, vertex, triangle, bend = [], 0, 0, 0
        for k, told in enumerate(about["pieces"]):
            piece = Piece(told, k, vertex, triangle, bend)
            vertex, triangle = vertex + piece.vertices, triangle + piece.triangles
            bend += piece.vertices if piece.bends else 0
            self.pieces.append(piece)
        self.bend_count, self.points, first = bend, [], 0
        for body, count in enumerate(about["points"]):
            if count > 0:
                self.points.append(Points(body, first, int(count)))
            first += int(count)
        self.point_count, self.obstacles, offset = first, [], 0
        for k, told in enumerate(about["obstacles"]):
            obstacle = Obstacle(told, k, offset)
            offset += 12 * (obstacle.vertices + obstacle.triangles)
            self.obstacles.append(obstacle)

    def _view(self, section, kind, first, count):
        """`count` values of 4 bytes from number `first` of a section on."""
        at = self._start + self.about["sections"][section][0] + 4 * first
        values = array(kind)
        values.frombytes(self._bytes[at:at + 4 * count])
        return values

    # ------------------------------------------------------------ meshes

    def vertices(self, piece):
        """x, y, z of each vertex at rest, from the centre of mass [m]."""
        return self._view("vertices", "f", 3 * piece.first_vertex, 3 * piece.vertices)

    def triangles(self, piece):
        """Three vertices of each."""
        return self._view("triangles", "i", 3 * piece.first_triangle, 3 * piece.triangles)

    def kinds(self, piece):
        """0 outer, 1 inner (broken) of each triangle."""
        at = self._start + self.about["sections"]["kinds"][0] + piece.first_triangle
        return self._bytes[at:at + piece.triangles]

    def texture(self, piece):
        """u, v of each corner."""
        return self._view("texture", "f", 6 * piece.first_triangle, 6 * piece.triangles)

    def shape(self, obstacle):
        """(vertices, triangles) of an obstacle in its own frame."""
        first = obstacle.offset // 4
        return (self._view("shapes", "f", first, 3 * obstacle.vertices),
                self._view("shapes", "i", first + 3 * obstacle.vertices, 3 * obstacle.triangles))

    # ------------------------------------------------------------ motion

    def track(self, piece, column):
        """A column of a piece as a rigid body, a value for each frame."""
        return self._view("tracks", "f", (piece.index * TRACK_COLUMNS + column) * self.frame_count, self.frame_count)

    def obstacle_track(self, obstacle, column):
        return self._view("obstacles", "f", (obstacle.index * OBSTACLE_COLUMNS + column) * self.frame_count,
                          self.frame_count)

    def _frame(self, frame, first, count):
        return self._view("frames", "f", frame * 5 * (self.bend_count + self.point_count) + first, count)

    def bent(self, piece, frame):
        """x, y, z of a bending piece's vertices in a frame, in the world [m]."""
        return self._frame(frame, 3 * piece.first_bend, 3 * piece.vertices)

    def bent_values(self, piece, frame):
        """(speed, stress) of each of its vertices."""
        n = self.bend_count
        return (self._frame(frame, 3 * n + piece.first_bend, piece.vertices),
                self._frame(frame, 4 * n + piece.first_bend, piece.vertices))

    def radii(self, points):
        return self._view("radii", "f", points.first, points.count)

    def labels(self, points):
        """The fragment of each in the last frame."""
        return self._view("labels", "i", points.first, points.count)

    def placed(self, points, frame):
        """x, y, z of each in a frame [m]."""
        return self._frame(frame, 5 * self.bend_count + 3 * points.first, 3 * points.count)

    def point_values(self, points, frame):
        """(speed, stress) of each."""
        at = 5 * self.bend_count + 3 * self.point_count + points.first
        return self._frame(frame, at, points.count), self._frame(frame, at + self.point_count, points.count)


def write_point_cache(path, vertex_count, frame_count, frame_of):
    """A PC2 file, as Blender's modifier Mesh Cache reads it; frame_of(k) are the x, y, z of frame k."""
    part = path + ".part"
    with open(part, "wb") as file:
        file.write(struct.pack("<12siiffi", b"POINTCACHE2\0", 1, vertex_count, 0.0, 1.0, frame_count))
        for k in range(frame_count):
            file.write(frame_of(k))
    os.replace(part, path)
