// Lesson 3: a tension test. The scene pulls a bar apart by two grips; probes.csv of the run has
// their forces and displacements. We read this table, print the force-displacement curve and the
// strength of the bar.
//
//     cc curve.c $(pkg-config --cflags --libs sherd) -o curve
//     ./curve tension.yaml /tmp/tension
#include <sherd/run.h>
#include <sherd/table.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double SECTION = 10e-3 * 10e-3; // of the bar [m^2]

static void stop(const sherd_error *error)
{
    fprintf(stderr, "%s: %s\n%s\n", error->where, error->what, error->hint);
    exit(1);
}

static void pull_bar(const char *scene, const char *folder)
{
    sherd_run_def def = sherd_run_def_default();
    def.scene_path = scene;
    def.folder = folder;
    sherd_run_result result;
    sherd_error error;
    if (sherd_run_scene(&def, &result, &error) != SHERD_OK) stop(&error);
}

// The number of a column, which must be there.
static int column(const sherd_table *table, const char *name)
{
    int found = sherd_table_find_column(table, name);
    if (found >= 0) return found;
    fprintf(stderr, "probes.csv has no column %s\n", name);
    exit(1);
}

int main(int argc, char **argv)
{
    if (argc != 3) {
        fprintf(stderr, "usage: curve SCENE FOLDER\n");
        return 2;
    }
    pull_bar(argv[1], argv[2]);
    char path[1024];
    snprintf(path, sizeof path, "%s/probes.csv", argv[2]);
    sherd_error error;
    sherd_table *table = sherd_table_read(path, &error);
    if (table == NULL) stop(&error);

    // Each row is one probe at one time. The grip `far` moves along +x, so the bar's tension acts on
    // it along -x; the grips move apart by twice the displacement of one.
    int probe = column(table, "probe"), force = column(table, "force_x_n"),
        displacement = column(table, "displacement_x_m");
    double peak = 0.0, at = 0.0;
    printf("displacement_mm  force_n\n");
    for (int64_t row = 0; row < sherd_table_row_count(table); ++row) {
        if (strcmp(sherd_table_text(table, row, probe), "far") != 0) continue;
        double tension = -sherd_table_number(table, row, force);
        double elongation = 2.0 * sherd_table_number(table, row, displacement);
        printf("%15.4f %8.1f\n", 1e3 * elongation, tension);
        if (tension > peak) peak = tension, at = elongation;
    }
    printf("peak force %.0f N at %.3f mm: strength %.2f MPa\n", peak, 1e3 * at,
           peak / SECTION / 1e6);
    sherd_table_destroy(table);
    return 0;
}
