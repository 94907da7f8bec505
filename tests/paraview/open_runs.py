"""Opens runs in ParaView, headless and without pictures, and holds them against other exports of the same runs.

usage: open_runs.py COMMAND PVPYTHON [RUN...]    (without runs: a small one of its own, with chips, dust and granules)

For each run, exported to vtk, csv and ply: times of all collections; elements of the first, middle and last frame where the
tables have them, to the digits of floats, with radii and fragments; surfaces closed and 2-manifold, of the bounds and
number of triangles that the .ply has, their normals to the side that triangles face; as many intact bonds as stats.csv
says; as many grains as the tables of dust.
"""
import csv
import json
import os
import subprocess
import sys
import tempfile

SCENE = """
sherd: 1
name: small
duration: 12 ms
output: {frame_rate: 250, meshes: [], dust: true, stress: true, render: {enabled: false}}
materials:
  clay: {density: 2000, youngs_modulus: 50 MPa, tensile_strength: 0.4 MPa, shear_strength: 0.4 MPa}
bodies:
  - {name: bar, shape: {box: [60 mm, 12 mm, 12 mm]}, packing: {hcp: {radius: 2 mm}}, material: clay, velocity: [0, 0, -4],
     position: [0, 0, 8 mm], rotation: [0, 12 deg, 0]}
  - {name: grit, shape: {box: [12 mm, 12 mm, 12 mm]}, packing: {cubic: {radius: 2 mm}}, loose: true, material: clay,
     position: [0, 4 cm, 1 cm]}
obstacles: [{name: floor, plane: {point: [0, 0, -7 mm], normal: [0, 0, 1]}}]
"""
WITHIN = 1e-6  # of the extent: floats
AGAINST = 0.01  # of the area; found up to 0.004 of a vase in 54 pieces, 0.024 where everything broke into single chips


def check(condition, message):
    if not condition:
        print("FAILED:", message)
        sys.exit(1)


def table(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


# ---------------------------------------------------------------- in ParaView

def fetched(simple, source, time):
    from paraview import servermanager
    source.UpdatePipeline(time)
    data = servermanager.Fetch(source)
    if data.IsA("vtkMultiBlockDataSet"):
        check(data.GetNumberOfBlocks() == 1, "one file for each time")
        data = data.GetBlock(0)
    return data


def collection(simple, place, name, times):
    path = os.path.join(place, "vtk", name + ".pvd")
    if not os.path.exists(path):
        return None
    reader = simple.PVDReader(FileName=path)
    there = list(reader.TimestepValues)
    check(len(there) == len(times) and max(abs(a - b) for a, b in zip(there, times)) < 1e-12, f"{name}: times {there}")
    return reader


def check_elements(data, rows):
    check(data.GetNumberOfPoints() == len(rows), f"{data.GetNumberOfPoints()} elements, not {len(rows)}")
    radii, labels = (data.GetPointData().GetArray(name) for name in ("radius_m", "fragment"))
    extent = max(abs(float(row[c])) for row in rows for c in ("x_m", "y_m", "z_m"))
    for k, row in enumerate(rows):
        at = data.GetPoint(k)
        want = [float(row[name]) for name in ("x_m", "y_m", "z_m")]
        check(max(abs(a - b) for a, b in zip(at, want)) < WITHIN * extent, f"element {k} at {at}")
        check(abs(radii.GetValue(k) / float(row["radius_m"]) - 1) < 1e-6, f"radius of {k}")
        check(int(labels.GetValue(k)) == int(row["fragment"]), f"fragment of {k}")


def normals_agree(data):
    """A vertex at a sharp edge has one normal, the mean, so slivers along it may face away; hardly any area does."""
    normals = data.GetPointData().GetArray("normal")
    against = area = 0.0
    for k in range(data.GetNumberOfCells()):
        corners = [data.GetCell(k).GetPointId(c) for c in range(3)]
        a, b, c = (data.GetPoint(v) for v in corners)
        u, v = [b[i] - a[i] for i in range(3)], [c[i] - a[i] for i in range(3)]
        face = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        mean = [sum(normals.GetTuple3(v)[i] for v in corners) for i in range(3)]
        size = sum(f * f for f in face) ** 0.5
        area += size
        against += size * (sum(f * n for f, n in zip(face, mean)) < 0)
    check(against <= AGAINST * area, f"normals of {against / area:.2%} of the area face inwards")


def check_surface(simple, reader, time, ply):
    data = fetched(simple, reader, time)
    want = fetched(simple, simple.PLYReader(FileNames=[ply]), 0)
    check(data.GetNumberOfCells() == want.GetNumberOfCells(), f"{ply}: another number of triangles")
    bounds, wanted = data.GetBounds(), want.GetBounds()
    check(max(abs(a - b) for a, b in zip(bounds, wanted)) < WITHIN * max(map(abs, wanted)), f"{ply}: bounds {bounds}, {wanted}")
    edges = fetched(simple, simple.FeatureEdges(Input=reader, BoundaryEdges=1, NonManifoldEdges=1, FeatureEdges=0,
                                                ManifoldEdges=0), time)
    check(edges.GetNumberOfCells() == 0, f"{ply}: {edges.GetNumberOfCells()} edges that are open or of three triangles")
    normals_agree(data)
    return data.GetNumberOfCells()


def in_paraview(told):
    from paraview import simple
    place, stats = told["place"], table(os.path.join(told["run"], "stats.csv"))
    times = [float(row["time_s"]) for row in stats]
    readers = {name: collection(simple, place, name, times) for name in ("elements", "surface", "bonds", "breaks", "dust")}
    check(readers["elements"] is not None, "no elements")
    said = []
    for frame in sorted({0, len(times) // 2, len(times) - 1}):
        number, time = f"{frame:06d}", times[frame]
        check_elements(fetched(simple, readers["elements"], time), table(os.path.join(place, "csv", f"elements_{number}.csv")))
        triangles, ply = 0, os.path.join(place, "ply", f"frame_{number}.ply")
        if readers["surface"] is not None:
            triangles = check_surface(simple, readers["surface"], time, ply)
        if readers["bonds"] is not None:
            intact = int(stats[frame]["bonds"])
            found = fetched(simple, readers["bonds"], time).GetNumberOfCells()
            check(found == intact, f"frame {frame}: {found} intact bonds, not {intact}")
        grains = 0
        if readers["dust"] is not None:
            grains = fetched(simple, readers["dust"], time).GetNumberOfPoints()
            check(grains == len(table(os.path.join(place, "csv", f"dust_{number}.csv"))), f"frame {frame}: {grains} grains")
        said.append(f"{triangles} triangles" + (f", {grains} grains" if grains else ""))
    print("opened: " + "; ".join(said))


# ---------------------------------------------------------------- outside

def open_run(sherd, pvpython, run, place):
    for form, folder in (("vtk", "vtk"), ("csv", "csv"), ("ply", "ply")):
        result = subprocess.run([sherd, "export", run, "--to", form, "-o", os.path.join(place, folder), "--quiet"],
                                capture_output=True, text=True, timeout=600, check=False)
        check(result.returncode == 0, f"{form} of {run}: {result.stderr}")
    told = {"place": place, "run": run}
    result = subprocess.run([pvpython, os.path.abspath(__file__), "--in-paraview", json.dumps(told)], capture_output=True,
                            text=True, timeout=600, check=False, env={**os.environ, "HOME": place})
    said = [line for line in result.stdout.splitlines() if line.startswith("opened")]
    check(result.returncode == 0 and said, f"{run}: {result.returncode}: {(result.stdout + result.stderr)[-2000:]}")
    print(f"{os.path.basename(run)}: {said[0]}")


def main():
    sherd, pvpython, runs = os.path.abspath(sys.argv[1]), sys.argv[2], [os.path.abspath(run) for run in sys.argv[3:]]
    with tempfile.TemporaryDirectory(prefix="sherd-paraview-") as place:
        if not runs:
            scene, runs = os.path.join(place, "small.yaml"), [os.path.join(place, "small")]
            with open(scene, "w") as file:
                file.write(SCENE)
            subprocess.run([sherd, "run", scene, "-o", runs[0], "--quiet"], check=True, timeout=300)
        for k, run in enumerate(runs):
            open_run(sherd, pvpython, run, os.path.join(place, str(k)))


if __name__ == "__main__":
    if "--in-paraview" in sys.argv:
        in_paraview(json.loads(sys.argv[-1]))
    else:
        main()
