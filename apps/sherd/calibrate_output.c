// Tables and curves of a calibration.
#include "calibrate.h"
#include "message.h"
#include "results/plot.h"
#include "results/result_files.h"

#include <sherd/file.h>
#include <sherd/table.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

// ---------------------------------------------------------------- stiffness_scale

static void unscale_bonds(double s, sherd_calibration_bonds *b)
{
    double root = sqrt(s);
    b->youngs_modulus /= s, b->shear_modulus /= s, b->hardening_modulus /= s;
    b->tensile_strength /= root, b->shear_strength /= root, b->yield_stress /= root;
}

static void unscale_curve(double s, sherd_calibration_curve *curve)
{
    for (int k = 0; k < curve->count; ++k)
        curve->strain[k] *= sqrt(s), curve->stress[k] /= sqrt(s);
}

void calibrate_unscale(double s, sherd_calibration_def *def, sherd_calibration *r)
{
    double root = sqrt(s);
    double *const moduli[] = {&def->youngs_modulus,  &def->hardening_modulus,
                              &r->youngs_modulus,    &r->guess_youngs_modulus,
                              &r->hardening_modulus, &r->bending_modulus,
                              &r->torsion_modulus,   &r->axis_modulus[0],
                              &r->axis_modulus[1],   &r->axis_modulus[2]};
    double *const stresses[] = {&def->tensile_strength, &def->shear_strength, &def->yield_stress,
                                &r->tensile_strength,   &r->shear_strength,   &r->yield_stress,
                                &r->stretched_strength, &r->pressed_strength, &r->axis_strength[0],
                                &r->axis_strength[1],   &r->axis_strength[2]};
    for (size_t k = 0; k < sizeof moduli / sizeof moduli[0]; ++k)
        *moduli[k] /= s;
    for (size_t k = 0; k < sizeof stresses / sizeof stresses[0]; ++k)
        *stresses[k] /= root;
    unscale_bonds(s, &r->full), unscale_bonds(s, &r->bar), unscale_bonds(s, &r->guess);
    unscale_curve(s, &r->tension), unscale_curve(s, &r->torsion);
}

void calibrate_unscale_material(double s, sherd_material_def *m)
{
    double root = sqrt(s);
    m->youngs_modulus /= s, m->shear_modulus /= s, m->hardening_modulus /= s;
    m->tensile_strength /= root, m->shear_strength /= root, m->yield_stress /= root;
}

const char *calibrate_scale_text(double s, char text[160])
{
    text[0] = '\0';
    if (s < 1.0)
        snprintf(text, 160,
                 "; a run has moduli times %.3g and strengths times %.3g, by `stiffness_scale`", s,
                 sqrt(s));
    return text;
}

// ---------------------------------------------------------------- the table

// One quantity; NAN: unknown or not measured.
typedef struct row {
    const char *section, *name;
    bool is_pressure;
    double asked, homogenised, found;
} row;

static bool is_energy(const row *r)
{
    return strcmp(r->name, "fracture energy") == 0;
}

enum { MAX_ROWS = 26 };

static int rows_of(const calibrate_case *c, row rows[MAX_ROWS])
{
    const sherd_calibration_def *d = c->def;
    const sherd_calibration *r = c->result;
    const char *solid = "solid", *bonds = "bonds", *directions = "directions";
    double E[3], nu[3], strength[3];
    for (int k = 0; k < 3; ++k) {
        bool measured = r->axis_modulus[k] > 0.0;
        E[k] = measured ? r->axis_modulus[k] : NAN;
        nu[k] = measured ? r->axis_poissons_ratio[k] : NAN;
        strength[k] = r->axis_strength[k] > 0.0 ? r->axis_strength[k] : NAN;
    }
    bool yields = isfinite(d->yield_stress), softens = r->fracture_energy > 0.0;
    double yield = yields ? r->yield_stress : NAN, hardening = yields ? r->hardening_modulus : NAN;
    const row all[] = {
        {solid, "Young's modulus", true, d->youngs_modulus, r->guess_youngs_modulus,
         r->youngs_modulus},
        {solid, "Poisson's ratio", false, d->poissons_ratio, r->guess_poissons_ratio,
         r->poissons_ratio},
        {solid, "tensile strength", true, d->tensile_strength, NAN, r->tensile_strength},
        {solid, "shear strength, in torsion", true, d->shear_strength, NAN, r->shear_strength},
        {solid, "yield stress", true, yields ? d->yield_stress : NAN, NAN, yield},
        {solid, "hardening modulus", true, yields ? d->hardening_modulus : NAN, NAN, hardening},
        {solid, "fracture energy", false, d->fracture_energy, r->guess_fracture_energy,
         r->fracture_energy},
        {bonds, "E", true, NAN, r->guess.youngs_modulus, r->bar.youngs_modulus},
        {bonds, "G", true, NAN, r->guess.shear_modulus, r->bar.shear_modulus},
        {bonds, "tensile strength", true, NAN, NAN, r->bar.tensile_strength},
        {bonds, "shear strength", true, NAN, NAN, r->bar.shear_strength},
        {bonds, "yield stress", true, NAN, NAN, yields ? r->bar.yield_stress : NAN},
        {bonds, "hardening modulus", true, NAN, NAN, yields ? r->bar.hardening_modulus : NAN},
        {bonds, "fracture energy", false, NAN, r->guess.fracture_energy, r->bar.fracture_energy},
        {directions, "Young's modulus along x", true, d->youngs_modulus, NAN, E[0]},
        {directions, "Young's modulus along y", true, d->youngs_modulus, NAN, E[1]},
        {directions, "Young's modulus along z", true, d->youngs_modulus, NAN, E[2]},
        {directions, "Poisson's ratio along x", false, d->poissons_ratio, NAN, nu[0]},
        {directions, "Poisson's ratio along y", false, d->poissons_ratio, NAN, nu[1]},
        {directions, "Poisson's ratio along z", false, d->poissons_ratio, NAN, nu[2]},
        {directions, "tensile strength along x", true, d->tensile_strength, NAN, strength[0]},
        {directions, "tensile strength along y", true, d->tensile_strength, NAN, strength[1]},
        {directions, "tensile strength along z", true, d->tensile_strength, NAN, strength[2]},
        {directions, "Young's modulus in bending", true, d->youngs_modulus, NAN,
         r->bending_modulus},
        {directions, "shear modulus in torsion", true,
         0.5 * d->youngs_modulus / (1.0 + d->poissons_ratio), NAN, r->torsion_modulus},
    };
    int count = 0;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; ++k)
        if ((softens || !is_energy(&all[k])) && (yields || (strstr(all[k].name, "yield") == NULL &&
                                                            strstr(all[k].name, "hard") == NULL)))
            rows[count++] = all[k];
    return count;
}

static const char *value_text(const row *r, double value, char text[MESSAGE_TEXT])
{
    if (isnan(value)) return "";
    if (r->is_pressure) return message_pressure(value, text);
    snprintf(text, MESSAGE_TEXT, is_energy(r) ? "%.4g J/m^2" : "%.3f", value);
    return text;
}

void calibrate_print(const calibrate_case *c)
{
    row rows[MAX_ROWS];
    int count = rows_of(c, rows);
    char duration[MESSAGE_TEXT], plate[48] = "";
    if (c->def->layers > 0)
        snprintf(plate, sizeof plate, ", plate of %d layer%s", c->def->layers,
                 c->def->layers > 1 ? "s" : "");
    printf("%s, %s packing%s: %d tests of bars of about %d elements, %s\n", c->material, c->packing,
           plate, c->result->tests, c->result->elements,
           message_duration(c->result->seconds, duration));
    printf("  %-12s%-28s%12s%14s%12s\n", "", "", "asked", "homogenised", "found");
    for (int k = 0; k < count; ++k) {
        char a[MESSAGE_TEXT], b[MESSAGE_TEXT], f[MESSAGE_TEXT];
        bool first = k == 0 || rows[k].section != rows[k - 1].section;
        printf("  %-12s%-28s%12s%14s%12s\n", first ? rows[k].section : "", rows[k].name,
               value_text(&rows[k], rows[k].asked, a), value_text(&rows[k], rows[k].homogenised, b),
               value_text(&rows[k], rows[k].found, f));
    }
    printf("  Poisson's ratios within reach: %.2f to %.2f. Bonds are those of the bars.\n",
           c->result->poissons_low, c->result->poissons_high);
    char scale[160];
    if (c->stiffness_scale < 1.0)
        printf("  All values are of the solid as the scene writes it%s.\n",
               calibrate_scale_text(c->stiffness_scale, scale));
}

// ---------------------------------------------------------------- files

static sherd_status write_table(const calibrate_case *c, const char *path, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {
        {"section", SHERD_COLUMN_TEXT},       {"quantity", SHERD_COLUMN_TEXT},
        {"unit", SHERD_COLUMN_TEXT},          {"asked", SHERD_COLUMN_NUMBER},
        {"homogenised", SHERD_COLUMN_NUMBER}, {"found", SHERD_COLUMN_NUMBER}};
    row rows[MAX_ROWS];
    int count = rows_of(c, rows);
    sherd_table_writer *writer = sherd_table_writer_create(path, COLUMNS, 6, error);
    if (writer == NULL) return error->status;
    sherd_status status = SHERD_OK;
    for (int k = 0; k < count && status == SHERD_OK; ++k) {
        const sherd_cell cells[] = {{.text = rows[k].section},
                                    {.text = rows[k].name},
                                    {.text = rows[k].is_pressure   ? "Pa"
                                             : is_energy(&rows[k]) ? "J/m^2"
                                                                   : ""},
                                    {.number = rows[k].asked},
                                    {.number = rows[k].homogenised},
                                    {.number = rows[k].found}};
        status = sherd_table_writer_row(writer, cells, error);
    }
    sherd_status closed = sherd_table_writer_close(writer, status == SHERD_OK ? error : NULL);
    return status == SHERD_OK ? closed : status;
}

typedef struct named_curve {
    const char *name;
    const sherd_calibration_curve *curve;
    double asked; // target strength [Pa]
} named_curve;

static sherd_status write_curves(const named_curve curves[2], const char *path, sherd_error *error)
{
    static const sherd_column COLUMNS[] = {{"test", SHERD_COLUMN_TEXT},
                                           {"strain", SHERD_COLUMN_NUMBER},
                                           {"stress_pa", SHERD_COLUMN_NUMBER}};
    sherd_table_writer *writer = sherd_table_writer_create(path, COLUMNS, 3, error);
    if (writer == NULL) return error->status;
    sherd_status status = SHERD_OK;
    for (int c = 0; c < 2; ++c)
        for (int k = 0; k < curves[c].curve->count && status == SHERD_OK; ++k) {
            const sherd_cell cells[] = {{.text = curves[c].name},
                                        {.number = curves[c].curve->strain[k]},
                                        {.number = curves[c].curve->stress[k]}};
            status = sherd_table_writer_row(writer, cells, error);
        }
    sherd_status closed = sherd_table_writer_close(writer, status == SHERD_OK ? error : NULL);
    return status == SHERD_OK ? closed : status;
}

static sherd_status draw_curves(const calibrate_case *c, const named_curve curves[2],
                                const char *path, sherd_error *error)
{
    double x[2][SHERD_CALIBRATION_POINTS], y[2][SHERD_CALIBRATION_POINTS];
    double level_x[2][2], level_y[2][2];
    plot_series series[2][2];
    plot_panel panels[2];
    int count = 0;
    for (int n = 0; n < 2; ++n) {
        const sherd_calibration_curve *curve = curves[n].curve;
        if (curve->count == 0) continue;
        for (int k = 0; k < curve->count; ++k)
            x[n][k] = 100.0 * curve->strain[k], y[n][k] = 1e-6 * curve->stress[k];
        level_x[n][0] = 0.0, level_x[n][1] = x[n][curve->count - 1];
        level_y[n][0] = level_y[n][1] = 1e-6 * curves[n].asked;
        series[n][0] =
            (plot_series){count == 0 ? "test bar" : NULL, 0, false, curve->count, x[n], y[n]};
        series[n][1] = (plot_series){
            count == 0 ? "strength asked for" : NULL, 3, true, 2, level_x[n], level_y[n]};
        panels[count++] = (plot_panel){
            .title = curves[n].name,
            .x = {.label = n == 0 ? "strain [%]" : "shear strain [%]"},
            .y = {.label = n == 0 ? "stress [MPa]" : "shear stress [MPa]"},
            .series_count = isfinite(curves[n].asked) ? 2 : 1,
            .series = series[n],
        };
    }
    if (count == 0) return SHERD_OK; // unbreakable
    char title[200];
    snprintf(title, sizeof title, "%.80s, %.40s packing: bars of calibrated bonds", c->material,
             c->packing);
    return plot_write(path, title, panels, count, count, error);
}

enum { FILES = 3 };
static const char *const ENDINGS[FILES] = {".csv", "-curves.csv", "-curves.svg"};

static void name_file(const calibrate_case *c, int file, char name[MESSAGE_PATH])
{
    snprintf(name, MESSAGE_PATH, "%s-%s%s", c->material, c->packing, ENDINGS[file]);
}

sherd_status calibrate_make_way(const calibrate_case *c, const char *folder, bool overwrite,
                                sherd_error *error)
{
    static const char *const first[FILES] = {"section,quantity,unit,asked,homogenised,found\n",
                                             "test,strain,stress_pa\n", PLOT_MARK};
    char names[FILES][MESSAGE_PATH];
    result_file files[FILES];
    for (int k = 0; k < FILES; ++k) {
        name_file(c, k, names[k]);
        files[k] = (result_file){names[k], first[k]};
    }
    sherd_status status = sherd_folder_create(folder, error);
    if (status != SHERD_OK) return status;
    return result_files_make_way(folder, files, FILES, overwrite, error);
}

sherd_status calibrate_write(const calibrate_case *c, const char *folder, sherd_error *error)
{
    char name[MESSAGE_PATH], path[FILES][MESSAGE_PATH];
    const named_curve curves[2] = {
        {"tension", &c->result->tension, c->def->tensile_strength},
        {"torsion", &c->result->torsion, c->def->shear_strength},
    };
    for (int k = 0; k < FILES; ++k) {
        name_file(c, k, name);
        message_path(folder, name, path[k]);
    }
    sherd_status status = write_table(c, path[0], error);
    if (status == SHERD_OK) status = write_curves(curves, path[1], error);
    return status == SHERD_OK ? draw_curves(c, curves, path[2], error) : status;
}
