// How tough a calibrated solid is: elements of a size make a toughness.       docs/theory/calibration.md
#pragma once

#include <sherd/scene.h>

// "0.7 MPa m^0.5" as pascals times the root of a metre; a bare number is in these. Returns 0, or the
// exit status after reporting the error. `text` may be NULL: then *value is 0.
int toughness_parse(const char *text, double *value);

// Prints the toughness of every body that is calibrated and breaks, and the radius that `wanted`
// (0 = none) takes. [Pa m^0.5]
void toughness_say(const sherd_scene *scene, const sherd_scene_build *build, double wanted);
