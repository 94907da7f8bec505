"""Models of bodies and the keys of their materials. Plain Python; tests compare the words with the library's."""
import math


class Key:
    """A number of the panel: `key` of the material is its value times `unit`; 0 is left out if `optional`."""

    def __init__(self, key, label, default, low, high, unit, description, optional=False):
        self.key, self.label, self.default, self.low, self.high = key, label, default, low, high
        self.unit, self.description, self.optional = unit, description, optional


KEYS = {k.key: k for k in (
    Key("yield_stress", "Yield stress", 0.0, 0.0, 1e6, 1e6, "MPa; 0: does not yield", True),
    Key("critical_compression", "Critical compression", 0.025, 1e-6, 0.5, 1.0, "Strain beyond which it is plastic"),
    Key("critical_extension", "Critical extension", 0.0075, 1e-6, 0.5, 1.0, "Strain beyond which it is plastic"),
    Key("hardening", "Hardening", 10.0, 0.0, 100.0, 1.0, "Growth of stiffness with plastic compression"),
    Key("bulk_modulus", "Bulk modulus", 1.0, 1e-9, 1e9, 1e6, "MPa: a few hundred times density times speed squared"),
    Key("fluid_exponent", "Exponent", 7.0, 1.000001, 20.0, 1.0, "Gamma of the pressure"),
    Key("damage_length", "Damage length", 4.0, 1e-6, 1e6, 1e-3, "mm over which damage is spread: one or two distances "
        "of points"),
    Key("damage_time", "Damage time", 0.0, 0.0, 1e6, 1e-3, "ms in which damage follows; 0: at once", True),
    Key("residual_stiffness", "Residual stiffness", 0.001, 0.0, 0.5, 1.0, "Share that broken points keep in tension"),
    Key("cohesion", "Cohesion", 0.8, 0.0, 1000.0, 1.0, "Tensile over compressive strength"),
    Key("compaction_hardening", "Compaction hardening", 3.0, 0.0, 100.0, 1.0, "Growth of strength with compaction"),
    Key("initial_compaction", "Initial compaction", 0.03, 0.0, 1.0, 1.0, "Earlier compaction: strength at the start"),
)}

# word: label, description, keys of the panel beside density and friction
SOLID = ("youngs_modulus", "poissons_ratio")
MODELS = {
    "neo_hookean": ("Neo-Hookean", "Soft solid", SOLID),
    "corotated": ("Corotated", "Soft solid", SOLID),
    "hencky": ("Hencky", "Logarithmic strains; yields as von Mises has it", SOLID + ("yield_stress",)),
    "snow": ("Snow", "Stretches beyond limits become plastic",
             SOLID + ("critical_compression", "critical_extension", "hardening")),
    "sand": ("Sand", "Friction without cohesion", SOLID + ("friction_angle",)),
    "fluid": ("Fluid", "Weakly compressible, without shear stress", ("bulk_modulus", "fluid_exponent")),
    "phase_field": ("Phase field", "Elastic; a field of damage softens its tension",
                    SOLID + ("tensile_strength", "damage_length", "damage_time", "residual_stiffness")),
    "nacc": ("Cam clay", "Non-associated Cam clay: yields, softens and breaks apart",
             SOLID + ("friction_angle", "cohesion", "compaction_hardening", "initial_compaction")),
}
CHOICES = [(word, label, description) for word, (label, description, _) in MODELS.items()]


def values(settings):
    """Numbers of a material of points in SI, as the panel's settings have them."""
    found = {}
    for name in MODELS[settings.model][2]:
        if name == "youngs_modulus":
            found[name] = settings.youngs_modulus * 1e9
        elif name == "tensile_strength":
            found[name] = settings.tensile_strength * 1e6
        elif name in KEYS:
            key = KEYS[name]
            value = getattr(settings, name) * key.unit
            found[name] = None if key.optional and value == 0.0 else value
        else:
            found[name] = getattr(settings, name)
    return found


class Defaults:
    """What the panel has at first, for tests."""

    def __init__(self, model, **changed):
        self.model, self.youngs_modulus, self.poissons_ratio, self.tensile_strength = model, 0.001, 0.2, 0.01
        self.friction_angle = math.radians(30)
        for key in KEYS.values():
            setattr(self, key.key, key.default)
        for name, value in changed.items():
            setattr(self, name, value)
