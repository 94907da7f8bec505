"""scripts/compare-states: the same command is the same, resumed too; one that computes otherwise is not. Of every
kind of file one number is changed: it is told where."""
import base64
import glob
import os
import re
import stat
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import small_run

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../scripts/compare-states")
sys.path.insert(0, os.path.dirname(SCRIPT))
sys.dont_write_bytecode = True
import compared_files  # noqa: E402, beside the script

SHERD = os.path.abspath(sys.argv.pop(1))


class CompareStates(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.scene = self.write("small.yaml", small_run.SCENE)

    def tearDown(self):
        self.folder.cleanup()

    def write(self, name, text):
        path = os.path.join(self.folder.name, name)
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
        return path

    def other(self, setting):
        """A command that computes something else: one setting is another."""
        path = self.write("other", f'#!/bin/sh\nexec "{SHERD}" "$@" --set {setting}\n')
        os.chmod(path, stat.S_IRWXU)
        return path

    def compare(self, *arguments, status=0):
        done = subprocess.run([sys.executable, SCRIPT, *arguments, "--frames", "2", "--limit", "200"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def test_the_same_command_is_the_same(self):
        said = self.compare("--resume", "--cross", SHERD, SHERD, self.scene)
        self.assertEqual(said.count("same: 3 frames"), 9, said)
        self.assertIn("3 runs, 0 differences", said)

    def test_another_seed_differs(self):
        other = self.other("materials.clay.seed=4")
        said = self.compare("--methods", "explicit", SHERD, other, self.scene, status=1)
        self.assertIn("small-explicit", said)
        self.assertRegex(said, r"DIFFERS: stats.csv, \d .*: \w+ is .*, then ")

    def test_records_stand_for_a_command(self):
        records = os.path.join(self.folder.name, "records")
        self.compare("--methods", "auto", "--record", records, SHERD, self.scene)
        said = self.compare("--methods", "auto", records, SHERD, self.scene)
        self.assertIn("same: 3 frames", said)
        said = self.compare("--methods", "auto", records, self.other("gravity=[0,0,-9]"), self.scene, status=1)
        self.assertIn("DIFFERS", said)

    def test_what_both_refuse_is_the_same(self):
        scene = self.write("bad.yaml", small_run.SCENE.replace("density: 2000", "density: -1"))
        self.assertIn("both end with 2", self.compare("--methods", "auto", SHERD, SHERD, scene))
        self.assertIn("DIFFERS: ended with", self.compare("--methods", "auto", SHERD,
                      self.other("materials.clay.density=2000"), scene, status=1))


def flipped(data, at):
    """The lowest bit of one byte is another."""
    changed = bytearray(data)
    changed[at] ^= 1
    return bytes(changed)


def next_digit(data, pattern):
    """The digit that the pattern ends with is another."""
    at = re.search(pattern, data).end() - 1
    return data[:at] + str((int(data[at:at + 1]) + 1) % 10).encode() + data[at + 1:]


def in_vtp(data):
    """In the first number of the array that is the last one: nothing moves."""
    at = data.index(b"_", data.index(b"<AppendedData")) + 1
    at += max(int(each) for each in re.findall(rb'offset="(\d+)"', data))
    size = struct.unpack_from("<Q", data, at + 24)[0]
    packed = zlib.compress(flipped(zlib.decompress(data[at + 32:at + 32 + size]), 0))
    return data[:at + 24] + struct.pack("<Q", len(packed)) + packed + data[at + 32 + size:]


def in_page(data):
    found = re.search(rb'data-section="poses">([^<]*)', data)
    part = flipped(zlib.decompress(base64.b64decode(found[1])), 3)
    return data[:found.start(1)] + base64.b64encode(zlib.compress(part)) + data[found.end(1):]


def in_last_chunk(data, place):
    """In the last record, which is stored as it is from now on."""
    at = 32
    while True:
        kind, codec, frame, size, stored = struct.unpack_from("<4sIqQQ", data, at)
        if at + 40 + stored == len(data):
            part = data[at + 40:]
            part = compared_files.unpacked(part, size) if codec else part
            part = flipped(part, place(part))
            return data[:at] + struct.pack("<4sIqQQ8x", kind, 0, frame, size, size) + part
        at += 40 + stored


def in_png(data):
    at = data.index(b"IDAT")
    size = struct.unpack_from(">I", data, at - 4)[0]
    packed = zlib.compress(flipped(zlib.decompress(data[at + 4:at + 4 + size]), -1))
    return data[:at - 4] + struct.pack(">I", len(packed)) + b"IDAT" + packed + data[at + 4 + size:]


def in_exr(data):
    """In the last of the 16 rows that are stored last."""
    at = max(k for k in range(len(data) - 8) if data[k:k + 4] == struct.pack("<i", 32)
             and k + 8 + struct.unpack_from("<i", data, k + 4)[0] == len(data))
    lines = data[at + 8:]
    try:
        packed = zlib.compress(flipped(zlib.decompress(lines), -1))
    except zlib.error:  # stored as they are
        packed = flipped(lines, -1)
    return data[:at + 4] + struct.pack("<i", len(packed)) + packed


CHANGES = {  # of each file: a change of one number, and how it is told
    "stats.csv": (lambda d: next_digit(d, rb"\n1,\d+\.?\d*"), r"row 2, frame 1: time_s is \S+, then"),
    "run.glb": (lambda d: flipped(d, -5), r"node \d+ 'slab [^']+' (rotation|translation|scale): row \d \w is "),
    "run.usda": (lambda d: next_digit(d, rb"translate.timeSamples = {\n\s*0: \(-?0\.\d"),
                 r"line \d+, /run/slab_at_\d+ xformOp:translate.timeSamples at 0: item \d is "),
    "run.obj": (lambda d: next_digit(d, rb"\nv -?0\.\d"), r"line \d+: item \d is "),
    "run.pc2": (lambda d: flipped(d, 40), r"cache: frame 0, vertex 0 z is "),
    "run.pieces": (lambda d: flipped(d, -20), r"\w+: row \d+ is "),
    "run.html": (in_page, r"poses: number 3 as difference is "),
    "report.html": (lambda d: next_digit(d, rb"<dt>Frames</dt><dd>\d"), r"line \d+: item 2 is 3, then 4"),
    "run.sherd": (lambda d: in_last_chunk(d, lambda part: -1), r"FRAM 2, bonds, \w+: row \d+ is "),
    "checkpoint.sherd": (lambda d: in_last_chunk(d, lambda part: part.index(b"pz") + len("pz") + 4),
                         r"STAT 2, state, system, pz: row 0 is "),
    "surface/frame_000002.ply": (lambda d: flipped(d, -4), r"face: row \d+ material is \d, then \d"),
    "vtk/surface_000002.vtp": (in_vtp, r"Polys offsets: row 0 is 3, then 2"),
    "csv/elements_000002.csv": (lambda d: next_digit(d, rb"\n5,.*\d"), r"row 6, element 5: stress_ratio is "),
    "xyz/elements_000002.xyz": (lambda d: next_digit(d, rb"clay -?0.\d"), r"line 3: item 2 is "),
    "frames/frame_000002.png": (in_png, r"pixels: x 63, y 39 b is \d+, then \d+"),
    "frames/frame_000002.exr": (in_exr, r"\w+: x \d+, y 3[2-9] is "),
}


class ComparedFiles(unittest.TestCase):
    def test_one_number_of_each_kind_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            scene = os.path.join(folder, "small.yaml")
            with open(scene, "w", encoding="utf-8") as out:
                out.write(small_run.SCENE)
            done = subprocess.run([sys.executable, SCRIPT, "--record", folder, "--files", "all", "--methods", "explicit",
                                   "--frames", "2", SHERD, scene], capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            made = os.path.join(folder, "small-explicit")
            kinds = {os.path.splitext(name)[1] for name in glob.glob(made + "/**/*.*", recursive=True)}
            self.assertEqual(kinds - {os.path.splitext(name)[1] for name in CHANGES}, {".mtl", ".pvd", ".txt"})
            for name, (change, told) in CHANGES.items():
                if name.endswith(".exr") and ".exr" not in kinds:
                    continue  # built without
                with self.subTest(name):
                    self.tell(os.path.join(made, name), change, told)

    def tell(self, path, change, told):
        self.assertIsNone(compared_files.difference(path, path))
        with open(path, "rb") as file:
            data = file.read()
        other = os.path.join(os.path.dirname(path), "other", os.path.basename(path))
        os.makedirs(os.path.dirname(other), exist_ok=True)
        with open(other, "wb") as file:
            file.write(change(data))
        self.assertRegex(compared_files.difference(path, other) or "nothing", told)

    def test_other_places_are_no_difference(self):
        a = compared_files.Rows("d", [""], struct.pack("<2d", 0.0, 1.0))
        b = compared_files.Rows("d", [""], struct.pack("<2d", -0.0, 1.0))
        self.assertEqual(compared_files.by_name({"x": a, "y": b}, {"y": b, "x": a}), None)
        self.assertEqual(compared_files.by_name({"x": a}, {"x": b}), "x: row 0 is 0.0, then -0.0")
        self.assertEqual(compared_files.by_name({"x": a}, {}), "x is missing in NEW")


if __name__ == "__main__":
    unittest.main()
