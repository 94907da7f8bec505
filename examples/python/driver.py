"""Lesson 2: a driver of one's own. A bar is pulled by a motion that is a Python function, and we decide between
steps when it has been pulled enough.

    python3 driver.py

A World is built by calls and stepped by hand. Motion.sampled asks the function for its displacements; the world
follows straight lines in between. The loop reads the force after each stretch of time, as a callback would.
"""
import math

import sherd

LENGTH, WIDTH = 0.04, 0.008  # m
PULL, TIME = 1.2e-3, 4e-3  # m, s: how far, and in which time
SAMPLES = 80


def displacement(time):
    """A soft start, then ever faster: half a cosine."""
    return PULL * (1 - math.cos(math.pi * time / TIME)) / 2, 0.0, 0.0


def pulled_bar():
    """The world, and the driver that pulls."""
    world = sherd.World(gravity_m_s2=(0, 0, 0))
    plaster = world.add_material(name="plaster", density_kg_m3=1500, youngs_modulus_pa=2e8, shear_modulus_pa=8e7,
                                 tensile_strength_pa=2e6, shear_strength_pa=3e6, weibull_modulus=10, bond_damping=0.1)
    bar = world.add_body(plaster, sherd.Packing(sherd.Shape.box((LENGTH, WIDTH, WIDTH)), radius_m=1e-3), name="bar")
    end = sherd.Shape.box((0.006, 2 * WIDTH, 2 * WIDTH))
    world.add_driver(bar, end, sherd.Motion(), region_position_m=(-LENGTH / 2, 0, 0), name="held")
    pull = world.add_driver(bar, end, sherd.Motion.sampled(displacement, TIME, TIME / SAMPLES), name="pulled",
                            region_position_m=(LENGTH / 2, 0, 0))
    return world, pull


def main():
    world, pull = pulled_bar()
    world.set_time_step(TIME / SAMPLES / math.ceil(TIME / SAMPLES / (0.85 * world.stable_time_step_s())))
    strongest = 0.0
    for sample in range(1, SAMPLES + 1):
        world.reset_probes()
        world.advance(TIME * sample / SAMPLES)
        reading = world.probe_driver(pull)
        force = -reading.force_n.x
        strongest = max(strongest, force)
        if sample % 5 == 0:
            print(f"{1e3 * world.time_s:5.2f} ms  {1e6 * reading.displacement_m.x:7.1f} um  {force:7.2f} N  "
                  f"{'#' * round(max(force, 0) / 4)}")
        if strongest > 1 and force < strongest / 2 and world.broken_count:
            print(f"broken at {1e3 * world.time_s:.2f} ms; it held {strongest:.1f} N, "
                  f"{len(world.fragments())} pieces, {world.broken_count} bonds broken")
            return
    print(f"it held, {strongest:.1f} N at most")


if __name__ == "__main__":
    main()
