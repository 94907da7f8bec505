"""Lesson 5: a packing of one's own, from columns. A hoop of rings of elements, each bonded to its neighbours, is
dropped on its edge; we look at the bonds that break without copying any column.

    python3 packing.py

Columns are lists, arrays or numpy's arrays. `with world.borrow()` shows the world's own memory, read-only.
"""
import math

import sherd

AROUND, DEEP = 90, 5  # elements along the hoop and across
RADIUS = 0.05  # m, of the hoop
ELEMENT = RADIUS * math.sin(math.pi / AROUND)  # neighbours touch


def hoop():
    """Columns of places, and pairs of neighbours."""
    x, y, z, i, j = [], [], [], [], []
    for across in range(DEEP):
        for along in range(AROUND):
            angle = 2 * math.pi * along / AROUND
            x.append(RADIUS * math.cos(angle))
            y.append(2 * ELEMENT * across)
            z.append(RADIUS * math.sin(angle))
            this = across * AROUND + along
            i.append(this)
            j.append(across * AROUND + (along + 1) % AROUND)
            if across + 1 < DEEP:
                i.append(this)
                j.append(this + AROUND)
    return x, y, z, i, j


def main():
    x, y, z, i, j = hoop()
    world = sherd.World()
    porcelain = world.add_material(name="porcelain", density_kg_m3=2400, youngs_modulus_pa=1e9, shear_modulus_pa=4e8,
                                   tensile_strength_pa=8e6, shear_strength_pa=1e7, weibull_modulus=12)
    world.add_body(porcelain, x_m=x, y_m=y, z_m=z, radius_m=[ELEMENT] * len(x), name="hoop",
                   bond_i=[min(pair) for pair in zip(i, j)], bond_j=[max(pair) for pair in zip(i, j)],
                   position_m=(0, 0, RADIUS + 2 * ELEMENT), velocity_m_s=(0, 0, -8))
    world.add_obstacle(is_plane=True, name="floor")
    step = world.stable_time_step_s() * 0.85
    while world.step_count * step < 2e-3:
        world.step(200)
        with world.borrow() as view:
            lowest = min(view.elements.z_m)
            broken = sum(view.bonds.broken)
        print(f"{1e3 * world.time_s:5.2f} ms  lowest element at {1e3 * lowest:6.2f} mm, {broken:3d} of {len(i)} bonds broken")
    for fragment in sorted(world.fragments(), key=lambda f: -f.count)[:5]:
        print(f"fragment {fragment.id}: {fragment.count} elements, {1e3 * fragment.mass_kg:.2f} g")


if __name__ == "__main__":
    main()
