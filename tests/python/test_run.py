"""sherd.run and sherd.load: the same as the command, bit for bit; callbacks, Ctrl-C, resuming; what a run tells."""
import csv
import io
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import unittest

import common
import sherd
from sherd import _progress

# Stepping that lasts, with frames far apart: for stops in the middle.
LONG = {"bodies.slab.packing.hcp.radius": "0.8 mm", "duration": "400 ms", "output.frame_rate": "100 Hz",
        "solver.method": "explicit", "solver.time_step": "1 us"}


def command(*arguments):
    return subprocess.run([common.COMMAND, *arguments], capture_output=True, text=True, check=True)


def hashes_of(folder):
    with open(os.path.join(folder, "stats.csv"), encoding="utf-8") as file:
        return [int(row["state_hash"], 16) for row in csv.DictReader(file)]


class Case(unittest.TestCase):
    def setUp(self):
        place = common.folder()
        self.addCleanup(place.cleanup)
        self.place = place.name
        self.scene = common.scene_in(self.place)

    def out(self, name="out"):
        return os.path.join(self.place, name)


class Runs(Case):
    def test_hashes_of_all_frames_are_the_commands(self):
        for method in ("explicit", "auto"):
            command("run", self.scene, "-o", self.out("command"), "--set", f"solver.method={method}", "--quiet")
            seen = []
            run = sherd.run(self.scene, set={"solver.method": method}, out=self.out(),
                            on_frame=lambda view, seen=seen: seen.append(view.world.state_hash), threads=1)
            wanted = hashes_of(self.out("command"))
            self.assertEqual((len(wanted), seen, list(run.stats.state_hash)), (5, wanted, wanted))
            self.assertEqual(run.result.end, "finished")
            self.assertGreater(run.stats.broken_bonds[-1], 10)

    def test_worlds_of_scenes_are_the_commands(self):
        command("run", self.scene, "-o", self.out("command"), "--set", "solver.method=explicit", "--quiet")
        with sherd.World.from_scene(self.scene, set={"solver.method": "explicit"}) as world:
            self.assertEqual((list(world.bodies), list(world.obstacles)), (["slab"], ["floor"]))
            run = sherd.load(self.out("command"))
            world.set_time_step(run.stats.dt_s[1])
            seen = []
            for time_s in run.stats.time_s:
                world.advance(time_s)
                seen.append(world.state_hash)
            # Every frame is on a step, and the command's stops for probes in between change nothing.
            self.assertEqual(seen[1:], list(run.stats.state_hash)[1:])

    def test_what_is_loaded_is_what_was_simulated(self):
        kept = {}

        def keep(view):
            kept[view.frame] = view.world.elements(), view.fragments, view.stats, view.world.bonds()
        sherd.run(self.scene, out=self.out(), on_frame=keep)
        with sherd.load(self.out()) as run:
            self.assertEqual((len(run.frames), run.frames_planned, run.name), (5, 5, "small"))
            for frame in run.frames:
                elements, fragments, stats, bonds = kept[frame.index]
                self.assertEqual(list(frame.elements.x_m), list(elements.x_m))  # positions are stored exactly
                self.assertEqual(list(frame.bonds.broken), list(bonds.broken))
                self.assertEqual(list(frame.elements.fragment), list(fragments.element_fragment))
                self.assertEqual(frame.stats, stats)
                found = run.fragments(frame.index)
                self.assertEqual([(f.id, f.count, f.mass_kg) for f in found],
                                 [(f.id, f.count, f.mass_kg) for f in fragments])
            self.assertEqual(len(run.breaks), run.stats.broken_bonds[-1])
            self.assertEqual(sum(len(frame.breaks) for frame in run.frames), len(run.breaks))
            self.assertEqual(len(run.frames[1:3]), 2)
            stacked = run.frames.stacked("x_m")
            self.assertEqual(stacked.shape, (5, len(run.frames[0].elements)))
            self.assertEqual(list(stacked[3]), list(run.frames[3].elements.x_m))
            self.assertEqual([list(c) for c in stacked[1:3]], [list(c) for c in list(stacked)[1:3]])
            self.assertRaises(KeyError, lambda: run.frames.stacked("speed"))
            page = run.probes._repr_html_()
            self.assertEqual((page.count("<tr>"), page.count("<th>")), (1 + 11, len(run.probes.names)))
            self.assertIn(f"{len(run.probes)} rows", page)
            self.assertEqual(run.frames[-1].index, 4)
            self.assertRaises(IndexError, lambda: run.frames[5])
            floor = run.probes.where(probe="floor")
            self.assertEqual(len(floor), 16)
            self.assertEqual(len(run.probes.where(probe="floor", frame=2)), 4)
            self.assertEqual(len(run.probes.where(frame=99)), 0)
            self.assertEqual(len(run.probes.where(kind="driver")), 0)
            with self.assertRaisesRegex(sherd.InputError, "no row has probe 'flor'") as caught:
                run.probes.where(probe="flor")
            self.assertEqual(caught.exception.hint, "there are floor")
            self.assertRaises(sherd.InputError, lambda: run.probes.where(kind="drivers"))
            self.assertRaises(KeyError, lambda: run.probes.where(prob="floor"))
            # Means lie between the extremes of steps, which show peaks that means smooth.
            for least, mean, most in zip(floor.force_z_least_n, floor.force_z_n, floor.force_z_largest_n):
                self.assertTrue(least <= mean <= most)
            self.assertLess(min(floor.force_z_least_n), 1.05 * min(floor.force_z_n))
            # What the floor takes up is what the slab's momentum lost: mean forces times 1/4 ms each.
            impulse = sum(floor.force_z_n) * 0.25e-3
            stats, mass = run.stats, sum(run.given().mass_kg)
            lost = stats.momentum_z_kg_m_s[-1] - stats.momentum_z_kg_m_s[0] + mass * 9.81 * 4e-3
            self.assertAlmostEqual(-impulse, lost, delta=1e-3 * abs(lost))
            self.assertEqual(list(run.bodies), ["slab"])
            self.assertEqual(len(run.bond_sections_m2()), run.stats.bonds[0] + run.stats.broken_bonds[0])
        self.assertRaisesRegex(sherd.InputError, "closed", lambda: run.frames[0])

    def test_errors_of_scenes(self):
        with self.assertRaises(sherd.SceneError) as caught:
            sherd.run(self.scene, set={"materials.clay.density": -3, "duration": "soon"}, out=self.out())
        self.assertEqual(len(caught.exception.errors), 2)
        self.assertFalse(os.path.exists(self.out()))
        with self.assertRaises(sherd.FileError):
            sherd.run(self.scene + "x", out=self.out())
        with self.assertRaises(sherd.Error):
            sherd.load(self.place)

    def test_settings_of_python(self):
        run = sherd.run(self.scene, out=self.out(), frames=1, set={
            "bodies.slab.velocity": (0, 0, -2.5), "solver.contacts": False, "materials.clay.density": 1e3,
            "materials.clay.seed": 4})
        self.assertEqual(run.result.frame, 1)
        self.assertAlmostEqual(run.frames[0].elements.vz_m_s[0], -2.5, delta=1e-12)


class Callbacks(Case):
    def test_errors_of_callbacks_stop_and_are_raised(self):
        class Odd(Exception):
            pass

        def fail(view):
            if view.frame == 2:
                raise Odd("here")
        with self.assertRaisesRegex(Odd, "here"):
            sherd.run(self.scene, out=self.out(), on_frame=fail)
        self.assertEqual(len(sherd.load(self.out()).frames), 3)
        straight = sherd.run(self.scene, out=self.out("straight"))
        resumed = sherd.run(self.scene, out=self.out(), resume=True)
        self.assertEqual(resumed.result.resumed_at, 2)
        self.assertEqual(list(resumed.stats.state_hash), list(straight.stats.state_hash))

    def test_errors_while_messages_are_told(self):
        def fail(level, told):
            raise KeyError(level)
        sherd.run(self.scene, out=self.out())
        with self.assertRaises(KeyError):
            sherd.run(self.scene, out=self.out(), on_message=fail)  # "the earlier run is replaced"

    def test_stop(self):
        run = sherd.run(self.scene, out=self.out(), on_frame=lambda view: sherd.STOP if view.frame == 1 else None)
        self.assertEqual((run.result.end, len(run.frames)), ("stopped", 2))

    def test_views_end_with_their_callback(self):
        views = []
        sherd.run(self.scene, out=self.out(), on_frame=lambda view: views.append((view, view.world)), frames=1)
        for view, world in views:
            self.assertRaises(sherd.InputError, lambda view=view: view.stats)
            self.assertRaises(sherd.InputError, world.energy)

    def test_runs_within_callbacks(self):
        inner = []

        def again(view):
            if view.frame == 0:
                inner.append(sherd.run(self.scene, out=self.out("inner"), frames=1).result.frame)
        sherd.run(self.scene, out=self.out(), on_frame=again, frames=1)
        self.assertEqual(inner, [1])

    def test_other_threads_run(self):
        ticks, done = [], threading.Event()

        def tick():
            while not done.wait(0.001):
                ticks.append(time.monotonic())
        thread = threading.Thread(target=tick)
        thread.start()
        sherd.run(self.scene, out=self.out(), set={**LONG, "duration": "10 ms"}, threads=1)
        done.set()
        thread.join()
        self.assertGreater(len(ticks), 20)

    def test_progress_lines(self):
        stream = io.StringIO()
        sherd.run(self.scene, out=self.out(), progress=_progress.Progress(stream))
        lines = stream.getvalue().splitlines()
        self.assertEqual(len(lines), 5)
        self.assertRegex(lines[-1], r"frame 4/4  t 4\.000 ms  broken \d+  fragments \d+")

    def test_progress_in_notebooks(self):
        shown = []

        class Handle:
            def update(self, data, raw):
                shown.append((data, raw))

        def display(data, raw, display_id):
            shown.append((data, raw))
            return Handle()
        progress = _progress.Progress(io.StringIO())
        progress._display = display
        sherd.run(self.scene, out=self.out(), progress=progress)
        self.assertGreaterEqual(len(shown), 5)
        self.assertIn('<progress value="1.0000"', shown[-1][0]["text/html"])


class Interrupts(Case):
    SCRIPT = textwrap.dedent("""
        import sys, time
        sys.path.insert(0, sys.argv[1])
        import common, sherd
        def ready(view):
            if view.frame == 0:
                print("go", flush=True)
        try:
            sherd.run(sys.argv[2], set=eval(sys.argv[3]), out=sys.argv[4], on_frame=ready, threads=1)
        except KeyboardInterrupt:
            print("interrupted", time.time(), flush=True)
    """)

    def interrupted(self):
        """Runs the long scene in a process of its own, interrupts it and returns what it said and the delay."""
        here = os.path.dirname(os.path.abspath(__file__))
        process = subprocess.Popen([sys.executable, "-c", self.SCRIPT, here, self.scene, repr(LONG), self.out()],
                                   stdout=subprocess.PIPE, text=True)
        self.assertEqual(process.stdout.readline(), "go\n")
        time.sleep(0.3)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        said = process.communicate(timeout=60)[0].split()
        self.assertEqual(said[:1], ["interrupted"])
        return float(said[1]) - sent

    def test_interrupt_follows_at_once_and_the_run_goes_on(self):
        # On a busy machine one of three may be late.
        delays = [self.interrupted()]
        while delays[-1] > 0.3 and len(delays) < 3:
            delays.append(self.interrupted())
        if not common.SLOW:
            self.assertLessEqual(delays[-1], 0.3, delays)
        frame = len(sherd.load(self.out()).frames) - 1
        fewer = {**LONG, "duration": f"{10 * (frame + 1)} ms"}
        resumed = sherd.run(self.scene, set=fewer, out=self.out(), resume=True)
        straight = sherd.run(self.scene, set=fewer, out=self.out("straight"))
        self.assertEqual(resumed.result.resumed_at, frame)
        self.assertEqual(list(resumed.stats.state_hash), list(straight.stats.state_hash))

    def test_handlers_come_back(self):
        before = signal.getsignal(signal.SIGINT)
        sherd.run(self.scene, out=self.out(), frames=1)
        self.assertIs(signal.getsignal(signal.SIGINT), before)

    def test_an_interrupt_in_a_callback(self):
        with self.assertRaises(KeyboardInterrupt):
            sherd.run(self.scene, out=self.out(), on_frame=lambda view: signal.raise_signal(signal.SIGINT))
        self.assertEqual(len(sherd.load(self.out()).frames), 1)

    def test_steps_of_a_world_are_interrupted(self):
        world = common.small_world()
        world.set_time_step(1e-7)
        timer = threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT))
        timer.start()
        begun = time.monotonic()
        with self.assertRaises(KeyboardInterrupt):
            world.step(10**9)
        if not common.SLOW:
            self.assertLess(time.monotonic() - begun, 2)
        count = world.step_count
        world.step()  # and it can be stepped on
        self.assertEqual(world.step_count, count + 1)


if __name__ == "__main__":
    unittest.main()
