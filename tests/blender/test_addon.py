"""The add-on in Blender, headless: usage: test_addon.py COMMAND BLENDER

Makes the zip and a run, then has Blender install the zip and run in_blender.py, away from the user's settings.
"""
import os
import re
import subprocess
import sys
import tempfile

import rig
from rig import check, done

SHERD, BLENDER = os.path.abspath(sys.argv[1]), sys.argv[2]


def blender(place, *arguments):
    environment = {**os.environ, "BLENDER_USER_CONFIG": os.path.join(place, "config"),
                   "BLENDER_USER_SCRIPTS": os.path.join(place, "scripts"), "PYTHONDONTWRITEBYTECODE": "1",
                   "HOME": place}
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "in_blender.py")
    return subprocess.run([BLENDER, "-b", "--factory-startup", "--python-exit-code", "3", "--python", script, "--",
                           *arguments], capture_output=True, text=True, timeout=500, check=False, env=environment)


def main():
    with tempfile.TemporaryDirectory(prefix="sherd-blender-") as place:
        archive = os.path.join(place, "sherd.zip")
        done(sys.executable, os.path.join(rig.ROOT, "scripts", "make-blender-addon"), "-o", archive)
        out = rig.run_in(SHERD, place, "--frames", "1")
        growing = os.path.join(place, "growing")
        os.rename(out, growing)
        os.makedirs(os.path.join(place, "export"))
        done(SHERD, "export", growing, "--to", "obj-pc2", "-o", os.path.join(place, "export"), "--quiet")
        result = blender(place, SHERD, archive, place)
        text = result.stdout + result.stderr
        check(result.returncode == 0 and "ALL OF IT" in result.stdout, f"{result.returncode}: {text[-6000:]}")
        check(not re.search(r"Traceback|rna_uiItem", text), text[-6000:])
        print("\n".join(line for line in result.stdout.splitlines() if line.startswith("in Blender")))


if __name__ == "__main__":
    main()
