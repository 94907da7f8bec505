"""Lesson 3: a calibration curve. Bonds are found that give a packing the modulus and strength of a solid; bars of it
are pulled until they break, and we look at the curve.

    python3 calibration.py

docs/theory/calibration.md says what is done. with_table keeps the curves, so nothing comes from the cache.
"""
import sherd


def main():
    found = sherd.calibrate(youngs_modulus_pa=5e9, poissons_ratio=0.2, tensile_strength_pa=10e6, shear_strength_pa=10e6,
                            bar_width=8, with_table=True)
    print("asked for:  E 5.00 GPa, nu 0.200, strength 10.0 MPa")
    print(f"bars have:  E {1e-9 * found.youngs_modulus_pa:.2f} GPa, nu {found.poissons_ratio:.3f}, "
          f"strength {1e-6 * found.tensile_strength_pa:.1f} MPa   ({found.elements} elements each, {found.tests} tests)")
    print(f"with bonds: E {1e-9 * found.bar.youngs_modulus_pa:.2f} GPa, G {1e-9 * found.bar.shear_modulus_pa:.2f} GPa, "
          f"strengths {1e-6 * found.bar.tensile_strength_pa:.1f} and {1e-6 * found.bar.shear_strength_pa:.1f} MPa")
    curve = found.tension
    print("strain      stress")
    for k in range(0, curve.count, max(1, curve.count // 16)):
        print(f"{curve.strain[k]:9.2e}  {1e-6 * curve.stress_pa[k]:6.2f} MPa  {'#' * round(4e-6 * curve.stress_pa[k])}")


if __name__ == "__main__":
    main()
