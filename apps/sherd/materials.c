// sherd materials: prints the library of named solids as a table, or all values of one.
#include "commands.h"
#include "message.h"

#include <sherd/material_library.h>

#include <stdio.h>

// Writes "70 GPa" to `text` and returns it; "-" for a missing value.
static const char *stress_text(double pascals, char text[MESSAGE_TEXT])
{
    static const struct {
        double size;
        const char *unit;
    } UNITS[] = {{1e9, "GPa"}, {1e6, "MPa"}, {1e3, "kPa"}, {1.0, "Pa"}};
    int k = 0;
    while (k < 3 && pascals < UNITS[k].size)
        ++k;
    snprintf(text, MESSAGE_TEXT, pascals > 0.0 ? "%.4g %s" : "-", pascals / UNITS[k].size,
             UNITS[k].unit);
    return text;
}

// Fracture resistance: K_Ic or G_f, or plastic strain.
static const char *crack_text(const sherd_material_figures *m, char text[MESSAGE_TEXT])
{
    snprintf(text, MESSAGE_TEXT, "-");
    if (m->fracture_toughness > 0.0)
        snprintf(text, MESSAGE_TEXT, "%.4g MPa m^0.5", m->fracture_toughness / 1e6);
    if (m->fracture_energy > 0.0) snprintf(text, MESSAGE_TEXT, "%.4g J/m^2", m->fracture_energy);
    if (m->fracture_strain > 0.0) snprintf(text, MESSAGE_TEXT, "strain %.3g", m->fracture_strain);
    return text;
}

static void print_table(void)
{
    char modulus[MESSAGE_TEXT], tension[MESSAGE_TEXT], shear[MESSAGE_TEXT], yield[MESSAGE_TEXT],
        crack[MESSAGE_TEXT];
    printf("%-10s %7s %8s %5s %9s %9s %9s %15s %8s  %s\n", "", "density", "E", "nu", "tension",
           "shear", "yields", "crack", "friction", "model");
    printf("%-10s %7s\n", "", "kg/m^3");
    for (int k = 0; k < sherd_material_library_count(); ++k) {
        const sherd_material_figures *m = sherd_material_library_at(k);
        printf("%-10s %7.4g %8s %5.2f %9s %9s %9s %15s %8.2g  %s\n", m->name, m->density,
               stress_text(m->youngs_modulus, modulus), m->poissons_ratio,
               stress_text(m->tensile_strength, tension), stress_text(m->shear_strength, shear),
               stress_text(m->yield_stress, yield), crack_text(m, crack), m->friction,
               sherd_solid_model_words[m->model]);
    }
    printf("\nIn a scene: `materials: {pane: {like: glass, youngs_modulus: 60 GPa}}`. Ranges and "
           "sources: sherd materials NAME.\n");
}

// ---------------------------------------------------------------- one of them

static void print_number(const char *key, double value, const char *unit)
{
    if (value != 0.0) printf("    %s: %.6g%s%s\n", key, value, unit[0] != '\0' ? " " : "", unit);
}

static void print_stress(const char *key, double value)
{
    char text[MESSAGE_TEXT];
    if (value > 0.0) printf("    %s: %s\n", key, stress_text(value, text));
}

// Prints scene keys to be copied.
static void print_keys(const sherd_material_figures *m)
{
    bool points = m->model != SHERD_SOLID_MODEL_BONDED;
    printf("  %s:\n", m->name);
    if (points) printf("    model: %s\n", sherd_solid_model_words[m->model]);
    print_number("density", m->density, "kg/m^3");
    print_stress("youngs_modulus", m->youngs_modulus);
    print_number("poissons_ratio", m->poissons_ratio, "");
    print_stress("tensile_strength", m->tensile_strength);
    print_stress("shear_strength", m->shear_strength);
    print_number("fracture_energy", m->fracture_energy, "J/m^2");
    print_number("fracture_toughness", m->fracture_toughness, "Pa m^0.5");
    print_stress("yield_stress", m->yield_stress);
    print_stress("hardening_modulus", m->hardening_modulus);
    print_number("fracture_strain", m->fracture_strain, "");
    print_number("weibull_modulus", m->weibull_modulus, "");
    print_number("friction", m->friction, "");
    print_number("restitution", m->restitution, "");
    print_number("bond_damping", m->bond_damping, "");
    print_number("friction_angle", m->friction_angle / 0.017453292519943295, "deg");
    if (m->grain_stiffening > 0.0)
        printf("    grain: {direction: [%g, %g, %g], stiffening: %g, strengthening: %g}\n",
               m->grain_direction.x, m->grain_direction.y, m->grain_direction.z,
               m->grain_stiffening, m->grain_strengthening);
    printf("    color: [%g, %g, %g]\n", m->color.x, m->color.y, m->color.z);
    if (m->opacity < 1.0) printf("    opacity: %g\n", m->opacity);
}

static void print_one(const sherd_material_figures *m)
{
    printf("%s: %s\n\n", m->name, m->about);
    print_keys(m);
    if (m->points != m->model)
        printf("\nAs material points: like: %s, model: %s\n", m->name,
               sherd_solid_model_words[m->points]);
    printf("\nVaries: %s.\nSources: %s.\n", m->varies, m->sources);
}

int command_materials(const command_options *options)
{
    if (options->input == NULL) {
        print_table();
        return EXIT_DONE;
    }
    sherd_material_def def;
    sherd_error error;
    if (sherd_material_named(options->input, &def, &error) != SHERD_OK)
        return message_usage("no material of this name", options->input, error.hint);
    print_one(sherd_material_library_find(options->input));
    return EXIT_DONE;
}
