"""sherd.World: arguments, columns, borrowing, threads; things let go in any order."""
import array
import gc
import io
import math
import os
import pickle
import random
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import common
import sherd
from sherd import _columns

NUMPY = _columns.numpy


def points_world():
    """A block of jelly that falls on a floor, of material points."""
    world = sherd.World(method="explicit", threads=2)
    jelly = world.add_material(model="neo_hookean", density_kg_m3=1000, youngs_modulus_pa=1e5, shear_modulus_pa=4e4)
    packing = sherd.Packing(sherd.Shape.box((0.04, 0.04, 0.04)), kind="points", spacing_m=5e-3)
    world.add_body(jelly, packing, position_m=(0, 0, 0.021), velocity_m_s=(0, 0, -1))
    world.add_obstacle(is_plane=True, name="floor")
    return world


HALVES = """
sherd: 1
name: halves
duration: 40 ms
gravity: [0, 0, 0]
materials:
  foam: {density: 100, youngs_modulus: 50 kPa, poissons_ratio: 0.2, model: corotated}
bodies:
  - name: bar
    shape: {box: [4 cm, 4 cm, 20 cm]}
    packing: {points: {spacing: 1 cm}}
    material: foam
    fracture:
      pieces: {cut: {plane: {point: [0, 0, 0], normal: [0, 0, 1]}}}
      glue: {tensile_strength: 1 kPa, shear_strength: 1 kPa}
drivers:
  - name: below
    region: {box: [5 cm, 5 cm, 2 cm], position: [0, 0, -9 cm]}
    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, -1 cm]}]}
  - name: above
    region: {box: [5 cm, 5 cm, 2 cm], position: [0, 0, 9 cm]}
    motion: {table: [{time: 0 s}, {time: 40 ms, translation: [0, 0, 1 cm]}]}
"""


class Points(unittest.TestCase):
    def test_columns_of_points(self):
        world = points_world()
        self.assertEqual(len(world.points()), 0)  # before the first step
        world.advance(8e-3)
        points, elements = world.points(), world.elements()
        self.assertEqual(len(points), world.element_count)
        self.assertEqual(list(points.x_m), list(elements.x_m))
        self.assertEqual(list(points.vz_m_s), list(elements.vz_m_s))
        self.assertAlmostEqual(sum(points.rest_volume_m3), 0.04**3, delta=1e-9)
        # It lands: pressed along z, so that b_zz is below 1 somewhere, and the stress there is pressure.
        lowest = min(range(len(points)), key=lambda k: points.b_zz[k])
        self.assertLess(points.b_zz[lowest], 0.999)
        self.assertLess(points.zz_pa[lowest], 0)
        # Hooke's law to first order: (b_zz - b_xx) / 2 is the difference of strains.
        shear = (points.b_zz[lowest] - points.b_xx[lowest]) / 2
        difference = points.zz_pa[lowest] - points.xx_pa[lowest]
        self.assertAlmostEqual(difference / (2 * 4e4 * shear), 1, delta=0.1)
        self.assertEqual(set(points.piece), {0})

    def test_worlds_of_elements_have_none(self):
        world = common.small_world()
        world.step(1)
        self.assertEqual(len(world.points()), 0)
        self.assertEqual(len(world.points().x_m), 0)

    def test_glue_of_pieces_and_what_of_it_broke(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "halves.yaml")
            with open(path, "w", encoding="utf-8") as file:
                file.write(HALVES)
            world = sherd.World.from_scene(path)
        before = world.glue()
        self.assertEqual(len(before), 16)  # four by four neighbours across the cut
        self.assertEqual(set(zip(before.piece_i, before.piece_j)), {(0, 1)})
        self.assertAlmostEqual(sum(before.area_m2), 0.04 * 0.04, delta=1e-9)
        self.assertEqual(set(before.broken), {0})
        world.advance(20e-3)
        self.assertEqual(world.torn_count, 0) # glue parts, points of a piece do not
        after, broke = world.glue(), world.breaks()
        self.assertEqual(sum(after.broken), world.broken_count)
        self.assertEqual(len(broke), world.broken_count)
        self.assertGreater(len(broke), 0)
        for row, bond in enumerate(broke.bond):
            particle = bond - len(world.bonds())
            self.assertEqual((broke.i[row], broke.j[row]), (after.i[particle], after.j[particle]))
            self.assertTrue(after.broken[particle])
            self.assertGreater(after.normal_traction_pa[particle], 0)  # it was pulled apart

    def test_borrowed_points_are_guarded(self):
        world = points_world()
        world.advance(3e-3)
        copied = world.points()
        with world.borrow() as view:
            at = {k: n for n, k in enumerate(view.points.element) if k >= 0}
            self.assertEqual(sorted(at), list(range(len(copied))))
            for name in ("x_m", "vz_m_s", "b_zz", "b_xy", "rest_volume_m3", "piece"):
                self.assertEqual([view.points[name][at[k]] for k in range(len(copied))], list(copied[name]), name)
            with self.assertRaises((TypeError, ValueError)):
                view.points.b_zz[0] = 2.0
            with self.assertRaises(sherd.BorrowError):
                world.advance(4e-3)
        with self.assertRaises(sherd.BorrowError):
            view.points
        with self.assertRaises(sherd.BorrowError):
            with world.borrow() as view:
                kept = view.points.b_xx
        self.assertEqual(len(kept), len(list(kept)))
        with self.assertRaises(sherd.BorrowError):
            world.advance(4e-3)
        del kept
        world.advance(4e-3)


class Moving(unittest.TestCase):
    def steered(self, threads, velocity):
        """A bar whose end goes at a velocity that is decided between steps, by the force on it."""
        world = sherd.World(gravity_m_s2=(0, 0, 0), threads=threads)
        glue = world.add_material(density_kg_m3=1500, youngs_modulus_pa=2e8, shear_modulus_pa=8e7,
                                  tensile_strength_pa=2e6, shear_strength_pa=3e6)
        bar = world.add_body(glue, sherd.Packing(sherd.Shape.box((0.02, 0.006, 0.006)), radius_m=1e-3))
        end = sherd.Shape.box((0.005, 0.02, 0.02))
        world.add_driver(bar, end, sherd.Motion(), region_position_m=(-0.01, 0, 0))
        pull = world.add_driver(bar, end, sherd.Motion(), region_position_m=(0.01, 0, 0))
        every = 20 * 0.8 * world.stable_time_step_s()
        world.set_time_step(every / 20)
        for k in range(12):
            now = world.motion(pull)
            world.move(pull, now.time_s + every, [now.translation_m.x + every * velocity(world, pull), 0, 0])
            world.reset_probes()
            world.step(20)
        return world, pull

    def test_a_course_that_follows_the_force(self):
        def slows(world, pull):
            return 0.5 if abs(world.probe_driver(pull).force_n.x) < 2 else 0.0
        one, pull = self.steered(1, slows)
        reached = one.motion(pull)
        self.assertGreater(reached.translation_m.x, 0)
        self.assertAlmostEqual(one.probe_driver(pull).displacement_m.x, reached.translation_m.x, delta=1e-12)
        self.assertGreater(one.energy().work_j, 0)
        two, _ = self.steered(2, slows)
        self.assertEqual(one.state_hash, two.state_hash)
        always, pull = self.steered(1, lambda world, pull: 0.5)
        self.assertGreater(always.motion(pull).translation_m.x, reached.translation_m.x)

    def test_drive_asks_and_advances(self):
        world = common.small_world()
        hammer = world.add_obstacle(sherd.Shape.sphere(0.01), sherd.Motion(), position_m=(0, 0, 0.1))
        asked = []

        def course(seen):
            self.assertIs(seen, world)
            asked.append(world.time_s)
            return [(0, 0, -2), ((0, 0, -1), (0, 0, 5)), None][min(len(asked), 3) - 1]
        every = 16 * 0.8 * world.stable_time_step_s()
        world.set_time_step(every / 16)
        self.assertAlmostEqual(world.drive({hammer: course}, 4 * every, every), 4 * every, delta=1e-9 * every)
        self.assertEqual(len(asked), 4)
        at = world.motion(hammer)
        self.assertAlmostEqual(at.translation_m.z, -3 * every, delta=1e-9 * every)
        self.assertAlmostEqual(at.rotation_rad.z, 5 * every, delta=1e-9 * every)
        self.assertAlmostEqual(world.obstacle_pose(hammer).position_m.z, 0.1 - 3 * every, delta=1e-12)
        before = world.state_hash
        self.assertEqual(world.drive({hammer: lambda _: sherd.STOP}, 1.0, every), world.time_s)
        self.assertEqual(world.state_hash, before)
        with self.assertRaises(ZeroDivisionError):  # what a course raises ends it
            world.drive({hammer: lambda _: 1 / 0}, 1.0, every)
        with self.assertRaises(ValueError):
            world.drive({}, 1.0, 0)

    def test_what_is_wrong_is_told(self):
        world = common.small_world()
        ball = world.add_obstacle(sherd.Shape.sphere(0.01), name="ball", position_m=(1, 0, 0))
        with self.assertRaisesRegex(sherd.InputError, "no driven obstacle"):
            world.move(ball, 1.0, (0, 0, 1))
        for wrong in (next(iter(world.bodies.values())), 3):
            with self.assertRaises(TypeError):
                world.move(wrong, 1.0)
        world = sherd.World()
        stuff = world.add_material(density_kg_m3=1000, youngs_modulus_pa=1e6)
        world.add_body(stuff, sherd.Packing(sherd.Shape.box((0.01, 0.01, 0.01)), radius_m=1e-3))
        hand = world.add_obstacle(sherd.Shape.sphere(0.01), sherd.Motion(), position_m=(1, 0, 0))
        with self.assertRaisesRegex(sherd.InputError, "must be after now"):
            world.move(hand, 0.0, (0, 0, 1))
        with self.assertRaises(TypeError):
            world.move(hand, 1.0, 3)
        world.move(hand, 1e-3, (0, 0, 1e-3))
        with world.borrow():
            with self.assertRaises(sherd.BorrowError):
                world.move(hand, 2e-3)


class Arguments(unittest.TestCase):
    def test_defaults_are_the_librarys(self):
        explicit, given = sherd.World(), sherd.World(gravity_m_s2=(0, 0, -9.81), method="explicit", accuracy=0.01)
        self.assertEqual(explicit.time_s, given.time_s)

    def test_names_have_units_and_documentation(self):
        self.assertIn("gravity_m_s2: gravitational acceleration", sherd.World.__init__.__doc__)
        self.assertIn("density_kg_m3", sherd.World.add_material.__doc__)
        self.assertIn("tensile_strength_pa", str(sherd.World.add_material.__signature__))

    def test_wrong_names_are_told(self):
        with self.assertRaisesRegex(TypeError, "did you mean 'gravity_m_s2'"):
            sherd.World(gravity=(0, 0, 0))
        with self.assertRaisesRegex(TypeError, "did you mean 'threads'"):
            sherd.World(thread=1)

    def test_materials_by_name(self):
        glass = sherd.material("glass")
        self.assertEqual((glass["name"], glass["youngs_modulus_pa"], glass["density_kg_m3"]), ("glass", 70e9, 2500))
        self.assertNotIn("hardening_modulus_pa", glass)
        self.assertEqual(sherd.material("steel")["law"], "rod")
        self.assertEqual(sherd.material("sand")["model"], "sand")
        world = sherd.World()
        for figures in sherd.materials():
            made = world.add_material(**sherd.material(figures.name))
            self.assertEqual(made.name, figures.name)
            self.assertTrue(figures.sources and figures.varies)
        with self.assertRaisesRegex(sherd.InputError, "did you mean 'steel'"):
            sherd.material("stell")

    def test_wrong_kinds_are_told(self):
        for options in ({"time_step_s": "1 ms"}, {"threads": 1.5}, {"sleep": "no"}, {"gravity_m_s2": 3}):
            with self.assertRaises(TypeError):
                sherd.World(**options)
        for options in ({"method": "fast"}, {"gravity_m_s2": (1, 2)}, {"threads": 2**40}):
            with self.assertRaises(ValueError):
                sherd.World(**options)

    def test_wrong_kinds_of_shapes_and_vectors_are_told(self):
        world, shape = sherd.World(), sherd.Shape.box((0.02, 0.02, 0.02))
        material, packing = world.add_material(), sherd.Packing(shape, radius_m=2e-3)
        for words, call in (("size_m: 3 numbers", lambda: sherd.Shape.box(0.1)),
                            ("size_m: 3 numbers", lambda: sherd.Shape.box("10 mm")),
                            ("size_m: .*unit", lambda: sherd.Shape.box(("10 mm", 1, 1))),
                            ("radius_m: .*unit", lambda: sherd.Shape.sphere("1 mm")),
                            ("profile_m: pairs", lambda: sherd.Shape.revolve([1, 2, 3])),
                            ("a sherd.Shape is needed", lambda: sherd.Packing(0.1, radius_m=1)),
                            ("a sherd.Shape is needed", lambda: world.add_driver(region_shape="all")),
                            ("a sherd.Packing is needed", lambda: world.add_body(material, shape)),
                            ("position_m: ", lambda: world.add_body(material, packing, position_m=0.1)),
                            ("set: a dictionary", lambda: sherd.run("no.yaml", set=["a=b"]))):
            with self.assertRaisesRegex(TypeError, words):
                call()
        with self.assertRaisesRegex(ValueError, "size_m: 3 numbers are needed, got 2"):
            sherd.Shape.box((1, 2))

    def test_errors_have_where_what_hint(self):
        with self.assertRaises(sherd.InputError) as caught:
            sherd.World().add_material(density_kg_m3=-1)
        error = caught.exception
        self.assertIn("density", error.where)
        self.assertIn("-1", error.what)
        self.assertIsInstance(error, ValueError)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((type(again), again.where, again.what, again.hint),
                         (type(error), error.where, error.what, error.hint))

    def test_ids_are_of_one_world_and_kind(self):
        one, other = sherd.World(), sherd.World()
        material = one.add_material()
        packing = sherd.Packing(sherd.Shape.sphere(0.01), radius_m=3e-3)
        with self.assertRaisesRegex(sherd.InputError, "another world"):
            other.add_body(material, packing)
        with self.assertRaisesRegex(TypeError, "a material is needed"):
            one.add_body(one.add_body(material, packing), packing)

    def test_numbers_of_things_are_checked(self):
        world = common.small_world()
        for wrong in (lambda: world.body(1), lambda: world.obstacle_pose(-1), lambda: world.element(10**6),
                      lambda: world.element_force_n(-1), lambda: world.body_bonds(7), lambda: world.region(10**6)):
            self.assertRaises(IndexError, wrong)

    def test_columns_of_ones_own(self):
        world = sherd.World(gravity_m_s2=(0, 0, 0), threads=1)
        m = world.add_material()
        world.add_body(m, x_m=[0, 1, 2], y_m=[0.0] * 3, z_m=array.array("d", [0] * 3), radius_m=[0.5] * 3,
                       bond_i=[0, 1], bond_j=[1, 2], bond_section_m2=[0.1, 0.2])
        self.assertEqual((world.element_count, world.bond_count), (3, 2))
        self.assertEqual([round(float(s), 6) for s in world.bond_sections_m2()], [0.1, 0.2])
        for wrong in ({"radius_m": [1, 2]}, {"bond_i": [0.5, 1], "bond_j": [1, 2]}, {"x_m": [0, "a", 2]},
                      {"bond_i": [0, 2**40], "bond_j": [1, 2]}, {"bond_j": [1]}):
            columns = {"x_m": [0, 1, 2], "y_m": [0] * 3, "z_m": [0] * 3, "radius_m": [0.5] * 3, **wrong}
            with self.assertRaises((ValueError, TypeError, OverflowError)):
                sherd.World.add_body(world, m, **columns)
        with self.assertRaises(sherd.InputError): # an element that is not there
            world.add_body(m, x_m=[0, 1], y_m=[0, 0], z_m=[0, 0], radius_m=[1, 1], bond_i=[0], bond_j=[5])


class Physics(unittest.TestCase):
    def test_free_fall(self):
        world = sherd.World(threads=1)
        world.add_body(world.add_material(), x_m=[0], y_m=[0], z_m=[1], radius_m=[1e-3], bonding="none")
        world.set_time_step(1e-5)
        world.advance(0.01)
        # Velocity Verlet is exact for constant forces; 1000 steps round by some 1e-16 each.
        self.assertAlmostEqual(world.elements().z_m[0], 1 - 0.5 * 9.81 * 0.01**2, delta=1e-12)
        self.assertAlmostEqual(world.elements("vz_m_s").vz_m_s[0], -0.0981, delta=1e-12)
        self.assertEqual(world.step_count, 1000)

    def test_stops_and_saved_states_change_nothing(self):
        def hashes(world, advance):
            advance(world)
            return world.state_hash
        straight = common.small_world()
        straight.set_time_step(2e-6)
        wanted = hashes(straight, lambda w: w.advance(1e-3))
        by_steps = common.small_world()
        by_steps.set_time_step(2e-6)
        self.assertEqual(hashes(by_steps, lambda w: [w.step(k) for k in (1, 99, 0, 400)]), wanted)
        saved = common.small_world()
        saved.set_time_step(2e-6)
        saved.step(123)
        state = saved.save()
        written = io.BytesIO()
        self.assertEqual(saved.save_to(written), len(state))
        self.assertEqual(written.getvalue(), state)
        with open(os.devnull, "rb") as unwritable, self.assertRaisesRegex(io.UnsupportedOperation, "write"):
            saved.save_to(unwritable)
        saved.step(50)
        saved.restore(state)
        self.assertEqual(hashes(saved, lambda w: w.advance(1e-3)), wanted)
        self.assertGreater(saved.broken_count, 5)
        self.assertEqual(saved.broken_count, sum(saved.bonds().broken))

    def test_what_is_told_fits_together(self):
        world = common.small_world()
        world.advance(1e-3)
        energy, given, elements = world.energy(), world.given(), world.elements()
        kinetic = sum(0.5 * m * (x * x + y * y + z * z) for m, x, y, z in
                      zip(given.mass_kg, elements.vx_m_s, elements.vy_m_s, elements.vz_m_s))
        self.assertLess(kinetic, energy.kinetic_j)  # which has rotations, too
        self.assertGreater(kinetic, 0.3 * energy.kinetic_j)
        momentum = sum(m * z for m, z in zip(given.mass_kg, elements.vz_m_s))
        self.assertAlmostEqual(world.momentum_kg_m_s().z, momentum, delta=1e-12)
        fragments = world.fragments()
        self.assertEqual(sum(f.count for f in fragments), world.element_count)
        self.assertEqual(len(set(world.components())), len(fragments))
        self.assertAlmostEqual(sum(f.mass_kg for f in fragments), sum(given.mass_kg), delta=1e-12)
        breaks = world.breaks()
        self.assertEqual(len(breaks), world.broken_count)
        # The sum of what single breaks released, in another order.
        self.assertAlmostEqual(sum(breaks.energy_j), energy.dissipated_fracture_j,
                               delta=1e-12 * energy.dissipated_fracture_j + 1e-18)
        self.assertEqual(len(world.stress().xx_pa), world.element_count)
        loads = world.bond_loads()
        self.assertEqual(len(loads), len(world.bonds()))
        self.assertGreater(max(loads.shear_force_n), 0)
        contacts = world.contact_forces()
        self.assertEqual(len(contacts), world.touching_count)
        for k in range(len(contacts)):
            self.assertTrue((contacts.i[k] >= 0) != (contacts.i_obstacle[k] >= 0))
            self.assertAlmostEqual(contacts.normal_x[k] ** 2 + contacts.normal_y[k] ** 2 + contacts.normal_z[k] ** 2,
                                   1, delta=1e-9)
        self.assertLessEqual(set(breaks.mode), {"tension", "shear", "bending", "twisting"})
        world.forget_breaks()
        self.assertEqual(world.break_count, 0)

    def test_drivers_pull(self):
        world = sherd.World(gravity_m_s2=(0, 0, 0), threads=1)
        bar = world.add_body(world.add_material(youngs_modulus_pa=1e6, shear_modulus_pa=4e5),
                             sherd.Packing(sherd.Shape.box((0.03, 0.006, 0.006)), radius_m=1e-3))
        end = sherd.Shape.box((0.006, 0.02, 0.02))
        pulled = world.add_driver(bar, end, sherd.Motion.sampled(lambda t: (0.1 * t * t / 1e-3, 0, 0), 1e-3, 1e-4),
                                  region_position_m=(0.015, 0, 0), name="pulled")
        held = world.add_driver(bar, end, sherd.Motion(), region_position_m=(-0.015, 0, 0))
        self.assertEqual(world.drivers["pulled"], pulled)
        world.advance(1e-3)
        self.assertAlmostEqual(world.probe_driver(pulled).displacement_m.x, 1e-4, delta=1e-12)
        self.assertLess(world.probe_driver(pulled).force_n.x, 0)
        self.assertEqual(world.probe_driver(held).displacement_m, (0, 0, 0))

    def test_shapes(self):
        box, ball = sherd.Shape.box((2, 2, 2)), sherd.Shape.sphere(0.5)
        self.assertEqual(box.distance_m((0, 0, 2)), 1)
        self.assertEqual((box - ball).distance_m((0, 0, 0)), 0.5)
        self.assertEqual((box | ball.placed((3, 0, 0))).bounds.high_m, (3.5, 1, 1))
        self.assertAlmostEqual(ball.volume_m3, 4 / 3 * math.pi * 0.125, delta=1e-12)
        with self.assertRaises(sherd.InputError):
            sherd.Shape.sphere(-1)
        with self.assertRaises(sherd.InputError):
            ball.placed(rotation=(0, 0, 0, 3))

    def test_weak_walls_break_first(self):
        def broken(weakness):
            world = sherd.World(threads=1)
            clay = world.add_material(youngs_modulus_pa=5e7, shear_modulus_pa=2e7, tensile_strength_pa=2e5,
                                      shear_strength_pa=3e5)
            packing = sherd.Packing(sherd.Shape.box((0.02, 0.016, 0.005)), radius_m=1.2e-3)
            world.add_body(clay, packing, weakness=weakness)
            return world.body_bonds(0)
        halves = sherd.Weakness(kind="cut", strength=0.0, normal=(1, 0, 0))
        self.assertEqual(broken([]).broken, 0)
        self.assertGreater(broken([halves]).broken, 5)

    def test_unstable_worlds_are_not_stepped_on(self):
        world = sherd.World(threads=1)
        shape = sherd.Shape.box((0.02, 0.016, 0.005))
        world.add_body(world.add_material(), sherd.Packing(shape, radius_m=1.2e-3))  # bonds that never break
        world.set_time_step(20 * world.stable_time_step_s())
        with self.assertRaises(sherd.UnstableError):
            world.step(1000)
        with self.assertRaises(sherd.UnstableError):
            world.step()


class Borrowing(unittest.TestCase):
    def test_borrowed_columns_are_the_worlds_memory(self):
        world = common.small_world()
        with world.borrow() as view:
            self.assertEqual(list(view.elements.x_m), list(world.elements().x_m))
            self.assertEqual(list(view.bonds.broken), list(world.bonds().broken))
            x = view.elements.x_m
            with self.assertRaises((TypeError, ValueError)):
                x[0] = 1.0
            if NUMPY is not None:
                self.assertTrue(NUMPY.shares_memory(x, view.elements.x_m))
            del x

    def test_closing_waits_for_the_end_of_the_block(self):
        """Columns would be of freed memory: those taken before, and those asked for afterwards."""
        world = common.small_world()
        with world.borrow() as view:
            elements = view.elements
            before = elements.x_m[0]
            self.assertRaises(sherd.BorrowError, world.close)
            self.assertEqual(elements.x_m[0], before)
        # What an earlier block gave is of memory that may have moved since.
        world.step()
        with view:
            self.assertEqual(list(view.elements.x_m), list(world.elements().x_m))
            with self.assertRaises(sherd.BorrowError):
                elements.x_m
        world.close()
        with self.assertRaises(sherd.BorrowError):
            elements.x_m

    def test_ids_of_another_kind_or_world(self):
        world, other = common.small_world(), common.small_world()
        material, body = next(iter(world.materials.values())), next(iter(world.bodies.values()))
        for call in (world.body, world.body_bonds, world.body_glue, world.obstacle_pose, world.element,
                     world.element_force_n, world.region):
            self.assertRaises(TypeError, call, material)
        self.assertRaises(TypeError, world.element, body)
        self.assertRaises(sherd.InputError, other.body, body)
        self.assertEqual(world.body(body).count, world.body(0).count)

    def test_bonds_given_twice(self):
        world = sherd.World(threads=1)
        material = world.add_material(name="m", density_kg_m3=2500, youngs_modulus_pa=1e8, shear_modulus_pa=4e7,
                                      tensile_strength_pa=1e6, shear_strength_pa=1e6)
        places = {"x_m": [0, 2e-3, 4e-3], "y_m": [0] * 3, "z_m": [0] * 3, "radius_m": [1e-3] * 3}
        for i, j in (([0, 1, 0], [1, 2, 1]), ([0, 1, 1], [1, 2, 0])):
            with self.assertRaisesRegex(sherd.InputError, "join the same elements, 0 and 1"):
                world.add_body(material, bond_i=i, bond_j=j, **places)
        world.add_body(material, bond_i=[0, 1], bond_j=[1, 2], **places)

    def test_nothing_changes_within(self):
        world = common.small_world()
        world.step()
        state = world.save()
        with world.borrow():
            for call in (world.step, lambda: world.advance(1), lambda: world.restore(state), world.reset_probes,
                         lambda: world.set_time_step(1), world.stable_time_step_s, world.add_material,
                         world.forget_breaks, lambda: world.advance_towards(1, 1)):
                self.assertRaises(sherd.BorrowError, call)
            world.energy()  # asking is fine
        world.step()

    def test_what_outlives_raises_stays_readable_and_blocks(self):
        world = common.small_world()
        with self.assertRaisesRegex(sherd.BorrowError, "outlive.*vx_m_s"):
            with world.borrow() as view:
                kept = view.elements.vx_m_s[::2]
        self.assertRaises(sherd.BorrowError, world.step)
        first = kept[0]
        world.close()
        del world, view
        gc.collect()
        self.assertEqual(kept[0], first)
        self.assertEqual(len(bytes(kept)), 8 * len(kept))  # a copy by memcpy, which the sanitizer checks
        del kept

    def test_the_last_reference_frees_the_world(self):
        freed = []
        world = common.small_world()
        world._handle._destroy = lambda pointer: freed.append(sherd._library.lib.sherd_world_destroy(pointer))
        try:
            with world.borrow() as view:
                kept = view.bonds.broken[3:]
        except sherd.BorrowError:
            pass
        world.close()
        del world, view
        gc.collect()
        self.assertEqual(freed, [])
        del kept
        gc.collect()
        self.assertEqual(freed, [None])

    def test_stepping_goes_on_when_it_is_gone(self):
        world = common.small_world()
        try:
            with world.borrow() as view:
                kept = view.elements.qx
        except sherd.BorrowError:
            pass
        self.assertRaises(sherd.BorrowError, world.step)
        del kept
        world.step()
        self.assertRaises(sherd.BorrowError, lambda: view.elements)

    def test_circles_are_collected(self):
        world = common.small_world()
        with world.borrow() as view:
            circle = [view.elements.x_m]
            circle.append(circle)
            del circle
        world.step()

    def test_errors_within_are_not_hidden(self):
        world = common.small_world()
        with self.assertRaises(ZeroDivisionError):
            with world.borrow() as view:
                kept = view.elements.x_m
                len(kept) / 0

    def test_copies_are_ones_own(self):
        world = common.small_world()
        before = world.elements()
        before.x_m[0] = 7.0
        world.step()
        self.assertNotEqual(world.elements().x_m[0], 7.0)
        world.close()
        self.assertEqual(before.x_m[0], 7.0)
        self.assertRaisesRegex(sherd.InputError, "closed", world.step)


@unittest.skipUnless("asan" in os.environ.get("LD_PRELOAD", ""), "without the address sanitizer")
class Sanitizer(unittest.TestCase):
    def test_it_looks_on(self):
        script = ("import common, sherd\nworld = common.small_world()\ntry:\n"
                  "    with world.borrow() as view: kept = view.elements.x_m\n"
                  "except sherd.BorrowError: pass\nworld._handle._release()\nbytes(kept)\n")
        run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False,
                             cwd=os.path.dirname(os.path.abspath(__file__)))
        self.assertIn("heap-use-after-free", run.stderr)


class Threads(unittest.TestCase):
    def test_a_world_in_use_refuses_a_second_thread(self):
        world, caught, done = common.small_world(), [], threading.Event()

        def disturb():
            while not done.is_set():
                for call in (world.step, world.energy, world.elements, world.fragments, world.save):
                    try:
                        call()
                    except sherd.BusyError:
                        caught.append(call)
        thread = threading.Thread(target=disturb)
        thread.start()
        refused, end = 0, time.monotonic() + 10
        while not (caught or refused) and time.monotonic() < end:
            try:
                world.step(50)
            except sherd.BusyError:
                refused += 1
        done.set()
        thread.join()
        self.assertGreater(len(caught) + refused, 0)
        world.step()  # and nobody holds it any more

    def test_others_run_while_the_library_computes(self):
        world, counted, done = common.small_world(), 0, threading.Event()

        def step():
            world.set_time_step(1e-7)
            world.step(3000)
            done.set()
        thread = threading.Thread(target=step)
        thread.start()
        while not done.is_set():
            counted += 1
            time.sleep(0.0005)
        thread.join()
        self.assertGreater(counted, 5)

    def test_worlds_are_independent(self):
        hashes = []

        def work():
            world = common.small_world()
            world.advance(5e-4)
            hashes.append(world.state_hash)
        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(set(hashes)), 1)


class Fuzz(unittest.TestCase):
    """Objects, columns and views, made, used and let go in random order; the sanitizer looks on."""

    MOST = 12

    def setUp(self):
        self.random = random.Random(20)
        self.things = []

    def any_of(self, kind):
        found = [thing for thing in self.things if isinstance(thing, kind)]
        return self.random.choice(found) if found else None

    def make(self):
        choice = self.random.randrange(8)
        world = self.any_of(sherd.World)
        if choice == 0 or world is None:
            return common.small_world()
        if choice == 1:
            return sherd.Shape.box((0.01, 0.01, 0.004)) - sherd.Shape.sphere(0.003)
        if choice == 2 and self.any_of(sherd.Shape):
            return sherd.Packing(self.any_of(sherd.Shape), radius_m=1e-3)
        if choice == 3:
            return world.elements()
        if choice == 4:
            view = world.borrow()
            view.__enter__()
            kept = self.random.choice([view.elements.x_m, view.bonds.i[1:], view])
            try:
                view.__exit__(None, None, None)
            except sherd.BorrowError:
                pass
            return kept
        if choice == 5:
            return world.save()
        if choice == 6:
            return world.fragments()
        return world.drivers, world.obstacles, world.energy()

    def use(self):
        world = self.any_of(sherd.World)
        if world is None:
            return
        state = self.any_of(bytes)
        calls = [lambda: world.step(3), world.elements, world.energy, world.stress, world.fragments, world.save,
                 world.close, world.given, world.breaks, world.add_material, lambda: world.restore(state or b"x")]
        try:
            self.random.choice(calls)()
        except sherd.Error:
            pass
        for thing in self.things:
            if isinstance(thing, memoryview) or NUMPY is not None and isinstance(thing, NUMPY.ndarray):
                bytes(thing)  # by memcpy, which the sanitizer checks

    def test_any_order(self):
        for _ in range(60 if common.SLOW else 400):
            if len(self.things) < self.MOST and self.random.random() < 0.5:
                try:
                    self.things.append(self.make())
                except sherd.InputError as error:  # of a world that was closed, or has nothing to save yet
                    self.assertRegex(error.what, "closed|not been stepped")
            elif self.things and self.random.random() < 0.5:
                del self.things[self.random.randrange(len(self.things))]
                if self.random.random() < 0.2:
                    gc.collect()
            else:
                self.use()
        self.random.shuffle(self.things)
        while self.things:
            self.things.pop()


if __name__ == "__main__":
    unittest.main()
