// Calibrated solids against the request: bars of other sizes, radii and seeds than those that
// calibration tests itself, pulled slowly with explicit steps until they break.
#include "physics/pulled_bar.h"

#include <criterion/criterion.h>
#include <criterion/new/assert.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sherd_calibration_def task(sherd_packing_kind kind)
{
    sherd_calibration_def def = elastic_task(kind);
    def.tensile_strength = TENSILE_ASKED;
    return def;
}

// Calibrates, and pulls a bar whose length, width and height are in radii.
static void check_packing(const char *name, const sherd_calibration_def *def, double radius,
                          double length, double width, double height)
{
    sherd_calibration result = calibrate(def);
    sherd_packing_def packing = def->packing;
    packing.radius = radius;
    packing.tetra.size = 4.2 * radius; // as many as there would be spheres
    packing.seed = 77;
    packing.threads = 2;
    bar b = fill_bar(&packing, length * radius, width * radius, height * radius);
    sherd_material_def material = sherd_material_def_default();
    material.density = DENSITY_ASKED;
    material.bond_damping = 0.2; // stills the start
    sherd_calibration_apply(&result, b.packing, &material);
    measured m = pull(&b, &material, radius);
    check(name, &m, NU_ASKED);
    drop(&b);
}

// ---------------------------------------------------------------- what was asked for comes out

Test(calibration, hcp_bar_has_what_was_asked)
{
    sherd_calibration_def def = task(SHERD_PACKING_HCP);
    check_packing("hcp", &def, 2.5e-3, 50.0, 17.0, 14.5);
}

Test(calibration, one_layer_has_what_was_asked)
{
    sherd_calibration_def def = task(SHERD_PACKING_HEX_LAYERS);
    def.layers = 1;
    check_packing("one layer", &def, 1e-3, 70.0, 21.0, 2.0);
}

Test(calibration, random_bar_has_what_was_asked)
{
    sherd_calibration_def def = task(SHERD_PACKING_RANDOM);
    check_packing("random", &def, 2.5e-3, 50.0, 17.0, 15.0);
}

// Its lattice's cells are stretched to fit, by up to a sixth: calibration's are not.
Test(calibration, tetra_bar_has_what_was_asked)
{
    sherd_calibration_def def = task(SHERD_PACKING_TETRA);
    check_packing("tetra", &def, 2.5e-3, 50.0, 17.0, 15.0);
}

// ---------------------------------------------------------------- and what cannot

// However far: the nearest is taken, and said.
Test(calibration, takes_the_nearest_ratio_when_it_is_out_of_reach)
{
    sherd_calibration_def def = task(SHERD_PACKING_HCP);
    def.bar_width = 8.0;
    def.breakage = SHERD_BREAKAGE_NONE;
    sherd_calibration first = calibrate(&def);
    cr_expect(first.poissons_ratio_reached && first.poissons_low < 0.0 &&
              first.poissons_high > 0.2 && first.poissons_high < 0.35);
    const double asked[] = {first.poissons_high + 0.03, 0.45};
    for (int k = 0; k < 2; ++k) {
        def.poissons_ratio = asked[k];
        sherd_calibration result = calibrate(&def);
        bool reached = result.poissons_ratio_reached;
        cr_expect(reached == false);
        cr_expect(epsilon_eq(dbl, result.poissons_ratio, result.poissons_high, 1e-9));
    }
}

// A cubic lattice shows none along its axes, whatever its bonds: they get the solid's shear modulus.
Test(calibration, a_lattice_that_has_one_ratio_only_keeps_its_shear)
{
    sherd_calibration_def def = task(SHERD_PACKING_CUBIC);
    def.bar_width = 8.0;
    def.breakage = SHERD_BREAKAGE_NONE;
    def.poissons_ratio = 0.3;
    sherd_calibration result = calibrate(&def);
    bool reached = result.poissons_ratio_reached;
    cr_expect(reached == false);
    double ratio = result.full.shear_modulus / result.full.youngs_modulus;
    cr_expect(epsilon_eq(dbl, ratio, 1.0 / 2.6, 1e-9));
}

Test(calibration, refuses_what_makes_no_sense)
{
    sherd_error error;
    sherd_calibration result;
    struct {
        size_t offset;
        double value;
        const char *where;
    } cases[] = {
        {offsetof(sherd_calibration_def, youngs_modulus), 0.0, "youngs_modulus"},
        {offsetof(sherd_calibration_def, youngs_modulus), INFINITY, "youngs_modulus"},
        {offsetof(sherd_calibration_def, poissons_ratio), NAN, "poissons_ratio"},
        {offsetof(sherd_calibration_def, poissons_ratio), -1.0, "poissons_ratio"},
        {offsetof(sherd_calibration_def, tensile_strength), -1.0, "tensile_strength"},
        {offsetof(sherd_calibration_def, shear_strength), NAN, "shear_strength"},
        {offsetof(sherd_calibration_def, weibull_modulus), 0.5, "weibull_modulus"},
        {offsetof(sherd_calibration_def, bar_width), 1.0, "bar_width"},
        {offsetof(sherd_calibration_def, bond_reach), -0.1, "bond_reach"},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; ++k) {
        sherd_calibration_def def = task(SHERD_PACKING_HCP);
        memcpy((char *)&def + cases[k].offset, &cases[k].value, sizeof(double));
        cr_expect(eq(int, sherd_calibrate(&def, &result, &error), SHERD_ERROR_INPUT), "%s",
                  cases[k].where);
        cr_expect(eq(str, error.where, (char *)cases[k].where));
    }
    sherd_calibration_def zero = {0};
    cr_expect(eq(int, sherd_calibrate(&zero, &result, &error), SHERD_ERROR_INPUT));
}

// ---------------------------------------------------------------- units, threads, cache

static sherd_calibration_def quick(void)
{
    sherd_calibration_def def = task(SHERD_PACKING_HEX_LAYERS);
    def.layers = 1;
    def.bar_width = 8.0;
    return def;
}

static bool same_bonds(const sherd_calibration *a, const sherd_calibration *b, double E, double s)
{
    return a->full.youngs_modulus * E == b->full.youngs_modulus &&
           a->full.shear_modulus * E == b->full.shear_modulus &&
           a->full.tensile_strength * s == b->full.tensile_strength &&
           a->poissons_ratio == b->poissons_ratio && a->bar_stiffness == b->bar_stiffness;
}

// Units are powers of two apart, so that scaling does not round.
Test(calibration, scales_exactly_whatever_the_units_radius_and_threads)
{
    sherd_calibration_def def = quick();
    def.threads = 1;
    sherd_calibration one = calibrate(&def);
    def.youngs_modulus *= 1024.0;
    def.tensile_strength *= 4.0;
    def.packing.radius = 0.37;
    def.packing.seed = 9;
    def.threads = 3;
    sherd_calibration other = calibrate(&def);
    cr_assert(same_bonds(&one, &other, 1024.0, 4.0));
}

static void cache_file(const char *folder, char path[512])
{
    char command[600];
    snprintf(command, sizeof command, "ls %s/*.txt", folder);
    FILE *list = popen(command, "r");
    cr_assert(list != NULL && fgets(path, 512, list) != NULL);
    pclose(list);
    path[strcspn(path, "\n")] = '\0';
}

// A byte changed anywhere must be noticed: numbers would be wrong without a word otherwise.
static void spoil(const char *path, long at)
{
    FILE *file = fopen(path, "r+");
    cr_assert(file != NULL);
    fseek(file, at, SEEK_SET);
    int byte = fgetc(file);
    fseek(file, at, SEEK_SET);
    fputc(byte == '1' ? '2' : '1', file);
    fclose(file);
}

Test(calibration, comes_from_the_cache_unless_that_is_spoilt)
{
    char folder[] = "/tmp/sherd-calibration-XXXXXX", path[512];
    cr_assert(mkdtemp(folder) != NULL);
    sherd_calibration_def def = quick();
    def.cache_folder = folder;
    sherd_calibration fresh = calibrate(&def), again = calibrate(&def);
    cr_expect(again.cached && !fresh.cached && again.tests == 0);
    cr_expect(same_bonds(&fresh, &again, 1.0, 1.0));
    def.youngs_modulus *= 2.0; // of the same ratios
    def.tensile_strength *= 2.0;
    sherd_calibration scaled = calibrate(&def);
    cr_expect(scaled.cached && same_bonds(&fresh, &scaled, 2.0, 2.0));
    cache_file(folder, path);
    for (long at = 0; at < 1200; at += 171) {
        spoil(path, at);
        sherd_calibration repaired = calibrate(&def);
        cr_expect(same_bonds(&scaled, &repaired, 1.0, 1.0) && !repaired.cached, "byte %ld", at);
    }
    def.poissons_ratio = 0.15;
    cr_expect(not(calibrate(&def).cached));
    char remove[600];
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    cr_assert(eq(int, system(remove), 0));
}

Test(calibration, works_without_a_cache)
{
    sherd_calibration_def def = quick();
    def.cache_folder = "/proc/no/such/folder";
    cr_expect(not(calibrate(&def).cached));
}
