"""Meshes with the faults that meshes have: open, overlapping, doubled, turned, cut through, with inner walls and fins.

MESHES lists them: name -> (function, volume that it means to enclose or None, keys of the scene's mesh). A function
returns vertices and triangles; all of them are about 1 in size, whatever unit that is.
"""
import math
import random

# ---------------------------------------------------------------- parts: (vertices, triangles)


def joined(*meshes):
    places, faces = [], []
    for p, f in meshes:
        n = len(places)
        faces += [(a + n, b + n, c + n) for a, b, c in f]
        places += p
    return places, faces


def moved(mesh, shift=(0, 0, 0), scale=(1, 1, 1), turn=0.0, tilt=0.0):
    """Scaled, turned about z, then tilted about y, then shifted [radians]."""
    c, s, ct, st = math.cos(turn), math.sin(turn), math.cos(tilt), math.sin(tilt)
    places = []
    for x, y, z in mesh[0]:
        x, y, z = x * scale[0], y * scale[1], z * scale[2]
        x, y = c * x - s * y, s * x + c * y
        x, z = ct * x + st * z, -st * x + ct * z
        places.append((x + shift[0], y + shift[1], z + shift[2]))
    return places, mesh[1]


def turned(mesh):
    return mesh[0], [(a, c, b) for a, b, c in mesh[1]]


def patch(rows, columns, place, close_u=False, close_v=False):
    """A grid of triangles, place(u, v) of 0..1; with u to the right and v up seen from outside."""
    w, h = columns + (not close_u), rows + (not close_v)
    places = [place(i / columns, j / rows) for j in range(h) for i in range(w)]
    faces = []
    for j in range(rows):
        for i in range(columns):
            a, b = j * w + i, j * w + (i + 1) % w
            c, d = (j + 1) % h * w + i, (j + 1) % h * w + (i + 1) % w
            faces += [(a, b, d), (a, d, c)]
    return places, faces


def lathe(profile, around=48, rows=1, cut=0.0):
    """Swept about z along points (radius, z) from below to above; points on the axis become poles. Triangles beyond
    the share `cut` of a turn are left out."""
    points = []
    for (r, z), (q, y) in zip(profile, profile[1:]):
        points += [(r + (q - r) * k / rows, z + (y - z) * k / rows) for k in range(rows)]
    points.append(profile[-1])
    n = len(points) - 1

    def place(u, v):
        r, z = points[round(v * n)]
        return r * math.cos(2 * math.pi * u), r * math.sin(2 * math.pi * u), z
    places, faces = patch(n, around, place, close_u=True)
    keep = len(faces) if cut == 0.0 else 0
    if cut:
        faces = [f for k, f in enumerate(faces) if (k // 2) % around < (1 - cut) * around]
    return welded((places, [f for f in faces if len({places[k] for k in f}) == 3])) if keep or cut else (places, faces)


def welded(mesh):
    """One vertex a place."""
    number, places = {}, []
    index = []
    for p in mesh[0]:
        key = tuple(round(c, 9) for c in p)
        if key not in number:
            number[key] = len(places)
            places.append(p)
        index.append(number[key])
    faces = [tuple(index[k] for k in f) for f in mesh[1]]
    return places, [f for f in faces if len(set(f)) == 3]


def ball(rows=24, radius=0.5, bumps=0.0):
    def place(u, v):
        a, b = 2 * math.pi * u, math.pi * (v - 0.5)
        r = radius * (1 + bumps * math.sin(7 * a) * math.cos(9 * b))
        return r * math.cos(b) * math.cos(a), r * math.cos(b) * math.sin(a), r * math.sin(b)
    return welded(patch(rows, 2 * rows, place, close_u=True))


def box(size=(1, 1, 1), at=(0, 0, 0), cells=1):
    """Between -size/2 and size/2, moved."""
    faces = []
    for axis in range(3):
        for side in (0, 1):
            def place(u, v, axis=axis, side=side):
                if not side:
                    u, v = v, u
                p = [0.0, 0.0, 0.0]
                p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3] = side - 0.5, u - 0.5, v - 0.5
                return tuple(p[k] * size[k] + at[k] for k in range(3))
            faces.append(patch(cells, cells, place))
    return welded(joined(*faces))


def tube(path, radius, around=16, ends=True):
    """Around a path of points; radius(t) or a number."""
    n = len(path) - 1
    frames = []
    for k in range(n + 1):
        a, b = path[max(k - 1, 0)], path[min(k + 1, n)]
        d = [q - p for p, q in zip(a, b)]
        l = math.sqrt(sum(c * c for c in d))
        d = [c / l for c in d]
        side = (0, 0, 1) if abs(d[2]) < 0.9 else (1, 0, 0)
        x = cross(side, d)
        l = math.sqrt(sum(c * c for c in x))
        x = [c / l for c in x]
        frames.append((path[k], x, cross(d, x)))

    def place(u, v):
        k = round(v * n)
        p, x, y = frames[k]
        r = radius(k / n) if callable(radius) else radius
        c, s = r * math.cos(2 * math.pi * u), r * math.sin(2 * math.pi * u)
        return tuple(p[a] + c * x[a] + s * y[a] for a in range(3))
    places, faces = patch(n, around, place, close_u=True)
    for end, ring in ((0, range(around)), (n, range(n * around, (n + 1) * around))):
        if not ends:
            break
        places.append(path[end])
        ring = list(ring)
        for k in range(around):
            a, b = ring[k], ring[(k + 1) % around]
            faces.append((len(places) - 1, b, a) if end == 0 else (len(places) - 1, a, b))
    return places, faces


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def torus(major=0.35, minor=0.12, rows=24):
    def place(u, v):
        a, b = 2 * math.pi * u, 2 * math.pi * v
        r = major + minor * math.cos(b)
        return r * math.cos(a), r * math.sin(a), minor * math.sin(b)
    return patch(rows, 2 * rows, place, close_u=True, close_v=True)


def volume(mesh):
    places, sum6 = mesh[0], 0.0
    for a, b, c in mesh[1]:
        n = cross(places[b], places[c])
        sum6 += sum(places[a][k] * n[k] for k in range(3))
    return sum6 / 6


# ---------------------------------------------------------------- faults

def without(mesh, wanted):
    """Without the triangles whose middle `wanted` says."""
    def middle(f):
        return [sum(mesh[0][k][a] for k in f) / 3 for a in range(3)]
    return mesh[0], [f for f in mesh[1] if not wanted(*middle(f))]


def soup(mesh, flipped=0.0, seed=1):
    """Every triangle on its own, some turned."""
    r = random.Random(seed)
    places, faces = [], []
    for f in mesh[1]:
        n = len(places)
        places += [mesh[0][k] for k in f]
        faces.append((n, n + 2, n + 1) if r.random() < flipped else (n, n + 1, n + 2))
    return places, faces


def shaken(mesh, size, seed=1):
    """A soup whose corners no longer meet."""
    r = random.Random(seed)
    places, faces = soup(mesh)
    return [tuple(c + r.uniform(-size, size) for c in p) for p in places], faces


def with_fins(mesh, count, length, seed=1):
    """Triangles that stick out of edges: edges with three of them."""
    r = random.Random(seed)
    places, faces = list(mesh[0]), list(mesh[1])
    for _ in range(count):
        a, b, _ = r.choice(mesh[1])
        m = [(p + q) / 2 for p, q in zip(places[a], places[b])]
        l = math.sqrt(sum(c * c for c in m)) or 1.0
        places.append(tuple(c * (1 + r.uniform(-1, 1) * length / l) for c in m))
        faces.append((a, b, len(places) - 1))
    return places, faces


def with_holes(mesh, count, radius, seed=1):
    r = random.Random(seed)
    at = [mesh[0][r.choice(mesh[1])[0]] for _ in range(count)]
    return without(mesh, lambda x, y, z: any((x - p) ** 2 + (y - q) ** 2 + (z - s) ** 2 < radius ** 2 for p, q, s in at))


def with_islands(mesh, count, size, seed=1):
    r = random.Random(seed)
    extra = []
    for _ in range(count):
        p = [r.uniform(-0.8, 0.8) for _ in range(3)]
        extra.append(([tuple(c + r.uniform(-size, size) for c in p) for _ in range(3)], [(0, 1, 2)]))
    return joined(mesh, *extra)


def scan(rows=48, seed=1, holes=6):
    """As scanners leave it: bumps, holes, fins, doubled triangles, islands."""
    whole = ball(rows, bumps=0.05)
    mesh = with_islands(with_fins(with_holes(whole, holes, 0.05, seed), 40, 0.02, seed), 20, 0.01, seed)
    r = random.Random(seed)
    return joined(mesh, (mesh[0], [r.choice(mesh[1]) for _ in range(30)]))


# ---------------------------------------------------------------- things

TEAPOT = [(0, -0.3), (0.2, -0.3), (0.32, -0.2), (0.36, -0.05), (0.33, 0.1), (0.25, 0.2), (0.18, 0.24)]
SPOUT = [(0.28, 0, -0.12), (0.38, 0, -0.06), (0.45, 0, 0.06), (0.5, 0, 0.18), (0.56, 0, 0.24)]
HANDLE = [(-0.3 - 0.2 * math.sin(math.pi * k / 12), 0, 0.13 - 0.26 * k / 12) for k in range(13)]


def teapot(lid=False, open_spout=True):
    parts = [lathe(TEAPOT, 48, 4), tube(SPOUT, lambda t: 0.08 - 0.04 * t, 24, not open_spout),
             tube(HANDLE, 0.035, 16, True)]
    if lid:
        parts += [lathe([(0.19, 0.23), (0.15, 0.27), (0.03, 0.3), (0, 0.3)], 48, 2),
                  moved(ball(10, 0.04), (0, 0, 0.33))]
    return joined(*parts)


def car_height(x, y):
    """Half width 0.2, length 1: a bonnet, a roof, a boot."""
    roof = 0.14 / (1 + math.exp(-30 * (x + 0.25))) / (1 + math.exp(30 * (x - 0.2)))
    return 0.14 + roof * (1 - (y / 0.25) ** 4)


def car(turned_share=0.0, seed=1):
    """300 panels that do not meet by a hair, without a bottom: open shells all."""
    r = random.Random(seed)
    panels = []

    def panel(place, i, j, nu, nv):
        gap = 0.004
        part = patch(4, 4, lambda u, v: place((i + gap + (1 - 2 * gap) * u) / nu, (j + gap + (1 - 2 * gap) * v) / nv))
        panels.append(turned(part) if r.random() < turned_share else part)

    def top(u, v):
        x, y = u - 0.5, 0.4 * v - 0.2
        return x, y, car_height(x, y)

    def right(u, v):
        x = u - 0.5
        return x, -0.2, v * car_height(x, -0.2)

    def left(u, v):
        x = 0.5 - u
        return x, 0.2, v * car_height(x, 0.2)

    def front(u, v):
        return 0.5, 0.4 * u - 0.2, v * car_height(0.5, 0.4 * u - 0.2)

    def back(u, v):
        return -0.5, 0.2 - 0.4 * u, v * car_height(-0.5, 0.2 - 0.4 * u)

    def bottom(u, v):
        return u - 0.5, 0.2 - 0.4 * v, 0.0
    for place, nu, nv in ((top, 12, 8), (right, 12, 4), (left, 12, 4), (front, 8, 3), (back, 8, 3), (bottom, 10, 6)):
        for i in range(nu):
            for j in range(nv):
                panel(place, i, j, nu, nv)
    return joined(*panels)


def car_volume():
    n = 200
    return sum(car_height((i + 0.5) / n - 0.5, 0.4 * (j + 0.5) / n - 0.2) for i in range(n) for j in range(n)) * 0.4 / n ** 2


STROKES = {"S": [(1, 4, 0, 4), (0, 4, 0, 2), (0, 2, 1, 2), (1, 2, 1, 0), (1, 0, 0, 0)],
           "H": [(0, 0, 0, 4), (1, 0, 1, 4), (0, 2, 1, 2)],
           "E": [(0, 0, 0, 4), (0, 4, 1, 4), (0, 2, 0.8, 2), (0, 0, 1, 0)],
           "R": [(0, 0, 0, 4), (0, 4, 1, 4), (1, 4, 1, 2), (0, 2, 1, 2), (0.3, 2, 1, 0)],
           "D": [(0, 0, 0, 4), (0, 4, 0.8, 3.4), (0.8, 3.4, 0.8, 0.6), (0, 0, 0.8, 0.6)]}


def stroke(x0, y0, x1, y1, width, depth):
    dx, dy = x1 - x0, y1 - y0
    l = math.hypot(dx, dy)
    return moved(box((l + width, width, depth)), ((x0 + x1) / 2, (y0 + y1) / 2, 0), turn=math.atan2(dy, dx))


def letters(word="SHERD"):
    """Strokes that overlap, as a font of strokes is extruded."""
    parts = []
    for k, c in enumerate(word):
        for x0, y0, x1, y1 in STROKES[c]:
            parts.append(stroke(0.2 * k + 0.1 * x0, 0.06 * y0, 0.2 * k + 0.1 * x1, 0.06 * y1, 0.05, 0.06))
    return joined(*parts)


def glyph(outer, inner, depth, caps=(True, True)):
    """An outline with a counter: walls, and caps of quadrilaterals between both; corners of both go together."""
    n, parts = len(outer), []
    for ring, flip in ((outer, False), (inner, True)):
        for k in range(n):
            (ax, ay), (bx, by) = ring[k], ring[(k + 1) % n]
            wall = ([(ax, ay, 0), (bx, by, 0), (bx, by, depth), (ax, ay, depth)], [(0, 1, 2), (0, 2, 3)])
            parts.append(turned(wall) if flip else wall)
    for z, up in ((depth, True), (0, False)):
        if not caps[up]:
            continue
        for k in range(n):
            m = (k + 1) % n
            quad = ([(*outer[k], z), (*outer[m], z), (*inner[m], z), (*inner[k], z)], [(0, 1, 2), (0, 2, 3)])
            parts.append(quad if up else turned(quad))
    return joined(*parts)


def font_o(caps=(True, True)):
    def ring(a, b):
        return [(a * math.cos(2 * math.pi * k / 40), b * math.sin(2 * math.pi * k / 40)) for k in range(40)]
    return glyph(ring(0.3, 0.45), ring(0.17, 0.3), 0.15, caps)


def font_word(caps):
    return joined(*[moved(font_o(caps), (0.45 * k, 0, 0), (0.7, 0.7, 1)) for k in range(3)])


def tree(depth=4, ends=True, seed=1):
    r = random.Random(seed)
    parts = []

    def grow(at, direction, length, radius, level):
        to = tuple(a + length * d for a, d in zip(at, direction))
        path = [tuple(a + (b - a) * k / 4 for a, b in zip(at, to)) for k in range(5)]
        parts.append(tube(path, lambda t: radius * (1 - 0.3 * t), 10, ends))
        if level == 0:
            return
        for _ in range(3):
            d = [c + r.uniform(-0.7, 0.7) for c in direction]
            l = math.sqrt(sum(c * c for c in d))
            grow(tuple(b - 0.3 * radius * c for b, c in zip(to, direction)), [c / l for c in d], 0.75 * length,
                 0.65 * radius, level - 1)
    grow((0, 0, 0), (0, 0, 1), 0.35, 0.07, depth)
    return joined(*parts)


def stone(seed, faces=14):
    """A convex polytope: a coarse ball with random corners."""
    r = random.Random(seed)
    places, triangles = ball(4, 0.25)
    return [tuple(c * r.uniform(0.85, 1.1) for c in p) for p in places], triangles


def star():
    """A pentagram's prism: its middle is gone around twice."""
    ring = [(0.5 * math.cos(4 * math.pi * k / 5), 0.5 * math.sin(4 * math.pi * k / 5)) for k in range(5)]
    places = [(x, y, 0.0) for x, y in ring] + [(x, y, 0.25) for x, y in ring] + [(0, 0, 0.0), (0, 0, 0.25)]
    faces = []
    for k in range(5):
        m = (k + 1) % 5
        faces += [(k, m, m + 5), (k, m + 5, k + 5), (10, m, k), (11, k + 5, m + 5)]
    return places, faces


def star_volume():
    # Area of a pentagram of circumradius R: 5 R^2 sin(36) (tan(18) / (tan(54) ...)) by its ten triangles.
    inner = 0.5 * math.cos(math.radians(72)) / math.cos(math.radians(36))
    return 0.25 * 5 * 0.5 * inner * math.sin(math.radians(36))


def knot():
    path = []
    for k in range(121):
        t = 2 * math.pi * k / 120
        path.append(((math.sin(t) + 2 * math.sin(2 * t)) * 0.14, (math.cos(t) - 2 * math.cos(2 * t)) * 0.14, -math.sin(3 * t) * 0.1))
    return tube(path, 0.075, 16, True)


def strip(half_turns):
    def place(u, v):
        a, w = 2 * math.pi * u, 0.12 * (2 * v - 1)
        b = a * half_turns / 2
        r = 0.35 + w * math.cos(b)
        return r * math.cos(a), r * math.sin(a), w * math.sin(b)
    return patch(6, 80, place)


def bowl():
    return without(ball(24), lambda x, y, z: z > 0.0)


def cells(n=3, doubled=False):
    """Boxes face to face: inner walls, once or twice."""
    mesh = joined(*[box((1 / n,) * 3, (i / n, j / n, k / n)) for i in range(n) for j in range(n) for k in range(n)])
    if doubled:
        return mesh
    places, faces = welded(mesh)
    seen, once = set(), []
    for f in faces:
        if tuple(sorted(f)) not in seen:
            seen.add(tuple(sorted(f)))
            once.append(f)
    return places, once


def fine_and_coarse():
    """A cube whose upper half has finer faces, without a face between: edges that do not meet."""
    low = without(box((1, 1, 0.5), (0, 0, -0.25), 3), lambda x, y, z: z > -0.01)
    high = without(box((1, 1, 0.5), (0, 0, 0.25), 7), lambda x, y, z: z < 0.01)
    return joined(low, high)


def stairs():
    return joined(*[box((0.1, 0.5, 0.1 * (k + 1)), (0.1 * k, 0, 0.05 * (k + 1))) for k in range(8)])


def gear():
    parts = [lathe([(0, -0.08), (0.3, -0.08), (0.3, 0.08), (0, 0.08)], 48, 2)]
    parts += [moved(box((0.2, 0.08, 0.16), (0.32, 0, 0)), turn=2 * math.pi * k / 12) for k in range(12)]
    return joined(*parts)


def hull():
    """A boat without a deck."""
    def place(u, v):
        x = u - 0.5
        half = 0.2 * (1 - (2 * x) ** 2) + 1e-3
        a = math.pi * (v - 0.5)
        return x, -half * math.sin(a), -0.25 * math.cos(a) * (1 - (2 * x) ** 4)
    return turned(patch(16, 32, place))


def bust():
    return joined(moved(ball(20, 0.22), (0, 0, 0.35)), lathe([(0.1, 0.0), (0.09, 0.25)], 32, 4),
                  without(moved(ball(20, 0.3), (0, 0, -0.1), (1, 0.7, 0.8)), lambda x, y, z: z < -0.28))


def house():
    walls = without(box((0.8, 0.6, 0.5), cells=4), lambda x, y, z: abs(z) > 0.24)
    roof = ([(-0.42, -0.32, 0.24), (0.42, -0.32, 0.24), (0.42, 0, 0.5), (-0.42, 0, 0.5), (0.42, 0.32, 0.24), (-0.42, 0.32, 0.24)],
            [(0, 1, 2), (0, 2, 3), (2, 4, 5), (2, 5, 3), (1, 4, 2), (0, 3, 5)])
    return joined(walls, roof)


def large(rows=500):
    """A million triangles, with holes, fins, doubled triangles and islands."""
    return scan(rows, 9, 12)


B = volume(ball())
SCAN = volume(ball(48, bumps=0.05))
BOWL_SHEET = {"thickness": 0.08}


def sphere(r):
    return 4 / 3 * math.pi * r ** 3


def lens(r, d):
    """What two balls have in common."""
    return math.pi * (4 * r + d) * (2 * r - d) ** 2 / 12


MESHES = {
    "ball-hole": (lambda: without(ball(), lambda x, y, z: z > 0.42), None, {}),
    "ball-holes": (lambda: with_holes(ball(32), 8, 0.08), None, {}),
    "ball-halves": (lambda: joined(without(ball(), lambda x, y, z: z > 0.05), without(ball(), lambda x, y, z: z < -0.05)), B, {}),
    "ball-twice": (lambda: joined(ball(24), moved(ball(24), turn=0.03)), B, {}),
    "ball-two-sided": (lambda: joined(ball(), turned(ball())), B, {}),
    "ball-soup": (lambda: soup(ball(), 0.3), B, {}),
    "ball-shaken": (lambda: shaken(ball(), 0.002), B, {}),
    "ball-inside-out": (lambda: without(turned(ball()), lambda x, y, z: z > 0.45), None, {}),
    "ball-fins": (lambda: with_fins(ball(), 60, 0.1), B, {}),
    "ball-wall": (lambda: joined(ball(), patch(4, 4, lambda u, v: (u - 0.5, 0.0, v - 0.5))), None, {}),
    "balls-overlap": (lambda: joined(ball(), moved(ball(), (0.5, 0.1, 0.05))),
                      2 * B - lens(0.5, math.sqrt(0.2625)), {}),
    "balls-chain": (lambda: joined(*[moved(ball(12, 0.15), (0.2 * k, 0.05 * (k % 2), 0)) for k in range(10)]), None, {}),
    "shells-nested": (lambda: joined(ball(), turned(without(ball(20, 0.35), lambda x, y, z: z > 0.3))), None, {}),
    "scan-1": (lambda: scan(48, 1), SCAN, {}),
    "scan-2": (lambda: scan(48, 2), SCAN, {}),
    "scan-3": (lambda: scan(64, 3, 10), None, {}),
    "scan-soup": (lambda: soup(scan(40, 4), 0.1), None, {}),
    "scan-shaken": (lambda: shaken(scan(40, 5), 0.001), None, {}),
    "boxes-overlap": (lambda: joined(box(), box((0.6, 0.6, 0.6), (0.4, 0.4, 0.4))), 1 + 0.216 - 0.4 ** 3, {}),
    "boxes-many": (lambda: joined(*[moved(box((0.5, 0.3, 0.2)), (0.3 * math.cos(k), 0.3 * math.sin(k), 0.03 * k), turn=k) for k in range(20)]), None, {}),
    "boxes-edge": (lambda: welded(joined(box((0.5, 0.5, 0.5)), box((0.5, 0.5, 0.5), (0.5, 0.5, 0)))), 0.25, {}),
    "boxes-walls": (lambda: cells(3), 1.0, {}),
    "boxes-doubled-walls": (lambda: cells(3, True), 1.0, {}),
    "box-lidless": (lambda: without(box(cells=8), lambda x, y, z: z > 0.49), None, {}),
    "box-steps-in-edges": (fine_and_coarse, 1.0, {}),
    "box-shaken": (lambda: shaken(box(cells=8), 0.003), 1.0, {}),
    "stairs": (stairs, 0.1 * 0.5 * sum(0.1 * (k + 1) for k in range(8)), {}),
    "gear": (gear, None, {}),
    "stones": (lambda: joined(*[moved(stone(k), (0.25 * math.cos(2 * k), 0.25 * math.sin(2 * k), 0.1 * k)) for k in range(6)]), None, {}),
    "teapot": (teapot, None, {}),
    "teapot-lid": (lambda: teapot(True), None, {}),
    "teapot-soup": (lambda: soup(teapot(True, False), 0.05), None, {}),
    "cup": (lambda: joined(lathe([(0, -0.3), (0.3, -0.3), (0.3, 0.3)], 48, 6), turned(lathe([(0, -0.22), (0.22, -0.22), (0.22, 0.3)], 48, 6))),
            math.pi * (0.3 ** 2 * 0.6 - 0.22 ** 2 * 0.52), {}),
    "vase": (lambda: lathe([(0.2, -0.4), (0.3, -0.1), (0.15, 0.2), (0.2, 0.4)], 48, 8), None, {}),
    "bottle": (lambda: lathe([(0, -0.5), (0.2, -0.5), (0.2, 0.1), (0.06, 0.25), (0.06, 0.5)], 48, 6), None, {}),
    "bust": (bust, None, {}),
    "house": (house, None, {}),
    "hull": (hull, None, {}),
    "car": (car, car_volume(), {}),
    "car-turned": (lambda: car(0.1, 2), car_volume(), {}),
    "letters-strokes": (letters, None, {}),
    "letters-open-back": (lambda: font_word((False, True)), None, {}),
    "letters-doubled": (lambda: joined(font_word((True, True)), font_word((True, False))), None, {}),
    "tree": (tree, None, {}),
    "tree-open": (lambda: tree(4, False, 2), None, {}),
    "torus-spindle": (lambda: torus(0.15, 0.25), None, {}),
    "knot": (knot, None, {}),
    "star": (star, star_volume(), {}),
    "bowl-sheet": (bowl, None, BOWL_SHEET),
    "moebius-sheet": (lambda: strip(1), None, {"thickness": 0.1}),
}
LARGE = {"scan-million": (large, volume(ball(64, bumps=0.05)), {})}


# ---------------------------------------------------------------- files

def write_obj(path, mesh):
    with open(path, "w") as file:
        file.write("".join("v %.9g %.9g %.9g\n" % p for p in mesh[0]))
        file.write("".join("f %d %d %d\n" % (a + 1, b + 1, c + 1) for a, b, c in mesh[1]))
