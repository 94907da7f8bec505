"""The command `sherd`: where it is, exports, runs in the background, what they say. Plain Python."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading

PROGRESS = re.compile(r"frame (\d+)/(\d+)")
MISSING = "the command `sherd` was not found: give its path in Edit > Preferences > Add-ons > Sherd"


class CommandError(Exception):
    """What the command said, or that it could not be started."""


def find(path=""):
    """The command's path: as given, or from PATH."""
    if path:
        if os.path.isdir(path):
            path = os.path.join(path, "sherd")
        found = shutil.which(os.path.expanduser(path))
        if found is None:
            raise CommandError(f"{path} can't be started as a command: see Edit > Preferences > Add-ons > Sherd")
        return os.path.abspath(found)
    found = shutil.which("sherd")
    if found is None:
        raise CommandError(MISSING)
    return found


def messages(text):
    """What stderr says, a list of lines that belong together: place, error, hint."""
    said, now = [], []
    for line in text.splitlines():
        if not line.strip():
            continue
        if now and not line.startswith(" "):
            said.append("\n".join(now))
            now = []
        now.append(line.rstrip())
    return said + (["\n".join(now)] if now else [])


def call(arguments, what):
    """Runs the command to its end. -> what it printed."""
    try:
        done = subprocess.run(arguments, capture_output=True, text=True, errors="replace", check=False,
                              stdin=subprocess.DEVNULL)
    except OSError as error:
        raise CommandError(f"{arguments[0]}: {error}") from None
    if done.returncode != 0:
        raise CommandError(done.stderr.strip() or f"{what} ended with status {done.returncode}")
    return done.stdout


def export_pieces(command, run, path):
    """Writes the pieces of a run, also of one in progress, to `path`."""
    if not os.path.isfile(os.path.join(run, "run.sherd")):
        raise CommandError(f"{run}: there is no run.sherd, so this is not the folder of a run")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    try:
        call([command, "export", run, "--to", "pieces", "-o", path, "--overwrite", "--quiet"], "sherd export")
    except CommandError as error:
        if "unknown format" in str(error):
            raise CommandError(f"{command} is older than this add-on: it has no `--to pieces`") from None
        raise


class Process:
    """`sherd run` in the background. Progress is read by a thread, looked at by whoever asks."""

    def __init__(self, command, scene, out, resume=False):
        arguments = [command, "run", scene, "-o", out, "--no-pictures"] + (["--resume"] if resume else [])
        self.out, self.scene = out, scene
        self.frame, self.frames, self.line = 0, 0, "starting"
        self._errors = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=self._errors,
                                             stdin=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            self._errors.close()
            raise CommandError(f"{command}: {error}") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for raw in self._process.stdout:
            line = raw.decode(errors="replace").strip()
            found = PROGRESS.match(line)
            if found:
                self.frame, self.frames = int(found.group(1)), int(found.group(2))
            if line:
                self.line = line
        self._process.stdout.close()

    def status(self):
        """None while it runs, then its exit status."""
        return self._process.poll()

    def share(self):
        """Of the frames that are done, 0 to 1."""
        return self.frame / self.frames if self.frames else 0.0

    def stop(self):
        """As Ctrl-C: it writes a checkpoint and ends."""
        if self.status() is None:
            self._process.send_signal(signal.SIGINT)

    def finish(self):
        """Waits for its end. -> (status, messages)"""
        status = self._process.wait()
        self._reader.join()
        self._errors.seek(0)
        said = messages(self._errors.read().decode(errors="replace"))
        self._errors.close()
        return status, said


def errors_of(said):
    """Those messages that are errors, with the place of each; else all."""
    found = [m for m in said if "error:" in m]
    return found or said
