"""What Python believes of structs is what the compiler makes of them; another library is refused."""
import ctypes
import glob
import importlib
import os
import re
import subprocess
import sys
import unittest

import common
import sherd
from sherd import _c, _library

FUNCTION_MISSING = """
const char *sherd_version(void) { return "0.0.1"; }
"""
OTHER_LAYOUT = FUNCTION_MISSING + """
unsigned long long sherd_layout_hash(void) { return 42; }
"""


def believed():
    """The lines that layout.c prints."""
    for struct in _c.STRUCTS:
        yield f"{struct.__name__} {ctypes.sizeof(struct)} 0"
        for name, _ in struct._fields_:
            member = getattr(struct, name)
            yield f"{struct.__name__}.{name} {member.size} {member.offset}"
    for name, value in _c.CONSTANTS.items():
        yield f"{name} {value}"


class Layout(unittest.TestCase):
    def test_sizes_and_offsets_are_the_compilers(self):
        printed = subprocess.run([common.LAYOUT], capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertGreater(len(printed), 1000)
        self.assertEqual(list(believed()), printed)

    def test_generated_files_are_up_to_date(self):
        script = os.path.join(common.ROOT, "scripts/make-python")
        done = subprocess.run([sys.executable, script, "--check", "--cc", common.COMPILER], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_stubs_are_up_to_date(self):
        script = os.path.join(common.ROOT, "scripts/make-python-stubs")
        done = subprocess.run([sys.executable, script, "--check", sherd.library_path], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_every_function_is_in_the_library(self):
        for name, (result, parameters) in _c.FUNCTIONS.items():
            function = getattr(sherd._library.lib, name)
            self.assertEqual((function.restype, function.argtypes), (result, parameters), name)

    def test_every_function_of_worlds_is_in_python(self):
        code = ""
        for path in sorted(glob.glob(os.path.join(os.path.dirname(_c.__file__), "*.py"))):
            if not path.endswith("_c.py"):
                with open(path, encoding="utf-8") as file:
                    code += file.read()
        # Definitions are made by name; World.advance() is advance_towards() in slices, so that Ctrl-C is heard.
        others = {"sherd_world_def_default", "sherd_world_def_fields", "sherd_world_advance"}
        missing = [name for name in _c.FUNCTIONS if name.startswith("sherd_world_") and name not in others
                   and not re.search(rf"\b{name}\b", code)]
        self.assertEqual(missing, [], "no method of sherd.World calls them")

    def test_a_changed_struct_is_noticed(self):
        class Other(ctypes.Structure):
            _fields_ = [("x", ctypes.c_double), ("y", ctypes.c_float)]
        before, structs = _library.layout_hash(), list(_c.STRUCTS)
        place = structs.index(_c.sherd_vec2)
        try:
            _c.STRUCTS[place] = Other
            self.assertNotEqual(_library.layout_hash(), before)
        finally:
            _c.STRUCTS[place] = structs[place]
        self.assertEqual(_library.layout_hash(), before)

    def refused(self, source):
        with common.folder() as folder:
            library = os.path.join(folder, "libsherd.so")
            subprocess.run([common.COMPILER, "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True,
                           check=True)
            run = subprocess.run([sys.executable, "-c", "import sherd"], capture_output=True, text=True, check=False,
                                 env={**os.environ, "SHERD_LIBRARY": library, "LD_PRELOAD": ""})
            self.assertEqual(run.returncode, 1)
            return run.stderr

    def test_a_library_of_another_layout_is_refused(self):
        told = self.refused(OTHER_LAYOUT)
        self.assertIn("LibraryError", told)
        self.assertIn("this library (0.0.1) lays its structs out otherwise", told)

    def test_an_older_library_is_refused(self):
        self.assertIn("older than this Python package", self.refused(FUNCTION_MISSING))

    def test_a_missing_library_is_told(self):
        run = subprocess.run([sys.executable, "-c", "import sherd"], capture_output=True, text=True, check=False,
                             env={**os.environ, "SHERD_LIBRARY": "/nowhere/libsherd.so.0", "LD_PRELOAD": ""})
        self.assertIn("name the library in SHERD_LIBRARY", run.stderr)

    def test_enumerators_have_words(self):
        words = importlib.import_module("sherd._results").enum_words("sherd_run_end")
        self.assertEqual(words, {0: "failed", 1: "stopped", 2: "finished"})


if __name__ == "__main__":
    unittest.main()
