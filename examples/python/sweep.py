"""Lesson 1: a parameter sweep. The same tile at several speeds: how many pieces, how large is the largest?

    python3 sweep.py [OUT]

sherd.run is `sherd run` with settings as a dictionary. Results are columns with their units in the names.
"""
import os
import sys
import tempfile

import sherd

SCENE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tile.yaml")
SPEEDS = [1, 1.5, 2, 2.5, 3, 4, 5]  # m/s


def pieces(speed, out):
    """Number of fragments and the largest one's share of the mass, when the tile has come down."""
    run = sherd.run(SCENE, set={"bodies.tile.velocity": (0, 0, -speed)}, out=out, summary=False)
    masses = [fragment.mass_kg for fragment in run.fragments()]
    return len(masses), max(masses) / sum(masses)


def plot(results, path):
    try:
        import matplotlib
    except ImportError:
        return print("(with python3-matplotlib this makes a picture, too)")
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots()
    axes.semilogy(SPEEDS, [count for count, _ in results], "o-")
    axes.set(xlabel="speed [m/s]", ylabel="fragments", title="A tile falls")
    figure.savefig(path)
    return print(path)


def main(folder):
    results = []
    for speed in SPEEDS:
        results.append(pieces(speed, os.path.join(folder, f"speed_{speed}")))
        count, largest = results[-1]
        print(f"{speed:3.1f} m/s  {count:4d} fragments, the largest has {100 * largest:3.0f} %  {'#' * (count // 4)}")
    plot(results, os.path.join(folder, "sweep.png"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        main(sys.argv[1])
    else:
        with tempfile.TemporaryDirectory() as place:
            main(place)
