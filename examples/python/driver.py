"""Lesson 2: a driver of one's own. A bar is pulled by a hand that feels: a Python function decides, while the world goes
on, how fast it pulls.

    python3 driver.py

World.drive asks the function again and again for a velocity, and the world follows it until the next time. Here the
hand begins fast and wants a steady force: the nearer the force comes to it the slower it pulls. Then it wants more,
until the bar breaks. What is known beforehand is simpler: Motion(velocity_m_s=...), a table, or Motion.sampled.
"""
import math

import sherd

LENGTH, WIDTH = 0.04, 0.008  # m
FASTEST = 0.5  # m/s
WANTED = [30, 60, 90, 120, 150]  # N, each for a while
WHILE, EVERY = 1e-3, 5e-5  # s: how long the hand wants a force, how often it is asked


class Hand:
    """A course: called with the world, answers with a velocity. It remembers what it felt."""

    def __init__(self, driver):
        self.driver, self.felt = driver, []

    def __call__(self, world):
        force = -world.probe_driver(self.driver).force_n.x  # the mean since the last time
        self.felt.append((world.time_s, force))
        if max(f for _, f in self.felt) > 10 and force < 5 and world.broken_count:
            return sherd.STOP
        wanted = WANTED[min(int(world.time_s / WHILE), len(WANTED) - 1)]
        return FASTEST * max(-1.0, min(1.0, (wanted - force) / 40)), 0.0, 0.0


def pulled_bar():
    """The world, and the driver that pulls."""
    world = sherd.World(gravity_m_s2=(0, 0, 0))
    plaster = world.add_material(name="plaster", density_kg_m3=1500, youngs_modulus_pa=2e8, shear_modulus_pa=8e7,
                                 tensile_strength_pa=2e6, shear_strength_pa=3e6, weibull_modulus=10, bond_damping=0.1)
    bar = world.add_body(plaster, sherd.Packing(sherd.Shape.box((LENGTH, WIDTH, WIDTH)), radius_m=1e-3), name="bar")
    end = sherd.Shape.box((0.006, 2 * WIDTH, 2 * WIDTH))
    world.add_driver(bar, end, sherd.Motion(), region_position_m=(-LENGTH / 2, 0, 0), name="held")
    # Motion() stands still until it is told otherwise.
    pull = world.add_driver(bar, end, sherd.Motion(), region_position_m=(LENGTH / 2, 0, 0), name="pulled")
    return world, pull


def main():
    world, pull = pulled_bar()
    # Explicit steps are all alike: so many of them between two questions.
    world.set_time_step(EVERY / math.ceil(EVERY / (0.85 * world.stable_time_step_s())))
    hand = Hand(pull)
    world.drive({pull: hand}, until_s=len(WANTED) * WHILE, every_s=EVERY)
    for time, force in hand.felt[::5]:
        print(f"{1e3 * time:5.2f} ms  {force:7.2f} N  {'#' * round(max(force, 0) / 4)}")
    strongest = max(force for _, force in hand.felt)
    if world.broken_count:
        print(f"broken at {1e3 * world.time_s:.2f} ms; it held {strongest:.1f} N, "
              f"{len(world.fragments())} pieces, {world.broken_count} bonds broken")
    else:
        print(f"it held, {strongest:.1f} N at most")


if __name__ == "__main__":
    main()
