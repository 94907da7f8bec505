"""Lesson 4: statistics. Fracture is chaotic, so one run says little: 20 tiles that differ in the seed of their
strengths only, several at a time.

    python3 seeds.py

The library computes without Python's lock, so threads are enough; each has runs of its own.
"""
import os
import statistics
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import sherd

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tile.yaml")
SEEDS = range(1, int(sys.argv[1]) + 1 if len(sys.argv) > 1 else 21)


def break_tile(seed, folder):
    """Masses of the fragments, as shares of the tile."""
    run = sherd.run(SCENE, set={"materials.clay.seed": seed, "bodies.tile.velocity": (0, 0, -2)}, threads=1,
                    out=os.path.join(folder, f"seed_{seed}"), summary=False, progress=False)
    masses = sorted((f.mass_kg for f in run.fragments()), reverse=True)
    return [mass / sum(masses) for mass in masses]


def main():
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(os.cpu_count()) as pool:
        tiles = list(pool.map(lambda seed: break_tile(seed, folder), SEEDS))
    counts, largest = [len(tile) for tile in tiles], [tile[0] for tile in tiles]
    print(f"{len(tiles)} tiles: {statistics.mean(counts):.1f} fragments (standard deviation "
          f"{statistics.stdev(counts):.1f}), the largest has {100 * statistics.mean(largest):.0f} % "
          f"({100 * statistics.stdev(largest):.0f})")
    every = sorted((share for tile in tiles for share in tile), reverse=True)
    print("share of the mass   fragments of at least that, per tile")
    for limit in (0.3, 0.1, 0.03, 0.01, 0.003, 0.001):
        count = sum(share >= limit for share in every) / len(tiles)
        print(f"{limit:17.3f}   {count:5.1f}  {'#' * round(2 * count)}")


if __name__ == "__main__":
    main()
