// sherd calibrate, and reports on calibrations for other commands.
#pragma once

#include <sherd/scene.h>

#include <stdio.h>

// Notes of `sherd calibrate --help`.
void calibrate_print_notes(FILE *to);

// Prints a line for each body that was calibrated while its world was built, and more if a target
// was out of reach.
void calibrate_print_summary(const sherd_scene *scene, const sherd_scene_build *build);

// ---------------------------------------------------------------- calibrate_output.c

// `def` and `result` are of the solid as the scene writes it, not as `stiffness_scale` makes it.
typedef struct calibrate_case {
    const char *material, *packing; // names
    double stiffness_scale;         // 1: none
    const sherd_calibration_def *def;
    const sherd_calibration *result;
} calibrate_case;

// Turns values of a solid with a stiffness_scale into those of the solid that the scene writes: E / s, strengths over
// sqrt(s), strains times it.
void calibrate_unscale(double stiffness_scale, sherd_calibration_def *def, sherd_calibration *r);
void calibrate_unscale_material(double stiffness_scale, sherd_material_def *material);
// "; the run has E times 0.01 and strengths times 0.1, by `stiffness_scale`"; "" without.
const char *calibrate_scale_text(double stiffness_scale, char text[160]);

void calibrate_print(const calibrate_case *c);
// Checks for other files with the names of the results before calibrating. Creates the folder.
sherd_status calibrate_make_way(const calibrate_case *c, const char *folder, bool overwrite,
                                sherd_error *error);

// MATERIAL-PACKING.csv (the table), MATERIAL-PACKING-curves.csv and MATERIAL-PACKING-curves.svg.
sherd_status calibrate_write(const calibrate_case *c, const char *folder, sherd_error *error);
