// What sherd check says of calibrated solids: fracture toughness, which depends on the size of
// elements, and stiffness. docs/theory/calibration.md
#pragma once

#include <sherd/scene.h>

// Parses "0.7 MPa m^0.5" to Pa m^0.5, which is also the unit of a bare number. Returns 0, or the
// exit status after printing an error. `text` may be NULL: then *value is 0.
int toughness_parse(const char *text, double *value);

// Prints the toughness of every calibrated body that can break, and the element radius needed for
// `wanted` (0: none). [Pa m^0.5]
void toughness_print(const sherd_scene *scene, const sherd_scene_build *build, double wanted);

// Offers `stiffness_scale` where it shortens the steps' time, `seconds`, worth mentioning.
void scale_print(const sherd_scene *scene, double seconds);

// Prints the stiffness of bars relative to the requested one for every calibrated body. `threads`:
// 0: all.
sherd_status stiffness_print(const sherd_scene *scene, const sherd_scene_build *build, int threads,
                             sherd_error *error);
